"""Seaport: asks and bids, by `OrderFulfilled` as it is published."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import Case, ape, erc20, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import ETHER, ONE_ETHER, USDC, WETH
from tests.markets.seaport_events import (
    ALTERNATE_16,
    OPENSEA_FEES,
    SEAPORT_11,
    SEAPORT_15,
    SEAPORT_16,
    erc20_item,
    nft_item,
    order_fulfilled,
    paid,
)

ROUTER = "0x" + "99" * 20
ADAPTER = "0xa604060890923ff400e8c6f5290461a83aedacec"
STOREFRONT = "0x495f947276749ce646f68ac8c248420045cb7b5e"
POLYGON, WRAPPED_POL = 137, "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"
BASE, WETH_OF_BASE = 8453, "0x4200000000000000000000000000000000000006"
_sent = partial(Case, to=SEAPORT_15)
CASES = {
    # The event stands before the transfer of a basic order, and behind that of any other single one.
    **{
        f"an ask in ether is sold for what the seller and the fees get together: {label_0}: {event}": Case(
            order_fulfilled(
                consideration=[paid(975 * 10**15, BOB), paid(25 * 10**15, OPENSEA_FEES)],
                index=event,
                contract=contract,
            ),
            erc721(APES, 7, BOB, ALICE, index=5),
            to=contract,
            value=ONE_ETHER,
        ).was(sold(ONE_ETHER), at="opensea", seller=BOB, buyer=ALICE, currency=ETHER)
        for event in [1, 9]
        for label_0, contract in enumerate([SEAPORT_11, SEAPORT_15, SEAPORT_16, ALTERNATE_16], 1)
    },
    "an ask in a token is sold for all that the buyer pays of it": _sent(
        order_fulfilled(consideration=[erc20_item(WETH, 95, BOB), erc20_item(WETH, 5, CAROL)]),
        ape(BOB, ALICE),
        weth(95, ALICE, BOB),
        weth(5, ALICE, CAROL),
    ).was(sold(100, WETH)),
    **{
        f"seaport is at the same address on every chain: {label}": Case(
            order_fulfilled(consideration=[erc20_item(currency, 60, BOB)], contract=SEAPORT_16),
            ape(BOB, ALICE),
            erc20(currency, 60, ALICE, BOB),
            to=SEAPORT_16,
            chain=chain_id,
        ).was(sold(60, currency), markets=("opensea",))
        for label, (chain_id, currency) in enumerate([(POLYGON, WRAPPED_POL), (BASE, WETH_OF_BASE)], 1)
    },
    # Who fills an order may add receivers to it: the buyer's side pays them too.
    "a tip is a part of the price": _sent(
        order_fulfilled(consideration=[paid(100, BOB), paid(3, ROUTER)]), ape(BOB, ALICE), value=103
    ).was(sold(103)),
    "what the transaction brings too much is given back and no price": _sent(
        order_fulfilled(consideration=[paid(100, BOB)]), ape(BOB, ALICE), value=150
    ).was(sold(100)),
    # A partial fill: the event's amounts are those of this fill, not of the order.
    "several units of one id are one item with the whole price": _sent(
        order_fulfilled(
            offer=[nft_item(APES, 7, amount=6, kind=3)], consideration=[paid(540, BOB), paid(60, CAROL)]
        ),
        erc1155(APES, 7, 6, BOB, ALICE),
        value=600,
    ).was(sold(600)),
    **{
        f"an item chosen by criteria is the one that the event names: {kind}": _sent(
            order_fulfilled(offer=[nft_item(APES, 7, kind=kind)], consideration=[paid(100, BOB)], index=9),
            erc721(APES, 7, BOB, ALICE, index=5) if kind == 4 else erc1155(APES, 7, 1, BOB, ALICE, index=5),
            value=100,
        ).was(sold(100))
        for kind in [4, 5]
    },
    "a price in two currencies is a sale with its legs and no price": _sent(
        order_fulfilled(consideration=[paid(100, BOB), erc20_item(USDC, 50, BOB)]),
        ape(BOB, ALICE),
        erc20(USDC, 50, ALICE, BOB),
        value=100,
    ).was(
        "sale",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "opensea"),
            Leg(ETHER, None, ALICE, BOB, 100, "opensea"),
            Leg(USDC, None, ALICE, BOB, 50, "opensea"),
        ),
    ),
    # Carol is the recipient that Alice names as she pays.
    "a gift is sold to whom it was sent": _sent(
        order_fulfilled(recipient=CAROL, consideration=[paid(100, BOB)]), ape(BOB, CAROL), value=100
    ).was(sold(100), buyer=CAROL),
    "a relay that buys and forwards has bought once": Case(
        order_fulfilled(recipient=ROUTER, consideration=[paid(100, BOB)]),
        ape(BOB, ROUTER),
        ape(ROUTER, ALICE),
        to=ROUTER,
        value=100,
    ).was(sold(100), "transfer"),
    # Drops by contract orders (1.2 on): the offerer is the NFT's own contract.
    "a contract that mints what its order gives has sold it": Case(
        ape("0x" + "0" * 40, ALICE),
        order_fulfilled(
            offerer=APES,
            offer=[nft_item(APES, 7, kind=4)],
            consideration=[paid(100, BOB)],
            contract=SEAPORT_16,
        ),
        to=SEAPORT_16,
        value=100,
    ).was(sold(100)),
    "one price for several NFTs is not split": _sent(
        order_fulfilled(
            offer=[nft_item(APES, 7), nft_item(APES, 8)], consideration=[paid(90, BOB), paid(10, CAROL)]
        ),
        ape(BOB, ALICE),
        ape(BOB, ALICE, 8),
        value=100,
    ).was(
        "sale",
        "sale",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "opensea"),
            Leg(APES, 8, BOB, ALICE, 1, "opensea"),
            Leg(ETHER, None, ALICE, BOB, 90, "opensea"),
            Leg(ETHER, None, ALICE, CAROL, 10, "opensea"),
        ),
    ),
    "OpenSeas storefront is sold by its adapter": _sent(
        order_fulfilled(offer=[nft_item(ADAPTER, 2**200, kind=3)], consideration=[paid(100, BOB)]),
        erc1155(STOREFRONT, 2**200, 1, BOB, ALICE, operator=ADAPTER),
        value=100,
    ).was(sold(100)),
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

test_seaport_orders = judged(CASES)
