"""Manifold's marketplace, whose events name a listing, and neither the NFT nor the currency."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import PRICELESS, Case, ape, erc20, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import USDC
from tests.markets.manifold_events import MANIFOLD, bid, canceled, finalized, offer_accepted, purchase
from tests.markets.order_logs import listing_created, listing_details


def _made(*bids: RawLog, currency: str = ZERO, kind: int = 1, lazy: int = 0) -> list[RawLog]:
    """Bob puts his ape up (an auction unless said otherwise), and these are bid."""
    details = listing_details(lazy=lazy)
    custody = [] if lazy else [ape(BOB, MANIFOLD)]
    return [*custody, listing_created(kind=kind, currency=currency), details, *bids]


_sent = partial(Case, to=MANIFOLD)
CASES = {
    "a purchase sells what left custody before it for ether": _sent(
        ape(MANIFOLD, ALICE), purchase(ALICE, 100), value=100
    ).was(sold(100), at="manifold", deal=(Side.ASK, None, ALICE)),
    "several units of one id are one item with the whole price": _sent(
        erc1155(APES, 7, 3, MANIFOLD, ALICE), purchase(ALICE, 300, count=3), value=300
    ).was(sold(300)),
    "a lazy listing is minted to its buyer": _sent(ape(ZERO, ALICE), purchase(ALICE, 100), value=100).was(
        sold(100)
    ),
    "moves of other contracts before a delivery are not part of it": _sent(
        erc721(CAROL, 1, ZERO, ALICE), ape(MANIFOLD, ALICE), purchase(ALICE, 100), value=100
    ).was("mint", sold(100)),
    "a purchase is in the token of which the buyer sent just the amount": _sent(
        ape(MANIFOLD, ALICE), erc20(USDC, 10, ALICE, CAROL), erc20(USDC, 90, ALICE, BOB), purchase(ALICE, 100)
    ).was(sold(100, USDC)),
    "a price above what the transaction brought is not published": _sent(
        ape(MANIFOLD, ALICE), purchase(ALICE, 100), value=99
    ).was("sale", faults=1),
    "an accepted offer is sold to whoever gets the NFT whom the first build does not name": _sent(
        ape(MANIFOLD, ALICE), offer_accepted(BOB, 100), sender=BOB
    ).was(sold(100), side=Side.BID, buyer=ALICE, escrowed=True),
    "an accepted offer is in the token that the marketplace pays out": Case(
        ape(MANIFOLD, ALICE), erc20(USDC, 90, MANIFOLD, BOB), offer_accepted(ALICE, 100), sender=BOB
    ).was(sold(100, USDC)),
    "an ended auction may have had no bid so that a move alone is no sale": Case(
        ape(MANIFOLD, BOB), finalized()
    ).was("transfer", commercial=False, faults=[("manifold", 2)]),
    "an ended auction whose NFT is minted was won at a price that no log tells": Case(
        ape(ZERO, ALICE), finalized()
    ).was("sale", side=Side.AUCTION, faults=[(2, PRICELESS)]),
    "an ended auction that the marketplace pays out for was won": Case(
        ape(MANIFOLD, ALICE), erc20(USDC, 90, MANIFOLD, BOB), finalized()
    ).was("sale", faults=(3,)),
    "an auction that somebody won is sold for the last bid to its bidder": Case(
        ape(MANIFOLD, ALICE), finalized(), earlier=_made(bid(CAROL, 50), bid(ALICE, 60), bid(ALICE, 75))
    ).was(sold(75), deal=(Side.AUCTION, BOB, ALICE), at="manifold", escrowed=True),
    "an auction is in the currency of its listing though its proceeds were collected before": Case(
        ape(MANIFOLD, ALICE), finalized(), earlier=_made(bid(ALICE, 75), currency=USDC)
    ).was(sold(75, USDC)),
    "an auction of what is minted for the winner is sold for the last bid by whom no log tells": Case(
        ape(ZERO, ALICE), finalized(), earlier=_made(bid(ALICE, 75), lazy=1)
    ).was(sold(75), deal=(Side.AUCTION, None, ALICE)),
    "an auction without a bid gives the NFT back which is no sale and no fault": Case(
        ape(MANIFOLD, BOB), finalized(), earlier=_made()
    ).was("transfer", commercial=False, fills=0),
    "what is left of a listing at a fixed price goes back": Case(
        ape(MANIFOLD, BOB), finalized(), earlier=_made(kind=2)
    ).was("transfer", fills=0),
    "what goes back before a purchase is no part of it": Case(
        ape(MANIFOLD, ALICE),
        finalized(),
        ape(MANIFOLD, ALICE, 8),
        purchase(ALICE, 100, listing=1),
        earlier=_made(),
    ).was("transfer", sold(100)),
    "a bid in another listing buys nothing here": Case(
        ape(MANIFOLD, BOB), finalized(), earlier=_made(bid(ALICE, 75, listing=1))
    ).was("transfer", fills=0),
    "bids in a listing whose making was not seen leave the currency open": Case(
        ape(MANIFOLD, ALICE), finalized(), earlier=[bid(ALICE, 75)]
    ).was("transfer", faults=[("manifold", 2)]),
    "an auction that delivers to somebody else than the last bidder is a fault": Case(
        ape(MANIFOLD, CAROL), finalized(), earlier=_made(bid(ALICE, 75))
    ).was("transfer", faults=["No NFT log delivers anything to the buyer."]),
    "a purchase is of the listing's seller in the listing's currency whatever else the buyer sent": _sent(
        ape(MANIFOLD, ALICE),
        weth(100, ALICE, CAROL),
        erc20(USDC, 100, ALICE, BOB),
        purchase(ALICE, 100),
        earlier=_made(kind=2, currency=USDC),
    ).was(sold(100, USDC), deal=(Side.ASK, BOB, ALICE)),
    "a purchase in a token that the buyer did not send has no price": _sent(
        ape(MANIFOLD, ALICE), purchase(ALICE, 100), value=100, earlier=_made(kind=2, currency=USDC)
    ).was("sale", faults=1),
    "an accepted offer is of the listing's seller in the listing's currency": Case(
        ape(MANIFOLD, ALICE), offer_accepted(ALICE, 100), earlier=_made(currency=USDC)
    ).was(sold(100, USDC), deal=(Side.BID, BOB, ALICE)),
    "a malformed event is a fault and what it follows is not what it sold": _sent(
        purchase(ALICE, 100)._replace(topics=purchase(ALICE, 100).topics[:1]),
        offer_accepted(ALICE, 1)._replace(data=b""),
        ape(MANIFOLD, ALICE),
        purchase(ALICE, 100),
        value=100,
    ).was(sold(100), faults=(1, 2)),
    "several minted for one amount are a bundle": _sent(
        ape(ZERO, ALICE), ape(ZERO, ALICE, 8), purchase(ALICE, 200, count=2), value=200
    ).was("sale", "sale", also=lambda found: [len(one.swaps) for one in found.judgements] == [3, 3]),
    "two purchases in one transaction each have the moves since the last event": Case(
        ape(MANIFOLD, CAROL),
        purchase(CAROL, 100),
        ape(MANIFOLD, CAROL, 8),
        purchase(CAROL, 250),
        ape(CAROL, ALICE),
        ape(CAROL, ALICE, 8),
        to=CAROL,
        value=350,
    ).was(sold(100), sold(250), "transfer", "transfer"),
    "a canceled listing gives the NFT back": _sent(ape(MANIFOLD, BOB), canceled(BOB)).was("transfer"),
    "what costs nothing is no sale": _sent(ape(ZERO, ALICE), purchase(ALICE, 0)).was("mint"),
    "a purchase that delivers nothing to the buyer is a fault": _sent(
        ape(MANIFOLD, BOB), purchase(ALICE, 100), value=100
    ).was("transfer", fills=0, faults=[(2, 100)]),
}

test_manifold = judged(CASES)
