"""Payment Processor's events, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO, log, words

PROCESSOR_1 = "0x009a1dc629242961c9e4f089b437afd394474cc0"
PROCESSOR_2 = "0x9a1d00bed7cd04bcda516d721a596eb22aac6834"
MARKETPLACE = "0x" + "3e" * 20


def single_1(
    buyer: str, seller: str, price: int, *, index: int, coin: str = ZERO, token_id: int = 7, units: int = 1
) -> RawLog:
    """Version 1: `BuySingleListing`, for a listing or an offer."""
    signature = "BuySingleListing(address,address,address,address,address,uint256,uint256,uint256)"
    data = words(buyer, seller, token_id, units, price)
    return log(signature, [MARKETPLACE, APES, coin], data, contract=PROCESSOR_1, index=index)


def several_1(
    name: str,
    parties: Sequence[str],
    columns: Sequence[Sequence[int | str]],
    *,
    index: int,
    coin: str = ZERO,
) -> RawLog:
    """Version 1: a bundle (parties: buyer and seller) or a sweep (the buyer), with its lists in their order."""
    kinds = ["bool[]", *["address[]"] * name.startswith("Sweep")]
    kinds += ["uint256[]"] * (len(columns) - len(kinds))
    signature = f"{name}({','.join(['address'] * (3 + len(parties)) + kinds)})"
    head, tail = words(*parties), ""
    for column in columns:
        head += words(32 * (len(parties) + len(columns)) + len(tail) // 2)
        tail += words(len(column), *column)
    return log(signature, [MARKETPLACE, APES, coin], head + tail, contract=PROCESSOR_1, index=index)


def bought(
    buyer: str, seller: str, price: int, *, index: int, coin: str = ZERO, token_id: int = 7, **of: int | str
) -> RawLog:
    """Version 2: `BuyListingERC721`, or `BuyListingERC1155` where there are units."""
    return _item("BuyListing", buyer, seller, buyer, price, index, coin, token_id, **of)


def accepted(
    seller: str, buyer: str, price: int, *, index: int, coin: str, token_id: int = 7, **of: int | str
) -> RawLog:
    """Version 2: `AcceptOfferERC721`, or `AcceptOfferERC1155` where there are units."""
    return _item("AcceptOffer", seller, buyer, buyer, price, index, coin, token_id, **of)


def _item(
    name: str,
    first: str,
    second: str,
    beneficiary: str,
    price: int,
    index: int,
    coin: str,
    token_id: int,
    *,
    units: int | str = "",
    contract: int | str = PROCESSOR_2,
) -> RawLog:
    kind, more = ("721", "") if units == "" else ("1155", "uint256,")
    signature = f"{name}ERC{kind}(address,address,address,address,address,uint256,{more}uint256)"
    data = words(beneficiary, coin, token_id) + ("" if units == "" else words(units)) + words(price)
    return log(signature, [first, second, APES], data, contract=str(contract), index=index)
