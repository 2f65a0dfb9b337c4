"""Contracts on a node on loopback that answer questions about tokens as told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.net.rpc.jsonrpc import Node
from tests.ingestion.encoding import word
from tests.net.played import Answer, PlayedNode, error, node_of

TOKEN_URI, URI, OWNER_OF = "0xc87b56dd", "0x0e89341c", "0x6352211e"
REVERTED = error(3, "execution reverted", "0x")
"""What a contract answers to a call of a function that it has not."""

Function = Callable[[int, int], Any]
"""Takes a token id and the gas of the call; gives hexadecimal data, or an error."""


def text(value: str | bytes) -> str:
    """A `string` as a contract returns it."""
    raw = value.encode() if isinstance(value, str) else value
    return "0x" + word(32) + word(len(raw)) + raw.hex().ljust(-(-len(raw) // 32) * 64, "0")


def reverted(reason: str) -> dict[str, Any]:
    """A revert with a reason, as geth tells it."""
    data = "0x08c379a0" + text(reason)[2:]
    return error(3, f"execution reverted: {reason}", data)


class PlayedContracts:
    """Functions by address and selector; `asked` are the calls seen: address, selector, token id, gas, block."""

    def __init__(self, node: PlayedNode) -> None:
        self.node = node
        self.functions: dict[tuple[str, str], Function] = {}
        self.asked: list[tuple[str, str, int, int, str]] = []
        node.methods["eth_call"] = self.call
        self.slow: set[tuple[str, int]] = set()
        """Address and gas of calls that the node gives up on, together with all that came in the same request."""
        self._answered = node.by_methods
        node.by_methods = self._given_up  # type: ignore[method-assign]

    def give(self, address: str, selector: str, answer: Any) -> None:
        """Have a function answer so, by token id and gas when `answer` is callable."""
        self.functions[address, selector] = answer if callable(answer) else lambda token_id, gas: answer

    def _given_up(self, document: Any) -> Any:
        calls = document if isinstance(document, list) else [document]
        asked = [call["params"][0] for call in calls if call["method"] == "eth_call"]
        if self.slow.intersection((one["to"], int(one["gas"], 16)) for one in asked):
            return Answer(b"", status=504)
        return self._answered(document)

    def call(self, transaction: dict[str, str], block: str) -> Any:
        selector, token_id = transaction["data"][:10], int(transaction["data"][10:], 16)
        gas = int(transaction["gas"], 16)
        self.asked.append((transaction["to"], selector, token_id, gas, block))
        function = self.functions.get((transaction["to"], selector))
        return REVERTED if function is None else function(token_id, gas)

    def reader(self, **options: Any) -> Node:
        """A client of the node that never really sleeps."""
        return node_of(self.node.url, attempts=2, **options)


@contextmanager
def played_contracts() -> Iterator[PlayedContracts]:
    """Contracts on a node of their own."""
    node = PlayedNode()
    try:
        yield PlayedContracts(node)
    finally:
        node.close()
