"""X2Y2's events, encoded from their published layout."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ZERO, log, word, words

X2Y2 = "0x74312363e45dcaba76c59ec49a7aa8a65a67eed3"
FEES = "0xd823c605807cc5e6bd6fc0d7e4eea50d3e2d66cd"
DELEGATE = "0xf849de01b080adc3a814fabe1e2087475cf2e354"
ITEM = "0x" + "17" * 32

ASK_FILLED, BID_ACCEPTED, CANCELLED, BID, AUCTION_COMPLETED, REFUNDED, REFUNDED_STUCK = range(1, 8)
ERC721, ERC1155 = 1, 2
_INTENTS = {ASK_FILLED: 1, BID_ACCEPTED: 3}
_AUCTION = 2


def ev_inventory(
    *,
    maker: str,
    taker: str,
    pairs: Sequence[tuple[str, int] | tuple[str, int, int]],
    price: int,
    index: int,
    op: int = ASK_FILLED,
    least: int | None = None,
    fees: Sequence[tuple[int, str]] = (),
    currency: str = ZERO,
    delegate_type: int = ERC721,
    mask: bytes = b"",
    incentive: int = 0,
    item_hash: str = ITEM,
    contract: str = X2Y2,
) -> RawLog:
    """`EvInventory`: `least` is the price of the order's item, `price` what the settlement says is paid."""
    signature = (
        "EvInventory(bytes32,address,address,uint256,uint256,uint256,uint256,uint256,address,bytes,"
        "(uint256,bytes),(uint8,uint256,uint256,uint256,bytes32,address,bytes,uint256,uint256,uint256,"
        "(uint256,address)[]))"
    )
    listed = words(32, len(pairs), *(value for pair in pairs for value in pair))
    item = words(price if least is None else least, 64) + _bytes(bytes.fromhex(listed))
    replacement = _bytes(b"")
    detail = words(op, 0, 0, price) + item_hash[2:] + words(DELEGATE, 11 * 32)
    detail += words(incentive, 50_000, 600, 11 * 32 + len(replacement) // 2) + replacement
    detail += words(len(fees), *(value for fee in fees for value in fee))
    masked = _bytes(mask)
    at = 11 * 32
    head = words(maker, taker, 11, 12, _INTENTS.get(op, _AUCTION), delegate_type, 1_700_000_000, currency)
    head += words(at, at + len(masked) // 2, at + (len(masked) + len(item)) // 2)
    topics = [int(item_hash, 16)]
    return log(signature, topics, head + masked + item + detail, contract=contract, index=index)


def ev_profit(
    *, seller: str, amount: int, index: int, currency: str = ZERO, item_hash: str = ITEM, contract: str = X2Y2
) -> RawLog:
    """`EvProfit`: what the seller got."""
    data = item_hash[2:] + words(currency, seller, amount)
    return log("EvProfit(bytes32,address,address,uint256)", data=data, contract=contract, index=index)


def _bytes(content: bytes) -> str:
    """``bytes``: the length, and the content filled up to whole words."""
    return word(len(content)) + content.hex() + "00" * (-len(content) % 32)
