"""A fill whose price no log tells: sold, but at no price of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.declaring import Protocol
from indexing.judge.markets.reading import Around, Deployment
from indexing.judge.markets.registry import PROTOCOLS, registry
from indexing.judge.verdicts import Fault, Fill, Item, Leg, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, log
from tests.markets.building import ETHER, PRICELESS, erc721, moves_of, of_transaction

MARKET = "0x" + "3a" * 20


def verdict_of(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> Verdict:
    """What a move of ape 7 from Bob to Alice is, where a market says this of it."""

    def reader(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill]:
        yield fill

    monkeypatch.setitem(PROTOCOLS, "made-up", Protocol("made-up", reader))
    logs = [erc721(APES, 7, BOB, ALICE, index=3), log("Filled()", contract=MARKET, index=4)]
    transaction = of_transaction(logs)
    added = registry(1, [Deployment(MARKET, "made-up", "bazaar")])
    return classify(transaction, moves_of(transaction), added)


def fill(*, unpriced: bool, token_id: int = 7) -> Fill:
    items = (Item(APES, token_id),)
    return Fill("made-up", "bazaar", 4, Side.BID, BOB, ALICE, items, ETHER, 0, unpriced=unpriced)


def test_what_was_sold_for_nobody_knows_how_much_is_a_sale_with_its_leg_no_price_and_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = verdict_of(fill(unpriced=True), monkeypatch)
    (judged,) = found.judgements
    assert (judged.transfer_type, judged.currency, judged.price) == ("sale", None, 0)
    assert judged.swaps == (Leg(APES, 7, BOB, ALICE, 1, "bazaar"),)
    assert (found.markets, found.is_commercial) == (("bazaar",), True)
    assert found.faults == (Fault("made-up", 4, PRICELESS, ETHER, 0),)


def test_what_was_given_for_nothing_is_no_sale(monkeypatch: pytest.MonkeyPatch) -> None:
    found = verdict_of(fill(unpriced=False), monkeypatch)
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_what_was_sold_at_an_unknown_price_and_never_delivered_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = verdict_of(fill(unpriced=True, token_id=8), monkeypatch)
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [fault.log_index for fault in found.faults] == [4]
