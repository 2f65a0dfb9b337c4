"""X2Y2's events, as its contract declares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, words
from tests.markets.emitting import Emitted

X2Y2 = "0x74312363e45dcaba76c59ec49a7aa8a65a67eed3"
FEES = "0xd823c605807cc5e6bd6fc0d7e4eea50d3e2d66cd"
DELEGATE = "0xf849de01b080adc3a814fabe1e2087475cf2e354"
ITEM = "0x" + "17" * 32

ASK_FILLED, BID_ACCEPTED, CANCELLED, BID, AUCTION_COMPLETED, REFUNDED, REFUNDED_STUCK = range(1, 8)
ERC721, ERC1155 = 1, 2
_INTENTS = {ASK_FILLED: 1, BID_ACCEPTED: 3}
_AUCTION = 2

_INVENTORY = Emitted(
    "EvInventory(bytes32 indexed hash, address maker, address taker, uint256 order_salt, uint256 settle_salt, "
    "uint256 intent, uint256 delegate_type, uint256 deadline, address currency, bytes mask, "
    "(uint256,bytes) item, (uint8,uint256,uint256,uint256,bytes32,address,bytes,uint256,uint256,uint256,"
    "(uint256,address)[]) detail)",
    X2Y2,
    maker=BOB,
    taker=ALICE,
    delegate_type=ERC721,
)
# What the seller got.
ev_profit = Emitted(
    "EvProfit(bytes32 item_hash, address currency, address seller, uint256 amount)", X2Y2, item_hash=ITEM
)


def ev_inventory(
    *,
    price: int,
    pairs: Sequence[tuple[str, int] | tuple[str, int, int]] = ((APES, 7),),
    op: int = ASK_FILLED,
    least: int | None = None,
    fees: Sequence[tuple[int, str]] = (),
    incentive: int = 0,
    item_hash: str = ITEM,
    **of: Any,
) -> RawLog:
    """`EvInventory`: `least` is the price of the order's item, `price` what the settlement says is paid."""
    listed = bytes.fromhex(words(32, len(pairs), *(value for pair in pairs for value in pair)))
    item = (price if least is None else least, listed)
    detail = (op, 0, 0, price, item_hash, DELEGATE, b"", incentive, 50_000, 600, fees)
    return _INVENTORY(hash=item_hash, intent=_INTENTS.get(op, _AUCTION), item=item, detail=detail, **of)
