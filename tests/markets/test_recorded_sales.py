"""Every recorded sale and every hand-checked case, against what the rules make of the transaction."""

from __future__ import annotations

from typing import Any

import pytest

from tests.markets.recorded import IS_HERE, WHY_NOT, sales, vectors, verdicts
from transfers.ingest.moves import Move
from transfers.ingest.sales import Verdict

pytestmark = pytest.mark.skipif(not IS_HERE, reason=WHY_NOT)

READ = (
    *("seaport", "cryptopunks", "wyvern", "looksrare", "x2y2", "blur"),
    *("foundation", "superrare", "zora", "nouns-auction", "cryptokitties-auction", "manifold"),
)
"""Protocols that are read, by the beginning of their names in the recorded sales."""


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


def certain() -> list[dict[str, Any]]:
    """The recorded sales of protocols that are read, whose money and items are in their transactions."""
    return [
        sale
        for some in sales().values()
        for sale in some
        if sale["moneyReconciled"] and sale["itemsMatchTransferLogs"] and sale["protocol"].startswith(READ)
    ]


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


def _read_cases() -> list[str]:
    """The cases whose sales are all of protocols that are read."""
    found = []
    for vector_id, vector in vectors().items() if IS_HERE else ():
        protocols = {sale["protocol"] for sale in vector["sales"] or ()}
        if protocols and all(protocol.startswith(READ) for protocol in protocols):
            found.append(vector_id)
    return sorted(found)


@pytest.mark.parametrize("vector_id", _read_cases())
def test_each_hand_checked_case_is_what_it_is_said_to_be(vector_id: str) -> None:
    vector = vectors()[vector_id]
    moves, found = verdicts()[vector["tx"]]
    types = {one.transfer_type for one in found.judgements}
    assert vector["transferType"] in types
    assert ("sale" in types) == (vector["transferType"] == "sale")
    assert (set(found.markets), found.is_commercial) == (set(vector["markets"]), vector["isCommercial"])
    assert len(moves) == vector["transferCount"]
