"""Orders for NFTs of 0x and Element, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO, log, words

ZEROEX = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
ELEMENT = "0x20f780a973856b93f63670377900c1d2a50a77c4"
NATIVE = "0x" + "ee" * 20
ORDER = "0x" + "0e" * 32
SELL, BUY = 0, 1


def filled(
    direction: int,
    maker: str,
    taker: str,
    amount: int,
    *,
    index: int,
    currency: str = NATIVE,
    token_id: int = 7,
    units: int | None = None,
    matcher: str = ZERO,
    contract: str = ZEROEX,
) -> RawLog:
    """0x: `ERC721OrderFilled`, or `ERC1155OrderFilled` where there are units."""
    kind, more = ("721", "") if units is None else ("1155", "uint128,")
    signature = (
        f"ERC{kind}OrderFilled(uint8,address,address,uint256,address,uint256,address,uint256,{more}address)"
    )
    data = words(direction, maker, taker, 9, currency, amount, APES, token_id)
    data += ("" if units is None else words(units)) + words(matcher)
    return log(signature, data=data, contract=contract, index=index)


def element(
    side: str,
    maker: str,
    taker: str,
    amount: int,
    *,
    index: int,
    fees: Sequence[tuple[str, int]] = (),
    currency: str = NATIVE,
    token_id: int = 7,
    units: int | None = None,
    contract: str = ELEMENT,
) -> RawLog:
    """Element: `ERC721SellOrderFilled` and its three kin, with fees; `side` is `Sell` or `Buy`."""
    kind, more = ("721", "") if units is None else ("1155", ",uint128")
    signature = (
        f"ERC{kind}{side}OrderFilled(bytes32,address,address,uint256,address,uint256,(address,uint256)[],"
        f"address,uint256{more})"
    )
    head = 9 * 32 if units is None else 10 * 32
    data = ORDER[2:] + words(maker, taker, 9, currency, amount, head, APES, token_id)
    data += "" if units is None else words(units)
    data += words(len(fees), *(part for fee in fees for part in fee))
    return log(signature, data=data, contract=contract, index=index)


def element_first(
    side: str,
    maker: str,
    taker: str,
    amount: int,
    *,
    index: int,
    currency: str = NATIVE,
    token_id: int = 7,
    units: int | None = None,
) -> RawLog:
    """The same events of Element's first version."""
    kind, more = ("721", "") if units is None else ("1155", "uint128,")
    signature = f"ERC{kind}{side}OrderFilled(address,address,address,uint256,address,uint256,{more}bytes32)"
    data = words(maker, taker, currency, amount, APES, token_id)
    data += ("" if units is None else words(units)) + ORDER[2:]
    return log(signature, data=data, contract=ELEMENT, index=index)
