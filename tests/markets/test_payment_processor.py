"""Limit Break's Payment Processor 1 and 2, as they are published: single sales, bundles, sweeps; fees on top in 2."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from indexing.judge.verdicts import NATIVE, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, words
from tests.markets.building import Case, ape, erc20, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import WETH
from tests.markets.emitting import Emitted
from tests.markets.looksrare_events import taker_bid_1

PROCESSOR_1 = "0x009a1dc629242961c9e4f089b437afd394474cc0"
PROCESSOR_2 = "0x9a1d00bed7cd04bcda516d721a596eb22aac6834"
MARKETPLACE = "0x" + "3e" * 20
_HEAD = "address indexed marketplace, address indexed collection, address indexed coin"

# Version 1, for a listing or an offer.
single_1 = Emitted(
    f"BuySingleListing({_HEAD}, address buyer, address seller, uint256 token_id, uint256 units, uint256 price)",
    PROCESSOR_1,
    "buyer seller price",
    marketplace=MARKETPLACE,
    units=1,
)


def several_1(name: str, parties: Sequence[str], columns: Sequence[Sequence[int | str]], **of: Any) -> RawLog:
    """Version 1: a bundle (parties: buyer and seller) or a sweep (the buyer), with its lists in their order."""
    kinds = ["bool[]", *["address[]"] * name.startswith("Sweep")]
    kinds += ["uint256[]"] * (len(columns) - len(kinds))
    fields = [f"address party_{place}" for place in range(len(parties))]
    fields += [f"{kind} column_{place}" for place, kind in enumerate(kinds)]
    names = " ".join(one.split(" ")[1] for one in fields)
    event = Emitted(f"{name}({_HEAD}, {', '.join(fields)})", PROCESSOR_1, names, marketplace=MARKETPLACE)
    return event(*parties, *columns, **of)


def bought(buyer: str, seller: str, price: int, **of: Any) -> RawLog:
    """Version 2: `BuyListingERC721`, or `BuyListingERC1155` where there are units."""
    return _item("BuyListing", buyer, seller, buyer, price, of)


def accepted(seller: str, buyer: str, price: int, **of: Any) -> RawLog:
    """Version 2: `AcceptOfferERC721`, or `AcceptOfferERC1155` where there are units."""
    return _item("AcceptOffer", seller, buyer, buyer, price, of)


def _item(name: str, first: str, second: str, to: str, price: int, of: dict[str, Any]) -> RawLog:
    kind, units = ("1155", "uint256 units, ") if "units" in of else ("721", "")
    usual: dict[str, Any] = {"first": first, "second": second, "collection": APES, "token_id": 7}
    return Emitted(
        f"{name}ERC{kind}(address indexed first, address indexed second, address indexed collection, address to, "
        f"address coin, uint256 token_id, {units}uint256 price)",
        PROCESSOR_2,
    )(**usual | {"to": to, "price": price} | of)


def _swept(sent: int) -> Case:
    sweep = several_1("SweepCollectionERC1155", [ALICE], [[0], [BOB], [7], [4], [100]], coin=WETH)
    return Case(erc1155(APES, 7, 4, BOB, ALICE), weth(sent, ALICE, BOB), sweep, to=PROCESSOR_1)


FORWARDER = "0x5ebc127fae83ed5bdd91fc6a5f5767e259df5642"
FEES = "0x" + "fe" * 20


def two_offers(*more: tuple[int, int]) -> list[RawLog]:
    """Two items at 100 and 200 in a token, and what else the buyer sends: at which log, how much."""
    return [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        bought(ALICE, BOB, 100, coin=WETH, index=3),
        erc721(APES, 8, CAROL, ALICE, index=4),
        erc20(WETH, 200, ALICE, CAROL, index=5),
        bought(ALICE, CAROL, 200, coin=WETH, token_id=8, index=6),
        *(erc20(WETH, amount, ALICE, FEES, index=index) for index, amount in more),
    ]


_at_1 = partial(Case, to=PROCESSOR_1)
_at_2 = partial(Case, to=PROCESSOR_2)
CASES = {
    "a listing costs what the event tells": _at_1(
        ape(BOB, ALICE), single_1(ALICE, BOB, 100), value=100, sender=ALICE
    ).was(sold(100), at="magiceden", deal=(Side.ASK, BOB, ALICE)),
    "an offer that the seller accepts has the same event": _at_1(
        erc1155(APES, 7, 3, BOB, ALICE),
        weth(100, ALICE, BOB),
        single_1(ALICE, BOB, 100, coin=WETH, units=3),
        sender=BOB,
    ).was(sold(100, WETH), side=Side.BID),
    # 8 was not delivered, nor paid
    "the items of a bundle have the prices that were signed for each": _at_1(
        ape(BOB, ALICE),
        ape(BOB, ALICE, 9),
        several_1("BuyBundledListingERC721", [ALICE, BOB], [[0, 1, 0], [7, 8, 9], [10, 20, 30]]),
        value=60,
    ).was(sold(10), sold(30)),
    "a bundle of ERC-1155 has units of each": _at_1(
        erc1155(APES, 7, 2, BOB, ALICE),
        several_1("BuyBundledListingERC1155", [ALICE, BOB], [[0], [7], [2], [50]]),
        value=50,
    ).was(sold(50)),
    "a sweep has a seller and a price for each item": _at_1(
        ape(BOB, ALICE),
        ape(CAROL, ALICE, 8),
        several_1("SweepCollectionERC721", [ALICE], [[0, 0], [BOB, CAROL], [7, 8], [10, 20]]),
        value=30,
    ).was(sold(10), sold(20), also=lambda found: [fill.seller for fill in found.fills] == [BOB, CAROL]),
    "a sale at no price is none": _at_1(ape(BOB, ALICE), single_1(ALICE, BOB, 0)).was("transfer"),
    "a sweep of ERC-1155 in a token is held against what the buyer sent": _swept(100).was(sold(100, WETH)),
    "a sweep of ERC-1155 in a token that the buyer did not send is a fault": _swept(99).was("sale", faults=1),
    **{
        f"a listing costs what the event tells where no more was brought: {label}": Case(
            ape(BOB, ALICE), bought(ALICE, BOB, 100), to=target, value=100
        ).was(sold(100), at="magiceden", deal=(Side.ASK, BOB, ALICE))
        for label, target in enumerate([PROCESSOR_2, FORWARDER], 1)
    },
    "a sweep in ether has a price for each item": _at_2(
        ape(BOB, ALICE),
        bought(ALICE, BOB, 100),
        erc1155(APES, 8, 5, CAROL, ALICE),
        bought(ALICE, CAROL, 250, token_id=8, units=5),
        value=350,
    ).was(sold(100), sold(250)),
    "the NFT may go to a beneficiary": _at_2(ape(BOB, CAROL), bought(ALICE, BOB, 100), value=100).was(
        sold(100)
    ),
    "an offer names the seller first": _at_2(
        ape(BOB, ALICE),
        weth(5, ALICE, FEES),
        weth(95, ALICE, BOB),
        accepted(BOB, ALICE, 100, coin=WETH),
        sender=BOB,
    ).was(sold(100, WETH), deal=(Side.BID, BOB, ALICE)),
    **{
        f"a fee on top in a token is a part of the price: {fee_index}": _at_2(
            erc721(APES, 7, BOB, ALICE, index=2),
            erc20(WETH, 2, ALICE, FEES, index=fee_index),
            erc20(WETH, 100, ALICE, BOB, index=4),
            bought(ALICE, BOB, 100, coin=WETH, index=5),
        ).was(sold(102, WETH))
        for fee_index in [3, 6]
    },
    "items of a sweep in a token have prices where nothing came on top": _at_2(two_offers()).was(
        sold(100, WETH), sold(200, WETH)
    ),
    "one fee on top of a whole sweep is not split": _at_2(two_offers((7, 30))).was(
        *["sale"] * 2, faults=(3, 6)
    ),
    "what the buyer pays at another market is no fee on top": Case(
        weth(55, ALICE, CAROL),
        ape(CAROL, ALICE, 9),
        taker_bid_1(seller=CAROL, token_id=9, price=55),
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        bought(ALICE, BOB, 100, coin=WETH),
        to=CAROL,
    ).was(sold(55, WETH), sold(100, WETH)),
    "a sale of version 2 at no price is none": _at_2(ape(BOB, ALICE), accepted(BOB, ALICE, 0, coin=WETH)).was(
        "transfer"
    ),
    "more ether may be a fee on top or be handed back and no price is told": _at_2(
        ape(BOB, ALICE), bought(ALICE, BOB, 100), value=105
    ).was(
        "sale",
        swaps=(Leg(APES, 7, BOB, ALICE, 1, "magiceden"), Leg(NATIVE, None, ALICE, BOB, 100, "magiceden")),
        faults=1,
    ),
    **{
        f"it has one address on several chains: {chain}": _at_2(
            ape(BOB, ALICE), bought(ALICE, BOB, 100), value=100, chain=chain
        ).was(sold(100))
        for chain in (137, 8453, 42161)
    },
    "a cancelled order says nothing": _at_2(
        log("OrderDigestInvalidated(bytes32,address,bool)", [5, BOB], words(1), contract=PROCESSOR_2),
        ape(BOB, ALICE),
        value=100,
    ).was("transfer", fills=0, markets=()),
}

test_payment_processor = judged(CASES)

MALFORMED = {
    "1: of no units": single_1(ALICE, BOB, 100, units=0),
    "1: a seller that is no address": several_1(
        "SweepCollectionERC721", [ALICE], [[0, 0], [BOB, "0x" + "ff" * 32], [7, 8], [10, 20]]
    ),
    "1: lists of unequal length": several_1("SweepCollectionERC721", [ALICE], [[0], [BOB], [7, 8], [10, 20]]),
    "2: of no units": bought(ALICE, BOB, 100, units=0),
}
