"""X2Y2: asks, bids, bundles, sweeps, and auctions, by `EvInventory` and `EvProfit` as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets import x2y2_events as x2y2
from tests.markets.building import (
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.currencies import ETHER, WETH

GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
OTHERS = "0x" + "70" * 20
FEE = [(5_000, x2y2.FEES)]
"""Half a per cent, in millionths."""


def _word(event: RawLog, place: int, value: int) -> RawLog:
    """The event with another word in its data."""
    at = 32 * place
    return event._replace(data=event.data[:at] + value.to_bytes(32, "big") + event.data[at + 32 :])


SWEPT = [(7, BOB, 1000), (8, BOB, 1100), (9, CAROL, 1200)]


def _completed(*, got: int, price: int, incentive: int = 0, currency: str = ETHER) -> list[RawLog]:
    """Bob's auction, which Carol completes: Alice gets what she bid for."""
    return [
        erc721(APES, 7, x2y2.DELEGATE, ALICE, index=1),
        x2y2.ev_profit(seller=BOB, amount=got, currency=currency, index=8),
        x2y2.ev_inventory(
            maker=BOB,
            taker=CAROL,
            pairs=[(APES, 7)],
            price=price,
            op=x2y2.AUCTION_COMPLETED,
            fees=FEE,
            incentive=incentive,
            currency=currency,
            index=9,
        ),
    ]


_sent = partial(Case, to=x2y2.X2Y2)
CASES = {
    "an ask in ether is sold for what the buyer pays fees included": _sent(
        ape(BOB, ALICE), x2y2.ev_profit(amount=995), x2y2.ev_inventory(price=1000, fees=FEE), value=1000
    ).was(
        sold(1000),
        at="x2y2",
        deal=(Side.ASK, BOB, ALICE),
        order_hashes=(x2y2.ITEM,),
        payments=(Payment(ETHER, 995, BOB), Payment(ETHER, 5, x2y2.FEES)),
    ),
    "the price is that of the settlement not the least one of the order": _sent(
        ape(BOB, ALICE), x2y2.ev_profit(amount=1200), x2y2.ev_inventory(price=1200, least=1000), value=1200
    ).was(sold(1200)),
    "a bid that is accepted is sold by the taker for what the maker pays in WETH": _sent(
        weth(1000, BOB, x2y2.X2Y2),
        ape(ALICE, BOB),
        weth(5, x2y2.X2Y2, x2y2.FEES),
        weth(995, x2y2.X2Y2, ALICE),
        x2y2.ev_profit(seller=ALICE, amount=995, currency=WETH),
        x2y2.ev_inventory(price=1000, op=x2y2.BID_ACCEPTED, fees=FEE, currency=WETH),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB)),
    "a collection bid names the token that was given in the data under its mask": _sent(
        weth(1000, BOB, x2y2.X2Y2),
        ape(ALICE, BOB, 4321),
        weth(1000, x2y2.X2Y2, ALICE),
        x2y2.ev_inventory(
            pairs=[(APES, 4321)],
            price=1000,
            op=x2y2.BID_ACCEPTED,
            currency=WETH,
            mask=bytes(96) + b"\xff" * 32,
        ),
    ).was(sold(1000, WETH)),
    "units of an ERC-1155 are one item with the whole price": _sent(
        erc1155(APES, 7, 5, BOB, ALICE),
        x2y2.ev_inventory(pairs=[(APES, 7, 5)], price=1000, delegate_type=x2y2.ERC1155),
        value=1000,
    ).was(sold(1000)),
    "units that come in several moves are sold together, and none of them has the price of all": _sent(
        erc1155(APES, 7, 2, BOB, ALICE),
        erc1155(APES, 7, 3, BOB, ALICE),
        x2y2.ev_inventory(pairs=[(APES, 7, 5)], price=1000, delegate_type=x2y2.ERC1155),
        value=1000,
    ).was("sale", "sale"),
    "a bundle has no price for one NFT but every leg": _sent(
        ape(BOB, ALICE),
        erc721(OTHERS, 8, BOB, ALICE),
        x2y2.ev_inventory(pairs=[(APES, 7), (OTHERS, 8)], price=1000, fees=FEE),
        value=1000,
    ).was(
        "sale",
        "sale",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "x2y2"),
            Leg(OTHERS, 8, BOB, ALICE, 1, "x2y2"),
            Leg(ETHER, None, ALICE, BOB, 995, "x2y2"),
            Leg(ETHER, None, ALICE, x2y2.FEES, 5, "x2y2"),
        ),
    ),
    "ether that the exchange unwraps for the buyer counts as brought": _sent(
        weth(400, ALICE, x2y2.X2Y2),
        log("Withdrawal(address,uint256)", [x2y2.X2Y2], f"{400:064x}", contract=WETH),
        ape(BOB, ALICE),
        x2y2.ev_inventory(price=1000),
        value=600,
    ).was(sold(1000)),
    "a cancelled order sells nothing even where its NFT moves": _sent(
        log("EvCancel(bytes32)", [int(x2y2.ITEM, 16)], contract=x2y2.X2Y2),
        x2y2.ev_inventory(taker=BOB, price=1000, op=x2y2.CANCELLED),
        ape(BOB, ALICE),
    ).was("transfer", commercial=False, fills=0),
    "an item that failed in a sweep is no sale": _sent(
        log("EvFailure(uint256,bytes)", data=f"{0:064x}{64:064x}{0:064x}", contract=x2y2.X2Y2), value=1000
    ).was(markets=()),
    "an order filled for nothing is no sale": _sent(
        ape(BOB, ALICE), x2y2.ev_inventory(price=0, fees=FEE)
    ).was("transfer"),
    "each NFT of a sweep through an aggregator has its price on the leg that leaves its seller": Case(
        [
            log
            for token_id, seller, price in SWEPT
            for log in (
                ape(seller, GEM, token_id),
                x2y2.ev_profit(seller=seller, amount=price, item_hash=f"0x{token_id:064x}"),
                x2y2.ev_inventory(
                    maker=seller,
                    taker=GEM,
                    pairs=[(APES, token_id)],
                    price=price,
                    item_hash=f"0x{token_id:064x}",
                ),
                ape(GEM, ALICE, token_id),
            )
        ],
        to=GEM,
        value=4000,
    ).was(*(was for *_, price in SWEPT for was in (sold(price), "transfer")), markets=("x2y2", "gem")),
    "a completed auction is sold out of custody for the price that the profit bears out": _sent(
        _completed(got=995, price=1000), sender=CAROL
    ).was(sold(1000), at="x2y2", deal=(Side.AUCTION, BOB, None)),
    "what the former bidder was given of the winning bid is part of the price": _sent(
        _completed(got=985, price=1000, incentive=10000), sender=CAROL
    ).was(sold(1000)),
    "an auction in WETH is paid by the exchange that held the bid": _sent(
        _completed(got=985, price=1000, incentive=10000, currency=WETH),
        erc20(WETH, 5, x2y2.X2Y2, x2y2.FEES, index=2),
        erc20(WETH, 985, x2y2.X2Y2, BOB, index=3),
        sender=CAROL,
    ).was(sold(1000, WETH)),
    "a price that does not go with what the seller got is not told": _sent(
        _completed(got=1990, price=0), sender=CAROL
    ).was(
        "sale",
        swaps=(Leg(APES, 7, x2y2.DELEGATE, ALICE, 1, "x2y2"), Leg(ETHER, None, ALICE, BOB, 1990, "x2y2")),
        unpriced=True,
        also=lambda found: (
            found.faults[0].reason == "The price does not go with the 1990 that the seller got."
        ),
        faults=[(9, 0)],
    ),
    "an auction that the seller got nothing of is no sale but a fault": _sent(
        _completed(got=0, price=1000), sender=CAROL
    ).was("transfer", faults=[(9, 1000)]),
    "an auction won for nothing is no sale": _sent(_completed(got=0, price=0), sender=CAROL).was("transfer"),
    "the first bid puts the NFT into custody and sells nothing": _sent(
        ape(BOB, x2y2.DELEGATE),
        weth(1000, ALICE, x2y2.X2Y2),
        x2y2.ev_inventory(price=1000, op=x2y2.BID, currency=WETH),
        sender=ALICE,
    ).was("transfer", commercial=False, fills=0),
    **{
        f"an auction that is given up gives back the NFT and the bid and sells nothing: {label}": _sent(
            log(
                "EvAuctionRefund(bytes32,address,address,uint256,uint256)",
                [1],
                "".join(f"{value:064x}" for value in (0, int(ALICE, 16), 1000, 0)),
                contract=x2y2.X2Y2,
            ),
            ape(x2y2.DELEGATE, BOB),
            x2y2.ev_inventory(taker=BOB, price=1000, op=op, fees=FEE),
            sender=BOB,
        ).was("transfer", commercial=False, fills=0)
        for label, op in enumerate([x2y2.REFUNDED, x2y2.REFUNDED_STUCK], 1)
    },
}

