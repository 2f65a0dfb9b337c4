"""LooksRare's events, as its contracts declare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, BOB, ZERO
from tests.markets.currencies import WETH
from tests.markets.emitting import Emitted

LOOKSRARE_1 = "0x59728544b08ab483533076417fbbb2fd0b17ce3a"
LOOKSRARE_2 = "0x0000000000e655fae4d56241588680f86e3b2377"
STRATEGY = "0x56244bb70cbd3ea9dc8007399f61dfc065190031"
FEES = "0x5924a28caaf1cc016617874a2f0c3710d881f3c1"
ORDER = "0x" + "10" * 32


def _trade_1(name: str, taker: str, maker: str) -> Emitted:
    return Emitted(
        f"{name}(bytes32 order, uint256 nonce, address indexed {taker}, address indexed {maker}, "
        "address indexed strategy, address currency, address collection, uint256 token_id, uint256 amount, "
        "uint256 price)",
        LOOKSRARE_1,
        order=ORDER,
        strategy=STRATEGY,
        currency=WETH,
        amount=1,
    )


# Version 1: somebody buys what an ask offers, or sells to a bid.
taker_bid_1 = _trade_1("TakerBid", "buyer", "seller")
taker_ask_1 = _trade_1("TakerAsk", "seller", "buyer")


def trade_2(
    name: str,
    first: str,
    second: str,
    *,
    proceeds: tuple[str, int],
    creator: tuple[str, int] = (ZERO, 0),
    fee: int = 0,
    token_ids: Sequence[int] = (7,),
    amounts: Sequence[int] = (1,),
    collection: str = APES,
    **of: Any,
) -> RawLog:
    """Version 2: `TakerBid` (buyer, recipient of the NFTs) or `TakerAsk` (seller, buyer)."""
    return Emitted(
        f"{name}((bytes32 order, uint256 nonce, bool is_valid), address first, address second, uint256 strategy, "
        "address currency, address collection, uint256[] token_ids, uint256[] amounts, address[2] receivers, "
        "uint256[3] parts)",
        LOOKSRARE_2,
        "first second",
    )(
        first,
        second,
        order=ORDER,
        receivers=(proceeds[0], creator[0]),
        parts=(proceeds[1], creator[1], fee),
        token_ids=token_ids,
        amounts=amounts,
        collection=collection,
        **of,
    )


some_of_2 = Emitted("OrderNoncesCancelled(address user, uint256[] nonces)", LOOKSRARE_2, user=BOB)
