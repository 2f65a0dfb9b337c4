"""Asks that contracts are asked about: what no log told, or told before indexing began, and what moves would do."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from core.net.rpc.errors import RpcError
from indexing.follow.rewind import rewind
from indexing.orders.checking import Checker
from indexing.write import checks, questions
from tests.builders import ask, load_lines
from tests.ingestion.chain import COINS, MOVES, START, Chain, FakeNode, emitted, nft, source_of, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import ethereum, index
from tests.ingestion.offers import live, reasons
from tests.ingestion.selling import as_emitted
from tests.markets.seaport_events import SEAPORT_16, nft_item, order_fulfilled, paid
from tokens.models import Ask
from tokens.models.ask import FOREVER
from transfers.models import OrderEvent

pytestmark = pytest.mark.django_db
ORDER = "0x" + "ab" * 32
OTHER = "0x" + "cd" * 32
CONDUIT = "0x1e0049783f008a0085193e00003d00cd54003c71"
DAY = checks.AGAIN // 12
"""Blocks."""


@dataclass
class Contracts:
    """An ape's contract and Seaport as they are now: who is approved, what is refused, what was taken."""

    for_all: int = 0
    for_one: str = ZERO
    """Who may move ape 7."""
    moves: bool | None = None
    """Whether a move works; ``None``: where it is approved."""
    status: tuple[int, int, int, int] = (0, 0, 0, 0)
    counter: int = 0
    asked: list[str] = field(default_factory=list)

    def __call__(self, address: str, data: str, block: int) -> Any:
        works = bool(self.for_all or self.for_one == CONDUIT) if self.moves is None else self.moves
        answers = {
            questions.IS_APPROVED_FOR_ALL: word(self.for_all),
            "0x081812fc": word(self.for_one),
            questions.GET_ORDER_STATUS: "".join(map(word, self.status)),
            "0xf07ec373": word(self.counter),
        }
        if data[:10] in (*answers, *MOVES):
            self.asked.append(data[:10])
        if data.startswith(MOVES) and works:
            return "0x"
        return (
            "0x" + answers[data[:10]] if data[:10] in answers else RpcError("played", 3, "execution reverted")
        )

    def node(self, chain: Chain) -> FakeNode:
        """A node that has them."""
        return FakeNode(chain, dict.fromkeys((APES, COINS, SEAPORT_16), self))


def listed(order: str = ORDER, token_id: str = "7", contract: str = APES, **changes: Any) -> None:
    """Have a book tell of an ask of Bob's."""
    terms = {"operator": CONDUIT, "exchange": SEAPORT_16, "nonce": "0", "source": "opensea", "maker": BOB}
    load_lines([ask(token_id, contract, order=order, **terms | changes)])


@pytest.fixture
def ape() -> Chain:
    """Bob has apes 7 and 8."""
    chain = Chain()
    chain.mine(tx(nft(7, ZERO, BOB)), tx(nft(8, ZERO, BOB)))
    return chain


def checked(chain: Chain, contracts: Contracts, **changes: Any) -> dict[str, str]:
    """Why Bob's ask is not live once indexing has come to the head; nothing where it is."""
    index(contracts.node(chain))
    listed(**changes)
    index(contracts.node(chain))
    return reasons()


WAYS: dict[str, tuple[Contracts, dict[str, str]]] = {
    "all are approved": (Contracts(for_all=1), {}),
    "this one is approved": (Contracts(for_one=CONDUIT), {}),
    "another is approved for it": (Contracts(for_one=CAROL), {"1": "no-approval"}),
    "nothing is approved": (Contracts(), {"1": "no-approval"}),
    "the contract lets the conduit move whatever it likes, without an approval": (Contracts(moves=True), {}),
    "a validator lets the conduit move nothing": (
        Contracts(for_all=1, moves=False),
        {"1": "transfer-refused"},
    ),
    "it was filled": (Contracts(for_all=1, status=(1, 0, 1, 1)), {"1": "filled"}),
    "it was cancelled": (Contracts(for_all=1, status=(1, 1, 0, 0)), {"1": "cancelled"}),
    "its maker has another counter": (Contracts(for_all=1, counter=5), {"1": "counter"}),
}


@pytest.mark.parametrize(("contracts", "expected"), WAYS.values(), ids=WAYS)
def test_what_contracts_say_at_its_birth_decides_about_an_ask_that_a_book_tells_of(
    ape: Chain, contracts: Contracts, expected: dict[str, str]
) -> None:
    assert checked(ape, contracts) == expected


