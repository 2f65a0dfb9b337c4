"""X2Y2's auctions: the NFT is in custody from the first bid on, the money from each bid on."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log
from tests.markets.building import ETHER, WETH, Case, ape, erc20, erc721, judged, sold, weth
from tests.markets.x2y2_events import (
    AUCTION_COMPLETED,
    BID,
    DELEGATE,
    FEES,
    REFUNDED,
    REFUNDED_STUCK,
    X2Y2,
    ev_inventory,
    ev_profit,
)

FEE = [(5_000, FEES)]


def _completed(*, got: int, price: int, incentive: int = 0, currency: str = ETHER) -> list[RawLog]:
    """Bob's auction, which Carol completes: Alice gets what she bid for."""
    return [
        erc721(APES, 7, DELEGATE, ALICE, index=1),
        ev_profit(seller=BOB, amount=got, currency=currency, index=8),
        ev_inventory(
            maker=BOB,
            taker=CAROL,
            pairs=[(APES, 7)],
            price=price,
            op=AUCTION_COMPLETED,
            fees=FEE,
            incentive=incentive,
            currency=currency,
            index=9,
        ),
    ]


_sent = partial(Case, to=X2Y2)
CASES = {
    "a completed auction is sold out of custody for the price that the profit bears out": _sent(
        _completed(got=995, price=1000), sender=CAROL
    ).was(sold(1000), at="x2y2", deal=(Side.AUCTION, BOB, None)),
    "what the former bidder was given of the winning bid is part of the price": _sent(
        _completed(got=985, price=1000, incentive=10000), sender=CAROL
    ).was(sold(1000)),
    "an auction in WETH is paid by the exchange that held the bid": _sent(
        _completed(got=985, price=1000, incentive=10000, currency=WETH),
        erc20(WETH, 5, X2Y2, FEES, index=2),
        erc20(WETH, 985, X2Y2, BOB, index=3),
        sender=CAROL,
    ).was(sold(1000, WETH)),
    "a price that does not go with what the seller got is not told": _sent(
        _completed(got=1990, price=0), sender=CAROL
    ).was(
        "sale",
        swaps=(Leg(APES, 7, DELEGATE, ALICE, 1, "x2y2"), Leg(ETHER, None, ALICE, BOB, 1990, "x2y2")),
        unpriced=True,
        also=lambda found: (
            found.faults[0].reason == "The price does not go with the 1990 that the seller got."
        ),
        faults=[(9, 0)],
    ),
    "an auction that the seller got nothing of is no sale but a fault": _sent(
        _completed(got=0, price=1000), sender=CAROL
    ).was(
        "transfer",
        faults=[(9, 1000)],
    ),
    "an auction won for nothing is no sale": _sent(_completed(got=0, price=0), sender=CAROL).was("transfer"),
    "the first bid puts the NFT into custody and sells nothing": _sent(
        ape(BOB, DELEGATE),
        weth(1000, ALICE, X2Y2),
        ev_inventory(price=1000, op=BID, currency=WETH),
        sender=ALICE,
    ).was("transfer", commercial=False, fills=0),
    **{
        f"an auction that is given up gives back the NFT and the bid and sells nothing: {label}": _sent(
            log(
                "EvAuctionRefund(bytes32,address,address,uint256,uint256)",
                [1],
                "".join(f"{value:064x}" for value in (0, int(ALICE, 16), 1000, 0)),
                contract=X2Y2,
            ),
            ape(DELEGATE, BOB),
            ev_inventory(taker=BOB, price=1000, op=op, fees=FEE),
            sender=BOB,
        ).was("transfer", commercial=False, fills=0)
        for label, op in enumerate([REFUNDED, REFUNDED_STUCK], 1)
    },
}


test_x2y2_auctions = judged(CASES)
