"""Whatever is sold in one transaction: each sale has its leg and price, a bundle all its legs, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.money import money_moves
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, UNHURRIED
from tests.markets.building import erc20, erc721, moves_of, of_transaction, verdict
from tests.markets.currencies import ETHER, WETH
from tests.markets.generated import Made, transactions
from tests.markets.looksrare_events import trade_2
from tests.markets.seaport_events import erc20_item, nft_item, order_fulfilled
from tests.markets.writers import FEES
from tests.markets.x2y2_events import X2Y2, ev_inventory


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


def _seaport(tokens: list[int], net: int, fee: int) -> list[RawLog]:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, token) for token in tokens],
        consideration=[erc20_item(WETH, net, BOB), erc20_item(WETH, fee, FEES)],
        index=1,
    )
    return [event, erc20(WETH, net, ALICE, BOB, index=2), erc20(WETH, fee, ALICE, FEES, index=3)]


def _looksrare_2(tokens: list[int], net: int, fee: int) -> list[RawLog]:
    event = trade_2(
        "TakerBid",
        ALICE,
        ALICE,
        proceeds=(BOB, net),
        fee=fee,
        token_ids=tokens,
        amounts=[1] * len(tokens),
        currency=WETH,
        index=50,
    )
    return [erc20(WETH, net, ALICE, BOB, index=2), event, erc20(WETH, fee, ALICE, FEES, index=51)]


def _x2y2(tokens: list[int], net: int, fee: int) -> list[RawLog]:
    pairs = [(APES, token) for token in tokens]
    event = ev_inventory(maker=BOB, taker=ALICE, pairs=pairs, price=net + fee, currency=WETH, index=50)
    paid = erc20(WETH, net + fee, ALICE, X2Y2, index=2)
    return [paid, event, erc20(WETH, net + fee, X2Y2, BOB, index=49)]


@UNHURRIED
@given(
    st.sampled_from([_seaport, _looksrare_2, _x2y2]),
    st.lists(st.integers(0, 2**256 - 1), min_size=2, max_size=6, unique=True),
    st.integers(1, 10**24),
    st.integers(1, 10**24),
)
def test_the_legs_of_a_bundle_are_what_moved_and_its_money_is_the_price(
    market: Callable[[list[int], int, int], list[RawLog]], tokens: list[int], net: int, fee: int
) -> None:
    moves = [erc721(APES, token, BOB, ALICE, index=10 + at) for at, token in enumerate(tokens)]
    found = verdict(of_transaction([*market(tokens, net, fee), *moves]))
    assert found.faults == ()
    assert {(one.transfer_type, one.currency) for one in found.judgements} == {("sale", None)}
    (legs,) = {one.swaps for one in found.judgements}
    nfts = [(leg.token_id, leg.sender, leg.receiver) for leg in legs if leg.token_id is not None]
    assert Counter(nfts) == Counter((token, BOB, ALICE) for token in tokens)
    money = [leg for leg in legs if leg.token_id is None]
    assert {(leg.contract, leg.sender) for leg in money} == {(WETH, ALICE)}
    assert sum(leg.amount for leg in money) == net + fee
