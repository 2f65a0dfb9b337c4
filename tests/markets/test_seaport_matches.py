"""Seaport: orders matched with each other, by `OrderFulfilled` and `OrdersMatched` as they are published.

Of two, Bob makes the order that stands in the book, and Alice calls the market with one that only mirrors it.
"""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import Case, ape, erc1155, judged, sold, weth
from tests.markets.currencies import WETH
from tests.markets.seaport_events import (
    OPENSEA_FEES,
    SEAPORT_11,
    SEAPORT_14,
    SEAPORT_15,
    SEAPORT_16,
    erc20_item,
    matched,
    nft_item,
    numbered,
    order_fulfilled,
    paid,
)

BOT, DORA = "0x" + "b7" * 20, "0x" + "d0" * 20
APE, NEXT = nft_item(APES, 7), nft_item(APES, 8)
UNIT = nft_item(APES, 7, kind=3)
_sent = partial(Case, to=SEAPORT_15)
CASES = {
    # What the mirror offers too much comes back to who made it.
    **{
        f"an ask filled by its buyers mirror is one ask: {label}, {offered}": Case(
            matched(
                (BOB, [APE], [paid(975, BOB), paid(25, OPENSEA_FEES)]),
                (ALICE, [paid(offered)], [nft_item(APES, 7, ALICE)]),
                contract=contract,
            ),
            ape(BOB, ALICE),
            to=contract,
            value=offered,
        ).was(
            sold(1000),
            deal=(Side.ASK, BOB, ALICE),
            log_index=1,
            fills=1,
            also=lambda found: set(found.fills[0].order_hashes) == {numbered(1), numbered(2)},
        )
        for label, contract in enumerate([SEAPORT_11, SEAPORT_14, SEAPORT_15, SEAPORT_16], 1)
        for offered in [1000, 1200]
    },
    **{
        f"a bid filled by its sellers mirror is one bid: {label}": Case(
            matched(
                (
                    BOB,
                    [erc20_item(WETH, 1000)],
                    [nft_item(APES, 7, BOB, kind=4), erc20_item(WETH, 25, OPENSEA_FEES)],
                ),
                (ALICE, [APE], [erc20_item(WETH, 975, ALICE)]),
                contract=contract,
            ),
            ape(ALICE, BOB),
            weth(975, BOB, ALICE),
            weth(25, BOB, OPENSEA_FEES),
            to=contract,
        ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB), log_index=1, fills=1)
        for label, contract in enumerate([SEAPORT_11, SEAPORT_14, SEAPORT_15, SEAPORT_16], 1)
    },
    "a seller whose mirror asks for nothing gets what is left of the bid": _sent(
        matched(
            (BOB, [erc20_item(WETH, 1000)], [nft_item(APES, 7, BOB), erc20_item(WETH, 25, OPENSEA_FEES)]),
            (ALICE, [APE], []),
        ),
        ape(ALICE, BOB),
        weth(25, BOB, OPENSEA_FEES),
        weth(975, BOB, ALICE),
    ).was(sold(1000, WETH)),
    # Bob asks 1000, Carol bids 1200: from 1.2 on the rest goes to who matched them.
    "what a bot keeps between two orders is paid by the buyer": _sent(
        matched(
            (BOB, [APE], [erc20_item(WETH, 975, BOB), erc20_item(WETH, 25, OPENSEA_FEES)]),
            (CAROL, [erc20_item(WETH, 1200)], [nft_item(APES, 7, CAROL)]),
            recipient=BOT,
        ),
        ape(BOB, CAROL),
        weth(975, CAROL, BOB),
        weth(25, CAROL, OPENSEA_FEES),
        weth(200, CAROL, BOT),
        sender=BOT,
    ).was(sold(1200, WETH), seller=BOB, buyer=CAROL),
    # There the rest of an offer stays with who made it: the logs show 1000 of the 1200.
    "what 1 1 leaves of a bid is not paid": Case(
        matched(
            (BOB, [APE], [erc20_item(WETH, 1000, BOB)]),
            (CAROL, [erc20_item(WETH, 1200)], [nft_item(APES, 7, CAROL)]),
            contract=SEAPORT_11,
        ),
        ape(BOB, CAROL),
        weth(1000, CAROL, BOB),
        to=SEAPORT_11,
        sender=BOT,
    ).was(sold(1000, WETH)),
    # The ask wants its own NFT for the buyer; the buyer's order only brings the money.
    "a private listing is a sale to whom it names": _sent(
        matched(
            (BOB, [APE], [paid(975, BOB), paid(25, OPENSEA_FEES), nft_item(APES, 7, ALICE)]),
            (ALICE, [paid(1000)], []),
        ),
        ape(BOB, ALICE),
        value=1000,
    ).was(sold(1000), seller=BOB, buyer=ALICE, returned=()),
    "an NFT that nobodys order asks for goes to who matched": _sent(
        matched((BOB, [APE], [paid(100, BOB)]), (ALICE, [paid(100)], [])), ape(BOB, ALICE), value=100
    ).was(sold(100)),
    # One order twice in a transaction: alone, and matched with a mirror.
    "an order that was filled in part before is not taken for the match": Case(
        order_fulfilled(recipient=CAROL, offer=[UNIT], consideration=[paid(100, BOB)], order=numbered(1)),
        ape(BOB, CAROL),
        matched((BOB, [UNIT], [paid(100, BOB)]), (ALICE, [paid(100)], [nft_item(APES, 7, ALICE, kind=3)])),
        ape(BOB, ALICE),
        to=BOT,
        value=200,
    ).was(sold(100), sold(100), also=lambda found: [fill.buyer for fill in found.fills] == [CAROL, ALICE]),
    "an order beside a match is a sale of its own": Case(
        order_fulfilled(offer=[NEXT], consideration=[paid(5, BOB)], order="0x" + "77" * 32),
        ape(BOB, ALICE, 8),
        matched((BOB, [APE], [paid(9, BOB)]), (ALICE, [paid(9)], [nft_item(APES, 7, ALICE)])),
        ape(BOB, ALICE),
        to=BOT,
        value=14,
    ).was(sold(5), sold(9)),
    # More than two orders in one match.
    **{
        f"pairs in one match each have their price: {label}": Case(
            matched(
                (BOB, [APE], [erc20_item(WETH, 100, BOB)]),
                (ALICE, [erc20_item(WETH, 100)], [nft_item(APES, 7, ALICE)]),
                (CAROL, [NEXT], [erc20_item(WETH, 200, CAROL)]),
                (DORA, [erc20_item(WETH, 200)], [nft_item(APES, 8, DORA)]),
                recipient=BOT,
                contract=contract,
            ),
            ape(BOB, ALICE),
            ape(CAROL, DORA, 8),
            weth(100, ALICE, BOB),
            weth(200, DORA, CAROL),
            to=contract,
            sender=BOT,
        ).was(
            sold(100, WETH),
            sold(200, WETH),
            also=lambda found: (
                [(fill.seller, fill.buyer) for fill in found.fills] == [(BOB, ALICE), (CAROL, DORA)]
            ),
        )
        for label, contract in enumerate([SEAPORT_11, SEAPORT_15], 1)
    },
    # Which seller's unit went to which buyer, only the transfers tell.
    "units of one id from two sellers to two buyers each have their price": _sent(
        matched(
            (BOB, [UNIT], [erc20_item(WETH, 100, BOB)]),
            (CAROL, [UNIT], [erc20_item(WETH, 200, CAROL)]),
            (ALICE, [erc20_item(WETH, 200)], [nft_item(APES, 7, ALICE, kind=3)]),
            (DORA, [erc20_item(WETH, 100)], [nft_item(APES, 7, DORA, kind=3)]),
            recipient=BOT,
        ),
        erc1155(APES, 7, 1, BOB, DORA),
        erc1155(APES, 7, 1, CAROL, ALICE),
        weth(100, DORA, BOB),
        weth(200, ALICE, CAROL),
        sender=BOT,
    ).was(sold(100, WETH), sold(200, WETH)),
    "a buyers mirror that fills several asks pays each what it asks": _sent(
        matched(
            (BOB, [APE], [paid(100, BOB)]),
            (CAROL, [NEXT], [paid(200, CAROL)]),
            (ALICE, [paid(350)], [nft_item(APES, 7, ALICE), nft_item(APES, 8, ALICE)]),
        ),
        ape(BOB, ALICE),
        ape(CAROL, ALICE, 8),
        value=350,
    ).was(sold(100), sold(200), order_hashes=(numbered(1), numbered(3))),
    "a buyers mirror may add the units of several asks up": _sent(
        matched(
            (BOB, [nft_item(APES, 7, kind=3, amount=2)], [paid(100, BOB)]),
            (CAROL, [nft_item(APES, 7, kind=3, amount=3)], [paid(200, CAROL)]),
            (ALICE, [paid(300)], [nft_item(APES, 7, ALICE, kind=3, amount=5)]),
        ),
        erc1155(APES, 7, 2, BOB, ALICE),
        erc1155(APES, 7, 3, CAROL, ALICE),
        value=300,
    ).was(sold(100), sold(200)),
    # Its bidder did not call, and pays 300 where the sellers ask 250 in all: no price can be told for each.
    "one bid for two NFTs filled by two sellers is a bundle": _sent(
        matched(
            (BOB, [APE], [erc20_item(WETH, 100, BOB)]),
            (CAROL, [NEXT], [erc20_item(WETH, 150, CAROL)]),
            (ALICE, [erc20_item(WETH, 300)], [nft_item(APES, 7, ALICE), nft_item(APES, 8, ALICE)]),
            recipient=BOT,
        ),
        ape(BOB, ALICE),
        ape(CAROL, ALICE, 8),
        weth(100, ALICE, BOB),
        weth(150, ALICE, CAROL),
        weth(50, ALICE, BOT),
        sender=BOT,
    ).was(
        "sale",
        "sale",
        also=lambda found: (
            sum(leg.amount for leg in found.judgements[0].swaps if leg.contract == WETH) == 300
        ),
    ),
    "a sellers mirror that fills several bids sells each for its own price": _sent(
        matched(
            (BOB, [erc20_item(WETH, 100)], [nft_item(APES, 7, BOB), erc20_item(WETH, 3, DORA)]),
            (CAROL, [erc20_item(WETH, 200)], [nft_item(APES, 8, CAROL), erc20_item(WETH, 6, DORA)]),
            (ALICE, [APE, NEXT], [erc20_item(WETH, 291, ALICE)]),
        ),
        ape(ALICE, BOB),
        ape(ALICE, CAROL, 8),
        weth(97, BOB, ALICE),
        weth(194, CAROL, ALICE),
        weth(3, BOB, DORA),
        weth(6, CAROL, DORA),
    ).was(
        sold(100, WETH), sold(200, WETH), also=lambda found: {fill.seller for fill in found.fills} == {ALICE}
    ),
    "another may bring the money for a buyer who offers none": _sent(
        matched(
            (BOB, [APE], [paid(100, BOB)]), (CAROL, [], [nft_item(APES, 7, CAROL)]), (ALICE, [paid(100)], [])
        ),
        ape(BOB, CAROL),
        value=100,
    ).was(sold(100), buyer=CAROL),
    # Two calls in one transaction: no event of 1.1 parts them.
    "one NFT matched twice in 1 1 is sold twice": Case(
        matched(
            (BOB, [APE], [erc20_item(WETH, 100, BOB)]),
            (BOT, [erc20_item(WETH, 100)], [nft_item(APES, 7, BOT)]),
            (BOT, [APE], [erc20_item(WETH, 130, BOT)]),
            (CAROL, [erc20_item(WETH, 130)], [nft_item(APES, 7, CAROL)]),
            contract=SEAPORT_11,
        ),
        ape(BOB, BOT),
        weth(100, BOT, BOB),
        ape(BOT, CAROL),
        weth(130, CAROL, BOT),
        to=BOT,
    ).was(sold(100, WETH), sold(130, WETH)),
    # Each is told by its own event: no two fills share one.
    "two mirrors of one caller fill an ask of two units as two sales": _sent(
        matched(
            (BOB, [nft_item(APES, 7, kind=3, amount=2)], [paid(200, BOB)]),
            (ALICE, [paid(100)], [nft_item(APES, 7, ALICE, kind=3)]),
            (ALICE, [paid(100)], [nft_item(APES, 7, ALICE, kind=3)]),
        ),
        erc1155(APES, 7, 2, BOB, ALICE),
        value=200,
    ).was(sold(200), also=lambda found: [fill.log_index for fill in found.fills] == [2, 3]),
}

test_seaport_matches = judged(CASES)
