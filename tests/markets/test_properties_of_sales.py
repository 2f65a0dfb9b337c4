"""Whatever is sold in one transaction, where and how often: each sale has its leg and its price, and nothing else."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from indexing.judge.money import money_moves
from tests.ingestion.encoding import UNHURRIED
from tests.markets.building import ETHER, moves_of, verdict
from tests.markets.generated import Made, transactions


@UNHURRIED
@given(transactions())
def test_every_sale_has_its_leg_its_price_and_its_currency_and_nothing_else_is_sold(made: Made) -> None:
    found, moves = verdict(made.transaction), moves_of(made.transaction)
    told = [
        (move.log_index, one.price, one.currency)
        for move, one in zip(moves, found.judgements, strict=True)
        if one.transfer_type == "sale"
    ]
    assert told == [(one.log_index, one.price, one.currency) for one in made.sales]
    assert len(found.faults) == made.malformed
    assert found.markets == tuple(dict.fromkeys(one.market for one in made.sales))


@UNHURRIED
@given(transactions())
def test_no_wei_is_in_two_prices(made: Made) -> None:
    found = verdict(made.transaction)
    prices: Counter[str] = Counter()
    for one in found.judgements:
        if one.currency is not None:
            prices[one.currency] += one.price
    sent: Counter[str] = Counter({ETHER: made.transaction.value})
    moved = {move.log_index for move in moves_of(made.transaction)}
    for payment in money_moves(made.transaction.logs, moved):
        sent[payment.currency] += payment.amount
    assert prices <= sent
