"""Every recorded sale and every hand-checked case, against what the rules make of the transaction."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.decode.moves import Move
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Verdict
from tests.markets.recorded import certain, sales, vectors, verdicts
from tests.shared import DATA

pytestmark = pytest.mark.shared
LOW = "low"
"""Cases of which only so much is certain: that nothing was sold."""


def _legs(sale: dict[str, Any], moves: list[Move], found: Verdict) -> list[int]:
    """The places of the moves that sold what a recorded sale names, seller's legs only."""
    sold = [place for place, one in enumerate(found.judgements) if one.transfer_type == "sale"]
    return [
        next(
            place
            for place in sold
            if moves[place].sender == sale["seller"]
            and (moves[place].contract, moves[place].token_id) == (contract, int(token_id))
        )
        for contract, token_id, _ in sale["items"]
    ]


EXTRA = {
    # A Nouns Builder house of unknown address: the trace shows the winner's 0.099 ETH, no log does, so it has no price.
    "0xc35c52f73c9a2eed45e8529f20bbd77877a1602b8a486216671c58a53ede01ac"
}
"""Transactions with a sale that neither file names, each with the reason."""


def test_no_sale_is_claimed_where_neither_the_files_nor_a_named_reason_have_one() -> None:
    known = {*sales(), *(one["tx"] for one in vectors().values() if one["sales"]), *EXTRA}
    claimed = {
        hash_
        for hash_, (_, found) in verdicts().items()
        if "sale" in {one.transfer_type for one in found.judgements}
    }
    assert claimed - known == set()


def test_each_recorded_sale_has_its_leg_its_market_its_price_and_its_currency() -> None:
    for sale in certain():
        moves, found = verdicts()[sale["tx"]]
        if sale["price"] == "0":  # an order filled for nothing is no sale
            assert "sale" not in {one.transfer_type for one in found.judgements}, sale["tx"]
            continue
        places = _legs(sale, moves, found)
        assert found.is_commercial, sale["tx"]
        assert sale["market"] in found.markets, sale["tx"]
        if len(places) == 1:
            judged = found.judgements[places[0]]
            assert (judged.currency, judged.price) == (sale["currency"], int(sale["price"])), sale["tx"]
        else:
            assert all(found.judgements[place].price == 0 for place in places), sale["tx"]
            assert all(found.judgements[place].swaps for place in places), sale["tx"]


def test_all_of_them_are_there() -> None:
    assert (len(certain()), len(vectors())) == (691, 84)


def _cases(*, certain: bool) -> list[str]:
    return (
        sorted(name for name, one in vectors().items() if (one["confidence"] != LOW) == certain)
        if DATA.is_dir()
        else []
    )


@pytest.mark.parametrize("vector_id", _cases(certain=True))
def test_each_hand_checked_case_is_what_it_is_said_to_be(vector_id: str) -> None:
    vector = vectors()[vector_id]
    moves, found = verdicts()[vector["tx"]]
    types = {one.transfer_type for one in found.judgements}
    assert vector["transferType"] in (types or {"none"})
    if len(moves) == 1:
        assert types == {vector["transferType"]}
    assert ("sale" in types) == (vector["transferType"] == "sale")
    assert (set(found.markets), found.is_commercial) == (set(vector["markets"]), vector["isCommercial"])
    assert len(moves) == vector["transferCount"]


@pytest.mark.parametrize("vector_id", _cases(certain=False))
def test_a_case_that_nobody_is_sure_of_is_no_sale(vector_id: str) -> None:
    _, found = verdicts()[vectors()[vector_id]["tx"]]
    assert "sale" not in {one.transfer_type for one in found.judgements}


@pytest.mark.parametrize("vector_id", ["V110", "V112", "V120", "V121"])
def test_each_hand_checked_swap_deposit_and_loan_is_nothing_else(vector_id: str) -> None:
    vector = vectors()[vector_id]
    moves, found = verdicts()[vector["tx"]]
    assert ({one.transfer_type for one in found.judgements} or {"none"}) == {vector["transferType"]}
    assert (list(found.markets), found.is_commercial) == (vector["markets"], vector["isCommercial"])
    assert (len(moves), found.faults) == (vector["transferCount"], ())


@pytest.mark.parametrize("vector_id", ["V105", "V122"])
def test_a_hand_checked_price_that_no_event_tells_is_found(vector_id: str) -> None:
    vector = vectors()[vector_id]
    (sale,) = vector["sales"]
    _, found = verdicts()[vector["tx"]]
    prices = [(one.currency, one.price) for one in found.judgements]
    assert prices == [(sale["currency"], int(sale["price"]))]
    assert found.faults == ()


@pytest.mark.parametrize("vector_id", _cases(certain=True))
def test_each_hand_checked_sale_of_one_nft_has_its_price_and_its_currency(vector_id: str) -> None:
    moves, found = verdicts()[vectors()[vector_id]["tx"]]
    for sale in vectors()[vector_id]["sales"] or ():
        if len(sale["items"]) != 1:
            continue
        item = sale["items"][0]
        prices = {
            (judged.currency, judged.price)
            for move, judged in zip(moves, found.judgements, strict=True)
            if judged.transfer_type == "sale"
            and str(move.token_id) == item["tokenId"]
            and item["contract"] in (move.contract, *registry(1).adapters)
        }
        assert (sale["currency"], int(sale["price"])) in prices
