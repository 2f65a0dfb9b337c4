"""The events of Sudoswap's pools, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.node.logs import RawLog
from tests.ingestion.encoding import log, words

POOL = "0x" + "50" * 20
ROUTER_1 = "0x2b2e8cda09bba9660dca5cb6233787738ad68329"
ROUTER_2 = "0x090c236b62317db226e6ae6cd4c0fd25b7028b65"
FACTORY_1 = "0xb16c1342e617a5b6e4b631eb114483fdb289c0a4"
FACTORY_2 = "0xa020d57ab0448ef74115c112d18a9c231cc86000"


def spot_price(price: int, *, index: int, pool: str = POOL) -> RawLog:
    """`SpotPriceUpdate`: what the pool asks for next."""
    return log("SpotPriceUpdate(uint128)", data=words(price), contract=pool, index=index)


def out_1(*, index: int, pool: str = POOL) -> RawLog:
    """`SwapNFTOutPair` of version 1: the pool sold something."""
    return log("SwapNFTOutPair()", contract=pool, index=index)


def in_1(*, index: int, pool: str = POOL) -> RawLog:
    """`SwapNFTInPair` of version 1: the pool bought something."""
    return log("SwapNFTInPair()", contract=pool, index=index)


def out_2(amount: int, ids: Sequence[int], *, index: int, pool: str = POOL) -> RawLog:
    """`SwapNFTOutPair` of version 2: the pool sold these tokens."""
    data = words(amount, 64, len(ids), *ids)
    return log("SwapNFTOutPair(uint256,uint256[])", data=data, contract=pool, index=index)


def in_2(amount: int, ids: Sequence[int], *, index: int, pool: str = POOL) -> RawLog:
    """`SwapNFTInPair` of version 2: the pool bought these tokens."""
    data = words(amount, 64, len(ids), *ids)
    return log("SwapNFTInPair(uint256,uint256[])", data=data, contract=pool, index=index)


def out_2_units(amount: int, units: int, *, index: int, pool: str = POOL) -> RawLog:
    """`SwapNFTOutPair` of an ERC-1155 pool of version 2."""
    return log("SwapNFTOutPair(uint256,uint256)", data=words(amount, units), contract=pool, index=index)


def in_2_units(amount: int, units: int, *, index: int, pool: str = POOL) -> RawLog:
    """`SwapNFTInPair` of an ERC-1155 pool of version 2."""
    return log("SwapNFTInPair(uint256,uint256)", data=words(amount, units), contract=pool, index=index)
