"""Seaport: whatever orders are filled together, each unit of money is in one price, and in one leg, once."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, LATER, UNHURRIED
from tests.markets.building import erc20, erc1155, of_transaction, verdict
from tests.markets.currencies import ETHER, WETH
from tests.markets.seaport_events import (
    SEAPORT_15,
    Item,
    erc20_item,
    nft_item,
    numbered,
    order_fulfilled,
    orders_matched,
    paid,
)

SELLERS = ["0x" + digit * 40 for digit in "789"]
BUYERS = ["0x" + digit * 40 for digit in "456"]
BOT, FEES = "0x" + "b7" * 20, "0x" + "fe" * 20


class Deal(NamedTuple):
    """An ask of one or two ids, and who buys it."""

    seller: str
    buyer: str
    tokens: tuple[tuple[int, int], ...]
    """Id and units."""
    price: int
    fee: int
    in_ether: bool


DEALS = st.lists(
    st.builds(
        Deal,
        st.sampled_from(SELLERS),
        st.sampled_from(BUYERS),
        st.lists(
            st.tuples(st.integers(1, 3), st.integers(1, 5)),
            min_size=1,
            max_size=2,
            unique_by=lambda one: one[0],
        ).map(tuple),
        st.integers(1, 1000),
        st.integers(0, 50),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)


def _asked(deal: Deal) -> list[Item]:
    money = [(deal.price, deal.seller), (deal.fee, FEES)]
    if deal.in_ether:
        return [paid(*one) for one in money]
    return [erc20_item(WETH, *one) for one in money]


def _nfts(deal: Deal, receiver: str = "0x" + "0" * 40) -> list[Item]:
    return [nft_item(APES, token, receiver, amount=units, kind=3) for token, units in deal.tokens]


def _moves(deals: list[Deal], buyers: list[str], *, together: bool, index: int = LATER) -> list[RawLog]:
    """The transfers: of the NFTs, and of what is paid in WETH; equal ones added up or not."""
    nfts: Counter[tuple[int, str, str, int]] = Counter()
    money: Counter[tuple[str, str, int]] = Counter()
    for number, (deal, buyer) in enumerate(zip(deals, buyers, strict=True)):
        apart = 0 if together else number
        for token, units in deal.tokens:
            nfts[token, deal.seller, buyer, apart] += units
        if not deal.in_ether:
            money[buyer, deal.seller, apart] += deal.price
            money[buyer, FEES, apart] += deal.fee
    logs = [
        erc1155(APES, token, units, seller, buyer, index=index + at)
        for at, ((token, seller, buyer, _), units) in enumerate(nfts.items())
    ]
    index += len(logs)
    return logs + [
        erc20(WETH, amount, sender, receiver, index=index + at)
        for at, ((sender, receiver, _), amount) in enumerate(money.items())
        if amount
    ]


def _money_of(judgements: tuple[Judgement, ...]) -> Counter[str]:
    """All prices, and the money legs of what has none: legs that several moves share count once."""
    found: Counter[str] = Counter()
    shared = {one.swaps for one in judgements if one.swaps}
    for one in judgements:
        if one.currency is not None:
            found[one.currency] += one.price
    for legs in shared:
        for leg in legs:
            if leg.token_id is None:
                found[leg.contract] += leg.amount
    return found


@UNHURRIED
@given(deals=DEALS, together=st.booleans())
def test_orders_filled_in_one_call_cost_what_they_ask_together(deals: list[Deal], together: bool) -> None:
    deals = [deal._replace(tokens=deal.tokens[:1]) for deal in deals]
    logs = [
        order_fulfilled(
            offerer=deal.seller,
            recipient=ALICE,
            offer=_nfts(deal),
            consideration=_asked(deal),
            index=number,
            order=numbered(number),
        )
        for number, deal in enumerate(deals)
    ]
    moves = _moves(deals, [ALICE] * len(deals), together=together, index=len(deals))
    value = sum(deal.price + deal.fee for deal in deals if deal.in_ether)
    found = verdict(of_transaction([*logs, *moves], target=SEAPORT_15, value=value))
    told: Counter[str] = Counter()
    for deal in deals:
        told[ETHER if deal.in_ether else WETH] += deal.price + deal.fee
    assert found.faults == ()
    assert {one.transfer_type for one in found.judgements} == {"sale"}
    assert _money_of(found.judgements) == told


@UNHURRIED
@given(deals=DEALS, spread=st.integers(0, 20))
def test_orders_that_a_bot_matches_cost_their_buyers_what_they_bid(deals: list[Deal], spread: int) -> None:
    """Pairs of an ask and a bid that share no NFT with another pair, bundles among them."""
    deals = [
        deal._replace(
            tokens=tuple((10 * number + token, units) for token, units in deal.tokens), in_ether=False
        )
        for number, deal in enumerate(deals)
    ]
    logs = []
    for number, deal in enumerate(deals):
        bid = erc20_item(WETH, deal.price + deal.fee + spread)
        sides = ((deal.seller, _nfts(deal), _asked(deal)), (deal.buyer, [bid], _nfts(deal, deal.buyer)))
        logs += [
            order_fulfilled(
                offerer=offerer,
                recipient=BOT,
                offer=offer,
                consideration=consideration,
                index=2 * number + side,
                order=numbered(2 * number + side + 1),
            )
            for side, (offerer, offer, consideration) in enumerate(sides)
        ]
    count = len(logs)
    logs.append(orders_matched([numbered(number + 1) for number in range(count)], index=count))
    logs += _moves(deals, [deal.buyer for deal in deals], together=True, index=count + 1)
    rest = [erc20(WETH, spread, deal.buyer, BOT, index=1000 + at) for at, deal in enumerate(deals) if spread]
    found = verdict(of_transaction([*logs, *rest], sender=BOT, target=SEAPORT_15))
    assert found.faults == ()
    assert len(found.fills) == len(deals)
    assert {one.transfer_type for one in found.judgements} == {"sale"}
    assert _money_of(found.judgements)[WETH] == sum(deal.price + deal.fee + spread for deal in deals)