def test_each_question_is_asked_once_however_many_asks_rest_on_it(ape: Chain) -> None:
    contracts = Contracts(for_all=1)
    index(contracts.node(ape))
    listed(ORDER)
    listed(OTHER)
    listed("0x" + "ee" * 32, "8")
    index(contracts.node(ape))
    assert sorted(contracts.asked) == sorted(
        [
            questions.IS_APPROVED_FOR_ALL,
            *["0x081812fc", questions.TRANSFER_FROM] * 2,
            *[questions.GET_ORDER_STATUS] * 3,
            "0xf07ec373",
        ]
    )
    contracts.asked.clear()
    ape.mine()
    index(contracts.node(ape))
    assert contracts.asked == []
    assert OrderEvent.objects.count() == 1, "that all are approved says the rest"


def test_a_live_ask_is_asked_about_again_after_a_day(ape: Chain) -> None:
    contracts = Contracts(for_all=1)
    assert checked(ape, contracts) == {}
    contracts.moves = False
    ape.mine_empty(DAY - 1)
    index(contracts.node(ape))
    assert reasons() == {}
    ape.mine()
    index(contracts.node(ape))
    assert reasons() == {"1": "transfer-refused"}
    contracts.moves = None
    ape.mine_empty(DAY)
    index(contracts.node(ape))
    assert live() == ["opensea 7 1"]
    assert OrderEvent.objects.count() == 1, "what was told before is not kept"


