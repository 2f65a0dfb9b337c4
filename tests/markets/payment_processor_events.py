"""Payment Processor's events, as its contracts declare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES
from tests.markets.emitting import Emitted

PROCESSOR_1 = "0x009a1dc629242961c9e4f089b437afd394474cc0"
PROCESSOR_2 = "0x9a1d00bed7cd04bcda516d721a596eb22aac6834"
MARKETPLACE = "0x" + "3e" * 20
_HEAD = "address indexed marketplace, address indexed collection, address indexed coin"
_USUAL = {"marketplace": MARKETPLACE, "collection": APES}

# Version 1, for a listing or an offer.
single_1 = Emitted(
    f"BuySingleListing({_HEAD}, address buyer, address seller, uint256 token_id, uint256 units, uint256 price)",
    PROCESSOR_1,
    "buyer seller price",
    **_USUAL,
    token_id=7,
    units=1,
)


def several_1(name: str, parties: Sequence[str], columns: Sequence[Sequence[int | str]], **of: Any) -> RawLog:
    """Version 1: a bundle (parties: buyer and seller) or a sweep (the buyer), with its lists in their order."""
    kinds = ["bool[]", *["address[]"] * name.startswith("Sweep")]
    kinds += ["uint256[]"] * (len(columns) - len(kinds))
    fields = [f"address party_{place}" for place in range(len(parties))]
    fields += [f"{kind} column_{place}" for place, kind in enumerate(kinds)]
    names = " ".join(one.split(" ")[1] for one in fields)
    event = Emitted(f"{name}({_HEAD}, {', '.join(fields)})", PROCESSOR_1, names, **_USUAL)
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
