"""What a market held since before a transaction: no payment by the buyer can show in it."""

from __future__ import annotations

import pytest

from indexing.judge.checks import check
from indexing.judge.markets.reading import Around
from indexing.judge.markets.registry import registry
from indexing.judge.matching import match
from indexing.judge.money import money_moves
from indexing.judge.trace import ESCROWED
from indexing.judge.verdicts import Fill, Item, Payment, Side
from tests.ingestion.encoding import APES, BOB, CAROL
from tests.markets.building import ETHEREUM, WETH, ape, moves_of, of_transaction, weth

MARKET = "0x" + "3a" * 20


@pytest.mark.parametrize(("seller_gets", "is_sound"), [(900, True), (899, False)])
def test_an_escrowed_price_needs_no_payer_but_each_receiver_that_the_event_names(
    seller_gets: int, is_sound: bool
) -> None:
    fill = Fill(
        protocol="any",
        market="any",
        log_index=3,
        side=Side.AUCTION,
        seller=BOB,
        buyer=CAROL,
        items=(Item(APES, 7),),
        currency=WETH,
        price=1000,
        payments=(Payment(WETH, 900, BOB),),
        escrowed=True,
    )
    logs = [ape(MARKET, CAROL), weth(seller_gets, MARKET, BOB)]
    transaction = of_transaction(logs)
    moves, money = moves_of(transaction), money_moves(transaction.logs, {1})
    around = Around(transaction, moves, money, registry(ETHEREUM))
    (found,) = matches = match([fill], moves, around.registry)
    check(matches, around)
    assert (found.fault is None) is is_sound
    assert ESCROWED in found.checks