def test_the_approval_of_one_token_whose_end_no_log_tells_is_asked_for_again_within_minutes(
    ape: Chain,
) -> None:
    contracts = Contracts(for_one=CONDUIT)
    assert checked(ape, contracts) == {}
    contracts.for_one = ZERO
    ape.mine_empty(checks.SOON // 12)
    index(contracts.node(ape))
    assert reasons() == {"1": "no-approval"}


def test_a_refusal_counts_until_the_approval_changes_or_the_nft_moves(ape: Chain) -> None:
    contracts = Contracts()
    assert checked(ape, contracts) == {"1": "no-approval"}
    approval = emitted("ApprovalForAll(address,address,bool)", [BOB, CONDUIT], word(1), APES)
    contracts.for_all = 1
    ape.mine(tx(approval))
    index(contracts.node(ape))
    assert live() == ["opensea 7 1"]
    contracts.moves = False
    ape.mine_empty(DAY)
    index(contracts.node(ape))
    assert reasons() == {"1": "transfer-refused"}
    contracts.moves = None
    ape.mine(tx(nft(7, BOB, CAROL)), tx(nft(7, CAROL, BOB)))
    index(contracts.node(ape))
    assert live() == ["opensea 7 1"]


def test_who_wakes_is_asked_about_at_once(ape: Chain) -> None:
    contracts = Contracts(for_all=1)
    assert checked(ape, contracts) == {}
    ape.mine(tx(nft(7, BOB, CAROL)))
    index(contracts.node(ape))
    assert reasons() == {"1": "not-owner"}
    contracts.counter = 4
    ape.mine(tx(nft(7, CAROL, BOB)))
    index(contracts.node(ape))
    assert reasons() == {"1": "counter"}


def sold(count: int) -> Any:
    """So many of Bob's coins are bought by his order, in one transaction."""
    log = order_fulfilled(
        offerer=BOB,
        recipient=CAROL,
        offer=[nft_item(COINS, 7, amount=count, kind=3)],
        consideration=[paid(count, BOB)],
        order=ORDER,
        contract=SEAPORT_16,
    )
    return tx(as_emitted(log), units(7, BOB, CAROL, count), sender=CAROL, target=SEAPORT_16, value=count)


def left() -> int | None:
    """Units of the ask that are left."""
    amount = Ask.objects.get().amount
    return None if amount is None else int(amount)


def test_of_an_order_that_was_sold_in_part_before_indexing_began_the_rest_is_offered() -> None:
    """What is bought later is taken off; what is learned of earlier purchases was in it already."""
    chain = Chain()
    chain.mine(tx(units(7, ZERO, BOB, 20)))
    chain.mine(sold(3))
    chain.mine()
    contracts = Contracts(for_all=1, status=(1, 0, 3, 10))
    index(contracts.node(chain), from_block=3)
    listed(contract=COINS, amount="10")
    Ask.objects.update(offered=10)
    index(contracts.node(chain), from_block=3)
    assert left() == 7
    chain.mine(sold(2))
    index(contracts.node(chain))
    assert left() == 5
    chain.fork(back=1)
    chain.mine_empty(2)
    index(contracts.node(chain))
    assert left() == 7
    contracts.status = (1, 0, 10, 10)
    chain.mine_empty(DAY)
    index(contracts.node(chain))
    assert (left(), reasons()) == (0, {"1": "filled"})


def test_what_was_told_as_of_blocks_that_are_lost_is_asked_for_again(ape: Chain) -> None:
    contracts = Contracts(for_all=1)
    assert checked(ape, contracts) == {}
    contracts.status = (1, 1, 0, 0)
    ape.mine_empty(DAY)
    index(contracts.node(ape))
    assert reasons() == {"1": "cancelled"}
    rewind(ethereum(), 2)
    assert (live(), Ask.objects.get().check_at) == (["opensea 7 1"], 0)


def test_what_the_node_does_not_tell_or_gas_does_not_suffice_for_is_not_known(ape: Chain) -> None:
    def silent(method: str, params: list[Any], answer: Any) -> Any:
        is_asked = method == "eth_call" and params[0]["to"] == APES
        return RpcError("played", -32000, "out of gas") if is_asked else answer

    index(FakeNode(ape))
    listed()
    index(FakeNode(ape, {SEAPORT_16: Contracts()}, alter=silent))
    assert live() == ["opensea 7 1"]


def test_the_cheapest_are_checked_first_and_no_more_than_fit_into_a_round(ape: Chain) -> None:
    contracts = Contracts(for_all=1)
    index(contracts.node(ape))
    for number, price in enumerate(("3", "1", "2")):
        listed("0x" + f"{number:064x}", price=price)
    with closing(source_of(contracts.node(ape))) as source:
        as_of = checks.AsOf(ape.head, START + 12 * ape.head)
        assert checks.check(ethereum(), source.ask, as_of, most=2) == 2
        assert Ask.objects.get(check_at=0).price == 3
        assert checks.check(ethereum(), source.ask, as_of, most=2) == 1
        assert checks.check(ethereum(), source.ask, as_of, most=2) == 0


def test_an_ask_that_is_over_is_never_asked_about(ape: Chain) -> None:
    contracts = Contracts()
    assert checked(ape, contracts, validUntil=START + 5) == {}
    assert (contracts.asked, Ask.objects.get().check_at) == ([], FOREVER)


def test_nothing_is_kept_as_of_a_block_that_indexing_has_left_behind(ape: Chain) -> None:
    contracts = Contracts()
    index(contracts.node(ape))
    listed()
    with closing(source_of(contracts.node(ape))) as source:
        assert checks.check(ethereum(), source.ask, checks.AsOf(0, START)) == 0
    assert (live(), Ask.objects.get().check_at) == (["opensea 7 1"], 0)


def test_where_nothing_of_the_chain_is_indexed_contracts_are_asked_as_of_its_head(ape: Chain) -> None:
    listed()
    with closing(source_of(Contracts().node(ape))) as source:
        assert not Checker(ethereum(), source).check()
    assert reasons() == {"1": "no-approval"}
    assert OrderEvent.objects.get().block_number == ape.head


def test_without_a_node_nothing_is_asked_and_nothing_known() -> None:
    listed()
    assert not Checker(ethereum(), None).check()
    assert (live(), Ask.objects.get().approved) == (["opensea 7 1"], None)


def test_an_order_whose_zone_signs_each_sale_wakes_only_when_its_source_shows_it_again(ape: Chain) -> None:
    """Its maker may have called it off meanwhile without a log."""
    contracts = Contracts(for_all=1)
    assert checked(ape, contracts, wakes=False, seenAt=START + 12) == {}
    for flag in (0, 1):
        approval = emitted("ApprovalForAll(address,address,bool)", [BOB, CONDUIT], word(flag), APES)
        contracts.for_all = flag
        ape.mine(tx(approval))
        index(contracts.node(ape))
        assert reasons() == {"1": "no-approval"}
    listed(wakes=False, seenAt=START + 12 * ape.head)
    assert live() == ["opensea 7 1"]


def test_two_approvals_by_one_maker_are_told_apart(ape: Chain) -> None:
    contracts = Contracts(for_one=CONDUIT)
    index(contracts.node(ape))
    listed()
    listed(OTHER, maker=ALICE, price="2")
    index(contracts.node(ape))
    assert reasons() == {"2": "not-owner"}
