"""LooksRare's events, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO, log, words
from tests.markets.building import WETH

LOOKSRARE_1 = "0x59728544b08ab483533076417fbbb2fd0b17ce3a"
LOOKSRARE_2 = "0x0000000000e655fae4d56241588680f86e3b2377"
STRATEGY = "0x56244bb70cbd3ea9dc8007399f61dfc065190031"
FEES = "0x5924a28caaf1cc016617874a2f0c3710d881f3c1"
ORDER = "0x" + "10" * 32


def taker_bid_1(*, buyer: str, seller: str, index: int, **of: int | str) -> RawLog:
    """Version 1: somebody buys what an ask offers."""
    return _trade_1("TakerBid", buyer, seller, index, **of)


def taker_ask_1(*, seller: str, buyer: str, index: int, **of: int | str) -> RawLog:
    """Version 1: somebody sells to a bid."""
    return _trade_1("TakerAsk", seller, buyer, index, **of)


def _trade_1(
    name: str,
    taker: str,
    maker: str,
    index: int,
    *,
    price: int | str,
    token_id: int | str = 7,
    amount: int | str = 1,
    collection: int | str = APES,
    currency: int | str = WETH,
    contract: int | str = LOOKSRARE_1,
) -> RawLog:
    signature = f"{name}(bytes32,uint256,address,address,address,address,address,uint256,uint256,uint256)"
    data = ORDER[2:] + words(3, currency, collection, token_id, amount, price)
    return log(signature, [taker, maker, STRATEGY], data, contract=str(contract), index=index)


def trade_2(
    name: str,
    first: str,
    second: str,
    *,
    index: int,
    proceeds: tuple[str, int],
    creator: tuple[str, int] = (ZERO, 0),
    fee: int = 0,
    token_ids: Sequence[int] = (7,),
    amounts: Sequence[int] = (1,),
    currency: str = ZERO,
    collection: str = APES,
    contract: str = LOOKSRARE_2,
) -> RawLog:
    """Version 2: `TakerBid` (buyer, recipient of the NFTs) or `TakerAsk` (seller, buyer)."""
    signature = (
        f"{name}((bytes32,uint256,bool),address,address,uint256,address,address,uint256[],uint256[],"
        "address[2],uint256[3])"
    )
    ids = words(len(token_ids), *token_ids)
    head = ORDER[2:] + words(5, 1, first, second, 0, currency, collection)
    head += words(15 * 32, 15 * 32 + len(ids) // 2)
    head += words(proceeds[0], creator[0], proceeds[1], creator[1], fee)
    data = head + ids + words(len(amounts), *amounts)
    return log(signature, data=data, contract=contract, index=index)
