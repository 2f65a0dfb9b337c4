"""Orders for NFTs of 0x and Element, as their contracts declare the events."""

from __future__ import annotations

from typing import Any

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES
from tests.markets.emitting import Emitted

ZEROEX = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
ELEMENT = "0x20f780a973856b93f63670377900c1d2a50a77c4"
NATIVE = "0x" + "ee" * 20
ORDER = "0x" + "0e" * 32
SELL, BUY = 0, 1


def _filled(side: str, before: str, between: str, behind: str, contract: str, of: dict[str, Any]) -> RawLog:
    """An order's event, with units in it where these are given."""
    told = {name: value for name, value in of.items() if value is not None}
    kind, units = ("1155", ", uint128 units") if "units" in told else ("721", "")
    contract = told.pop("contract", contract)
    fields = f"{before}address maker, address taker, {between}address nft, uint256 token_id{units}{behind}"
    return Emitted(f"ERC{kind}{side}OrderFilled({fields})", contract)(
        **{"currency": NATIVE, "nft": APES, "token_id": 7, **told}
    )


def filled(direction: int, maker: str, taker: str, amount: int, **of: Any) -> RawLog:
    """0x: `ERC721OrderFilled`, or `ERC1155OrderFilled` where there are units."""
    between = "uint256 nonce, address currency, uint256 amount, "
    told = {"direction": direction, "maker": maker, "taker": taker, "amount": amount, **of}
    return _filled("", "uint8 direction, ", between, ", address matcher", ZEROEX, told)


def element(side: str, maker: str, taker: str, amount: int, **of: Any) -> RawLog:
    """Element: `ERC721SellOrderFilled` and its three kin, with fees; `side` is `Sell` or `Buy`."""
    between = "uint256 nonce, address currency, uint256 amount, (address,uint256)[] fees, "
    told = {"hash": ORDER, "maker": maker, "taker": taker, "amount": amount, **of}
    return _filled(side, "bytes32 hash, ", between, "", ELEMENT, told)


def element_first(side: str, maker: str, taker: str, amount: int, **of: Any) -> RawLog:
    """The same events of Element's first version."""
    told = {"hash": ORDER, "maker": maker, "taker": taker, "amount": amount, **of}
    return _filled(side, "", "address currency, uint256 amount, ", ", bytes32 hash", ELEMENT, told)
