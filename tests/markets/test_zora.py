"""Zora 1 to 3, by events as they are published."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, BOB, CAROL
from tests.markets import zora_events as zora
from tests.markets.building import ETHEREUM, Case, ape, erc20, erc721, judged, sold, weth
from tests.markets.currencies import ETHER, USDC, WETH


def _of_own_nft(bid: RawLog) -> list[RawLog]:
    """The auction house sells one of Zora's own NFTs: the creator has a tenth of the bid, the owner the rest."""
    return [
        erc20(WETH, 100, zora.AUCTION_HOUSE, zora.MARKET, index=1),
        erc20(WETH, 90, zora.MARKET, zora.AUCTION_HOUSE, index=2),
        erc20(WETH, 10, zora.MARKET, CAROL, index=3),
        erc721(zora.MEDIA, 7, zora.AUCTION_HOUSE, ALICE, index=4),
        bid,
        zora.auction_ended(amount=86, fee=4, currency=WETH, index=6, nft=zora.MEDIA),
    ]


POLYGON, ASKS_ON_POLYGON = 137, "0x3634e984ba0373cfa178986fd19f03ba4dd8e469"
_OWN_BID = zora.bid_finalized(7, 100, WETH, bidder=zora.AUCTION_HOUSE, index=5)
_sent = partial(Case, to=zora.AUCTION_HOUSE)
CASES = {
    "a finalized bid sells what the recipient gets for all that was bid": Case(
        weth(90, zora.MARKET, BOB),
        weth(10, zora.MARKET, CAROL),
        erc721(zora.MEDIA, 7, BOB, ALICE),
        zora.bid_finalized(7, 100, WETH),
        to=zora.MEDIA,
        sender=BOB,
    ).was(sold(100, WETH), at="zora", deal=(Side.BID, BOB, ALICE)),
    "an auction is sold out of custody for what owner and curator get": _sent(
        ape(zora.AUCTION_HOUSE, ALICE), zora.auction_ended(amount=95, fee=5, currency=WETH), sender=CAROL
    ).was(sold(100, WETH), deal=(Side.AUCTION, BOB, ALICE)),
    "an auction of zoras own NFT is one sale at the bid with the creators share": _sent(
        _of_own_nft(_OWN_BID)
    ).was(sold(100, WETH), also=lambda found: [one.side for one in found.fills] == [Side.AUCTION]),
    "a bid for somebody else is not the price of the auction": Case(
        _of_own_nft(zora.bid_finalized(8, 100, WETH, bidder=zora.AUCTION_HOUSE, index=5))
    ).was(sold(90, WETH)),
    "a canceled auction gives the NFT back": _sent(ape(zora.AUCTION_HOUSE, BOB)).was(
        "transfer", commercial=False
    ),
    **{
        f"an offer was paid when it was made: {label}": Case(
            ape(BOB, ALICE), zora.offer_filled(currency=currency), to=zora.OFFERS, sender=BOB
        ).was(sold(100, currency), deal=(Side.BID, BOB, ALICE))
        for label, currency in zip(["ether", "USDC"], [ETHER, USDC], strict=True)
    },
    "an ask for nothing is no sale": Case(ape(BOB, ALICE), zora.ask_filled(price=0)).was("transfer"),
    "a finalized bid that moves nothing is a fault": Case(zora.bid_finalized(7, 100, WETH)).was(
        fills=0, faults=[(1, 100)]
    ),
    "a bid that cannot be read is a fault and the auction is read without it": Case(
        _of_own_nft(_OWN_BID._replace(data=_OWN_BID.data[:90]))
    ).was(sold(90, WETH), faults=[5]),
    **{
        f"an ask is sold for the value of the call: {label}": Case(
            ape(BOB, ALICE), event, to=event.address, value=100
        )
        .was(sold(100), deal=(Side.ASK, BOB, ALICE), market="zora")
        .but(value=99)
        .was("sale", faults=1)
        for label, event in {
            "1.1": zora.ask_filled(),
            "in ether": zora.ask_in_ether_filled(),
            "private": zora.private_ask_filled(),
        }.items()
    },
    "an ask in a token is paid by the buyer through the module": Case(
        erc20(USDC, 100, ALICE, zora.ASKS),
        erc20(USDC, 90, zora.ASKS, BOB),
        erc20(USDC, 10, zora.ASKS, CAROL),
        ape(BOB, ALICE),
        zora.ask_filled(currency=USDC),
        to=zora.ASKS,
    ).was(sold(100, USDC)),
    "an ask in a token that nobody paid is a fault": Case(
        ape(BOB, ALICE), zora.ask_filled(currency=USDC), to=zora.ASKS
    ).was("sale", faults=1),
    **{
        f"a reserve auction is sold for the highest bid in its currency: {kind}": Case(
            ape(event.contract, ALICE), event(), to=event.contract, sender=CAROL
        ).was(sold(100), deal=(Side.AUCTION, BOB, ALICE))
        for kind, event in zora.RESERVE.items()
    },
    **{
        f"a reserve auction is sold for the highest bid in dollars: {kind}": Case(
            ape(event.contract, ALICE), event(currency=USDC), to=event.contract, sender=CAROL
        ).was(sold(100, USDC), deal=(Side.AUCTION, BOB, ALICE))
        for kind, event in zora.RESERVE.items()
        if kind.endswith("ERC-20")
    },
    "a module on another chain is known there alone": Case(
        ape(BOB, ALICE),
        zora.ask_filled(contract=ASKS_ON_POLYGON),
        to=ASKS_ON_POLYGON,
        value=100,
        chain=POLYGON,
    )
    .was(sold(100))
    .but(chain=ETHEREUM)
    .was("transfer", fills=0),
}

test_zora = judged(CASES)
