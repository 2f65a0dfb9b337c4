"""Seaport: bids, by `OrderFulfilled` as it is published."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import (
    ETHER,
    USDC,
    WETH,
    Case,
    ape,
    erc20,
    erc1155,
    judged,
    sold,
    weth,
)
from tests.markets.seaport_events import OPENSEA_FEES, SEAPORT_15, erc20_item, nft_item, order_fulfilled, paid

ROUTER = "0x" + "99" * 20


_sent = partial(Case, to=SEAPORT_15)
CASES = {
    # The bidder pays the fees to their receivers and the seller the rest.
    "a basic bid is sold for all that the bidder offers": _sent(
        order_fulfilled(
            offer=[erc20_item(WETH, 1000)],
            consideration=[nft_item(APES, 7, BOB), erc20_item(WETH, 25, OPENSEA_FEES)],
        ),
        ape(ALICE, BOB),
        weth(25, BOB, OPENSEA_FEES),
        weth(975, BOB, ALICE),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB), markets=("opensea",), fills=1),
    # Type 4 is a bid for any token of a collection: the event names the one that was given.
    **{
        f"a bid filled otherwise pays the seller all and the seller the fees: {kind}": _sent(
            weth(1000, BOB, ALICE),
            ape(ALICE, BOB),
            weth(25, ALICE, OPENSEA_FEES),
            order_fulfilled(
                offer=[erc20_item(WETH, 1000)],
                consideration=[nft_item(APES, 7, BOB, kind=kind), erc20_item(WETH, 25, OPENSEA_FEES)],
            ),
        ).was(sold(1000, WETH))
        for kind in [2, 4]
    },
    "a bid for units of one id is one item": _sent(
        erc20(USDC, 30, BOB, ALICE),
        erc1155(APES, 7, 3, ALICE, BOB),
        order_fulfilled(
            offer=[erc20_item(USDC, 30)], consideration=[nft_item(APES, 7, BOB, kind=5, amount=3)]
        ),
    ).was(sold(30, USDC)),
    "a fee in another currency leaves a bid without one price": _sent(
        weth(1000, BOB, ALICE),
        ape(ALICE, BOB),
        order_fulfilled(
            offer=[erc20_item(WETH, 1000)], consideration=[nft_item(APES, 7, BOB), paid(25, OPENSEA_FEES)]
        ),
        value=25,
    ).was(
        "sale",
        also=lambda found: (
            {(leg.contract, leg.amount) for leg in found.judgements[0].swaps}
            == {(APES, 1), (WETH, 1000), (ETHER, 25)}
        ),
    ),
    "a bid may want the NFT for somebody else": _sent(
        weth(100, BOB, ALICE),
        ape(ALICE, CAROL),
        order_fulfilled(offer=[erc20_item(WETH, 100)], consideration=[nft_item(APES, 7, CAROL)]),
    ).was(sold(100, WETH)),
    # The recipient gets the bidder's money; the router only carries the NFT.
    "a bid filled through a router is sold by whom it pays": Case(
        ape(ALICE, ROUTER),
        weth(100, BOB, ALICE),
        ape(ROUTER, BOB),
        order_fulfilled(offer=[erc20_item(WETH, 100)], consideration=[nft_item(APES, 7, BOB)]),
        to=ROUTER,
    ).was(sold(100, WETH), "transfer"),
    "one bid for several NFTs is a bundle": _sent(
        weth(100, BOB, ALICE),
        ape(ALICE, BOB),
        ape(ALICE, BOB, 8),
        order_fulfilled(
            offer=[erc20_item(WETH, 100)], consideration=[nft_item(APES, 7, BOB), nft_item(APES, 8, BOB)]
        ),
    ).was("sale", "sale", also=lambda found: {len(one.swaps) for one in found.judgements} == {3}),
}


test_seaport_bids = judged(CASES)
