"""SuperRare: its first contract, the markets, the auction house and the Bazaar, each by its published events."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO
from tests.markets import superrare_events as rare
from tests.markets.building import Case, ape, erc20, judged, sold
from tests.markets.currencies import ETHER

RARE = "0xba5bde662c17e2adff1075610382b9b691296350"
_sent = partial(Case, to=rare.BAZAAR)
CASES = {
    "the first contract sells its own NFT for the whole amount": Case(
        rare.moved_first(7, BOB, ALICE), rare.first_sold(), to=rare.FIRST, value=1000
    ).was(sold(1000), at="superrare", deal=(Side.ASK, BOB, ALICE)),
    "a bid that the first contract accepts was paid before": Case(
        rare.moved_first(7, BOB, ALICE), rare.first_bid_accepted(), to=rare.FIRST, sender=BOB
    ).was(sold(1000), side=Side.BID),
    **{
        f"a buyer at a market pays the fee on top: {label}": Case(
            ape(BOB, ALICE), rare.market_sold(contract=market), to=market, value=1030
        ).was(sold(1030))
        for label, market in enumerate([rare.MARKET_1, rare.MARKET_2], 1)
    },
    # 3 percent of 2099, rounded down
    "two sales through a router each have the usual fee on top": Case(
        ape(BOB, CAROL),
        rare.market_sold(buyer=CAROL),
        ape(BOB, CAROL, 8),
        rare.market_sold(buyer=CAROL, amount=2099, token_id=8),
        to=CAROL,
        value=3191,
    ).was(sold(1030), sold(2099 + 62)),
    "an accepted bid at a market was paid with the fee when it was made": Case(
        ape(BOB, ALICE), rare.bid_accepted(), to=rare.MARKET_2, sender=BOB
    ).was(sold(1030)),
    "a won auction is sold out of custody by the one who put it up": Case(
        ape(rare.AUCTIONS, ALICE), rare.auction_settled(), to=rare.AUCTIONS, sender=CAROL
    ).was(sold(1030), deal=(Side.AUCTION, BOB, ALICE)),
    "the bazaar sells for ether with the fee on top": _sent(
        ape(BOB, ALICE), rare.bazaar_sold(currency=ETHER), value=1030
    ).was(sold(1030)),
    "the bazaar sells for a token that the buyer sends with the fee": _sent(
        erc20(RARE, 1030, ALICE, rare.BAZAAR),
        erc20(RARE, 180, rare.BAZAAR, CAROL),
        erc20(RARE, 850, rare.BAZAAR, BOB),
        ape(BOB, ALICE),
        rare.bazaar_sold(currency=RARE),
    ).was(sold(1030, RARE)),
    "a token price is what the buyer sent whatever the fee is": _sent(
        erc20(RARE, 1010, ALICE, rare.BAZAAR), ape(BOB, ALICE), rare.bazaar_sold(currency=RARE)
    ).was(sold(1010, RARE)),
    "a token price that nobody sent is not published": _sent(
        erc20(RARE, 999, ALICE, rare.BAZAAR), ape(BOB, ALICE), rare.bazaar_sold(currency=RARE)
    ).was("sale", faults=1),
    "what costs nothing is no sale": Case(ape(BOB, ALICE), rare.bid_accepted(amount=0)).was("transfer"),
    "an address that is none is a fault": Case(rare.auction_settled()._replace(data=b"\1" * 64)).was(
        faults=(1,)
    ),
    **{
        f"what a buyer sends along is amount and fee whatever the fee is: {value}": Case(
            ape(BOB, ALICE), rare.market_sold(), to=rare.MARKET_2, value=value
        ).was(sold(value))
        for value in [1050, 1000]
    },
    "too little value does not tell the price": Case(
        ape(BOB, ALICE), rare.market_sold(), to=rare.MARKET_2, value=999
    ).was("sale", price=1030, faults=1),
    "far too much value does not tell the price": Case(
        ape(BOB, ALICE), rare.market_sold(), to=rare.MARKET_2, value=5000
    ).was(sold(1030), price=1030),
    **{
        f"an auction without a bid returns the NFT: {label}": Case(ape(event.address, BOB), event).was(
            "transfer", fills=0
        )
        for label, event in {
            "of the auctions": rare.auction_settled(bidder=ZERO, amount=0),
            "of the bazaar": rare.bazaar_auction_settled(bidder=ZERO, amount=0),
        }.items()
    },
    "an offer at the bazaar was paid before": _sent(
        ape(BOB, ALICE), rare.bazaar_offer_accepted(currency=RARE), sender=BOB
    ).was(sold(1030, RARE)),
    "an auction at the bazaar was paid before": _sent(
        ape(rare.BAZAAR, ALICE), rare.bazaar_auction_settled()
    ).was(sold(1030)),
}

test_superrare = judged(CASES)
