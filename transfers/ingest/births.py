"""When contracts came into being, where nobody says from which block on to index them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nftsite.net.rpc_errors import RpcError

Ask = Callable[[Sequence[tuple[str, list[Any]]]], list[Any]]


def first_block(address: str, head: int, ask: Ask) -> int:
    """Return the block in which a contract was made, by halving, in about 25 calls of ``eth_getCode``.

    0 where the node cannot tell: it has no old states, or the contract is gone.
    """

    def exists(number: int) -> bool | None:
        (code,) = ask([("eth_getCode", [address, hex(number)])])
        return None if isinstance(code, RpcError) or not isinstance(code, str) else len(code) > 2

    if not exists(head):
        return 0
    low, high = 0, head
    while low < high:
        middle = (low + high) // 2
        found = exists(middle)
        if found is None:
            return 0
        low, high = (low, middle) if found else (middle + 1, high)
    return low
