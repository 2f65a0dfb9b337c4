"""A Chainlink feed as a node serves it: a proxy, and behind it one aggregator after another.

The encoding here is apart from what reads it, from the published interface: ``AggregatorV3Interface``, and
``phaseAggregators`` of the proxy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.net.rpc.errors import RpcError
from core.net.rpc.jsonrpc import Node
from tests.ingestion.encoding import word
from tests.net.played import error

FEED = "0x" + "fe" * 20
NOW = 1_700_000_000
HOUR = 3_600

Played = tuple[int, int] | None
"""Answer in base units, and when it came; ``None``: the round was never finished."""


class PlayedFeed:
    """A feed with 8 decimals; ``phases`` are the rounds of its aggregators, the newest last."""

    def __init__(self, *phases: Sequence[Played], description: str = "ETH / USD") -> None:
        self.phases = phases
        self.description = description
        self.asked = 0

    def node(self) -> Node:
        """A node that has the feed, played without a network."""
        played: Any = self
        real: Node = played
        return real

    def batch(self, calls: Sequence[tuple[str, list[Any]]]) -> list[Any]:
        """What `Node.batch` gives."""
        self.asked += len(calls)
        answers = [self.answer(*params) for _, params in calls]
        revert = RpcError("played", 3, "execution reverted: No data present")
        return [revert if answer is None else answer for answer in answers]

    def call(self, call: dict[str, str], block: str) -> Any:
        """What a node answers over HTTP."""
        answer = self.answer(call, block)
        return error(3, "execution reverted: No data present") if answer is None else answer

    def answer(self, call: dict[str, str], block: str) -> str | None:
        """The data that a call returns; ``None`` for a revert."""
        to, selector, argument = call["to"], call["data"][:10], int(call["data"][10:] or "0", 16)
        newest = len(self.phases)
        if to != FEED:  # an aggregator by itself
            return "0x" + word(len(self.phases[int(to[-2:], 16) - 1])) if selector == "0x668a0f02" else None
        if selector == "0x313ce567":
            return "0x" + word(8)
        if selector == "0x7284e416":
            text = self.description.encode()
            return "0x" + word(32) + word(len(text)) + text.ljust(32, b"\0").hex()
        if selector == "0xfeaf968c":
            return self.round(newest, len(self.phases[-1]))
        if selector == "0xc1597304":
            return "0x" + word("0x" + f"{argument:040x}")
        if selector == "0x9a6fc8f5":
            return self.round(argument >> 64, argument & (2**64 - 1))
        return None

    def round(self, phase: int, number: int) -> str | None:
        """The five words of a round."""
        if not (1 <= phase <= len(self.phases) and 1 <= number <= len(self.phases[phase - 1])):
            return None
        one = self.phases[phase - 1][number - 1]
        if one is None:
            return None
        answer, at = one
        id_ = phase << 64 | number
        return "0x" + word(id_) + word(answer % 2**256) + word(at) + word(at) + word(id_)


def hourly(first: int, *dollars: int) -> list[Played]:
    """Rounds an hour apart, in whole dollars."""
    return [(usd * 10**8, first + place * HOUR) for place, usd in enumerate(dollars)]
