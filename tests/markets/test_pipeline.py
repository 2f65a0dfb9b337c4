"""How a made-up protocol is read: when, of which contracts, told what others sold; and a price that no log tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.declaring import Protocol
from indexing.judge.markets.reading import ANY, Around, Deployment
from indexing.judge.markets.registry import CLONES, PROTOCOLS, registry
from indexing.judge.verdicts import Fault, Fill, Item, Leg, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, topic0
from tests.markets.building import PRICELESS, ape, moves_of, of_transaction
from tests.markets.currencies import ETHER
from tests.markets.seaport_events import SEAPORT_15, order_fulfilled, paid

POOL, OTHER_POOL = "0x" + "3a" * 20, "0x" + "3b" * 20
SALE = order_fulfilled(consideration=[paid(5, BOB)])


class MadeUp:
    """A reader that says the same of whatever it is called with, and what that was."""

    def __init__(self, *fills: Fill) -> None:
        self.fills = fills
        self.seen: list[tuple[str, list[str], frozenset[int], int]] = []
        """Its deployment, who emitted the logs, and what of moves and money is taken."""

    def __call__(
        self, logs: Sequence[RawLog], deployment: Deployment, around: Around
    ) -> Iterator[Fill | Fault]:
        self.seen.append((deployment.address, [one.address for one in logs], around.taken, around.spent))
        yield from self.fills


def filled(contract: str = POOL) -> RawLog:
    return log("Filled()", contract=contract, index=2**24 - 1)


def judged_by(made_up: MadeUp, logs: list[RawLog], *added: Deployment, **of: Any) -> Verdict:
    """What a transaction is, where the reader is known, and contracts of it that an operator added."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROTOCOLS, "made-up", Protocol("made-up", made_up, **of))
        patch.setitem(CLONES, topic0("Filled()"), Deployment(ANY, "made-up", "bazaar"))
        transaction = of_transaction(logs, target=SEAPORT_15, value=5)
        return classify(transaction, moves_of(transaction), registry(1, added))


def test_all_contracts_with_an_event_of_pools_are_read_together_and_told_what_known_markets_sold() -> None:
    made_up = MadeUp()
    judged_by(made_up, [filled(), filled(OTHER_POOL), SALE, ape(CAROL, ALICE, 6), ape(BOB, ALICE)])
    assert made_up.seen == [(ANY, [POOL, OTHER_POOL], frozenset({1}), 5)]


def test_a_pool_that_an_operator_added_is_read_by_itself() -> None:
    made_up = MadeUp()
    judged_by(made_up, [filled(), filled(OTHER_POOL)], Deployment(POOL, "made-up", "own"))
    assert sorted(one[:2] for one in made_up.seen) == [(ANY, [OTHER_POOL]), (POOL, [POOL])]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_market_whose_events_name_nothing_is_told_what_the_others_sold_wherever_its_event_stands(
    is_first: bool,
) -> None:
    made_up, rest = MadeUp(), [SALE, ape(CAROL, ALICE, 6), ape(BOB, ALICE)]
    logs = [filled(), *rest] if is_first else [*rest, filled()]
    found = judged_by(made_up, logs, Deployment(POOL, "made-up", "bazaar"), is_nameless=True)
    assert [taken for _, _, taken, _ in made_up.seen] == [frozenset({1})]
    assert [one.transfer_type for one in found.judgements] == ["transfer", "sale"]


def sold_by_it(*, unpriced: bool, token_id: int = 7) -> Verdict:
    """What a move of ape 7 from Bob to Alice is, where a market says this of one, by log 2."""
    fill = Fill(
        "made-up", "bazaar", 2, Side.BID, BOB, ALICE, (Item(APES, token_id),), ETHER, unpriced=unpriced
    )
    return judged_by(MadeUp(fill), [ape(BOB, ALICE), filled()], Deployment(POOL, "made-up", "bazaar"))


def test_what_was_sold_for_nobody_knows_how_much_is_a_sale_with_its_leg_no_price_and_a_fault() -> None:
    found = sold_by_it(unpriced=True)
    (judged,) = found.judgements
    assert (judged.transfer_type, judged.currency, judged.price) == ("sale", None, 0)
    assert judged.swaps == (Leg(APES, 7, BOB, ALICE, 1, "bazaar"),)
    assert (found.markets, found.is_commercial) == (("bazaar",), True)
    assert found.faults == (Fault("made-up", 2, PRICELESS, ETHER, 0),)


def test_what_was_given_for_nothing_is_no_sale() -> None:
    assert [one.transfer_type for one in sold_by_it(unpriced=False).judgements] == ["transfer"]


def test_what_was_sold_at_an_unknown_price_and_never_delivered_is_a_fault() -> None:
    found = sold_by_it(unpriced=True, token_id=8)
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [fault.log_index for fault in found.faults] == [2]
