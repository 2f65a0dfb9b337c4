"""What contracts are asked in calls, and contracts that answer as a test says."""

from __future__ import annotations

from typing import Any

from core.net.rpc.errors import RpcError
from tests.ingestion.encoding import word

YES, NO = "0x" + word(1), "0x" + word(0)
NAME, SYMBOL, DECIMALS, OWNER_OF = "0x06fdde03", "0x95d89b41", "0x313ce567", "0x6352211e"
IS_721, IS_1155, IS_ANYTHING = (f"0x01ffc9a7{one}" for one in ("80ac58cd", "d9b67a26", "ffffffff"))


def text(value: bytes) -> str:
    """A `string` as a contract returns it."""
    return "0x" + word(32) + word(len(value)) + value.hex().ljust(-(-len(value) // 32) * 64, "0")


def answering(**answers: Any) -> Any:
    """A contract that answers calls by the beginning of their data, and reverts for all others."""

    def answer(address: str, data: str, block: int) -> Any:
        known = [value for start, value in answers.items() if data.startswith(start)]
        return known[0] if known else RpcError("played", 3, "execution reverted")

    return answer


def told(balances: dict[tuple[int, str], int]) -> Any:
    """A contract that says of a block and a holder what it says, and otherwise reverts."""

    def answer(address: str, data: str, block: int) -> Any:
        key = (block, "0x" + data[34:74])
        if not data.startswith("0x00fdd58e") or key not in balances:
            return RpcError("played", 3, "execution reverted")
        return "0x" + word(balances[key])

    return answer