test_x2y2 = judged(CASES)

_SALE = x2y2.ev_inventory(price=1)
MALFORMED = {
    "the item beyond the end": _word(_SALE, 9, 2**255),
    "the detail beyond the end": _word(_SALE, 10, 2**255),
    "no address": _word(_SALE, 0, 2**255),
    "no op": x2y2.ev_inventory(price=1, op=0),
    "an op that does not exist": x2y2.ev_inventory(price=1, op=8),
    "a delegate that does not exist": x2y2.ev_inventory(price=1, delegate_type=3),
    "no item": x2y2.ev_inventory(price=1, pairs=[]),
    "no units": x2y2.ev_inventory(price=1, pairs=[(APES, 7, 0)], delegate_type=x2y2.ERC1155),
    "pairs where triples should be": x2y2.ev_inventory(price=1, delegate_type=x2y2.ERC1155),
    "fees above the price": x2y2.ev_inventory(price=1, fees=[(600000, x2y2.FEES), (600000, CAROL)]),
}


@UNHURRIED
@given(
    st.lists(st.tuples(st.integers(0, 2**256 - 1), st.integers(1, 2**128)), min_size=1, max_size=5),
    st.integers(1, 2**128),
    st.lists(st.integers(0, 200_000), max_size=5),
)
def test_what_is_paid_adds_up_to_the_price_and_the_items_are_those_listed(
    items: list[tuple[int, int]], price: int, parts: list[int]
) -> None:
    event = x2y2.ev_inventory(
        maker=BOB,
        taker=ALICE,
        pairs=[(APES, token_id, amount) for token_id, amount in items],
        price=price,
        delegate_type=x2y2.ERC1155,
        fees=[(part, x2y2.FEES) for part in parts],
        index=1,
    )
    fill = verdict(of_transaction([event])).fills[0]
    assert (fill.price, sum(one.amount for one in fill.payments)) == (price, price)
    assert [(item.token_id, item.amount) for item in fill.items] == items
