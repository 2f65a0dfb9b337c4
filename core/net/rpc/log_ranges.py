"""Logs of a range of blocks from nodes that each refuse something else: ranges and address lists in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.net.rpc.answers import Call
from core.net.rpc.errors import Kind, NodeError, RpcError, TooManyResultsError
from core.net.rpc.settling import Settler
from core.net.rpc.values import check_logs, place_of
from core.net.rpc.wording import smaller_ranges

MOST_ADDRESSES = 500
"""Contracts in one filter at most; nodes allow 500 to 1,000."""


@dataclass(frozen=True)
class LogAnswer:
    """Logs as the node gave them, in the order of the chain."""

    logs: list[dict[str, Any]]
    widest: int | None = None
    """Where the node refused the whole range: the widest part that it gave, in blocks; else None."""


@dataclass(frozen=True)
class _Piece:
    first: int
    last: int
    addresses: tuple[str, ...] | None

    @property
    def blocks(self) -> int:
        return self.last - self.first + 1

    def call(self, topics: list[Any]) -> Call:
        wanted = {"fromBlock": hex(self.first), "toBlock": hex(self.last), "topics": topics}
        if self.addresses is not None:
            wanted["address"] = list(self.addresses)
        return "eth_getLogs", [wanted]

    def split(self, error: NodeError) -> list[_Piece]:
        """Return the parts to ask for instead, in order: of the range if it can be split, else of the addresses."""
        if self.blocks > 1 and error.kind is not Kind.ADDRESSES:
            ranges = smaller_ranges(_words(error), self.first, self.last)
            return [_Piece(first, last, self.addresses) for first, last in ranges]
        if self.addresses is not None and len(self.addresses) > 1:
            half = len(self.addresses) // 2
            parts = (self.addresses[:half], self.addresses[half:])
            return [_Piece(self.first, self.last, part) for part in parts]
        raise TooManyResultsError(self.first, str(error))

    def check(self, name: str, answer: object) -> None:
        check_logs(name, answer, self.first, self.last)

    @property
    def can_shrink(self) -> bool:
        return self.blocks > 1 or (self.addresses is not None and len(self.addresses) > 1)


def collect_logs(
    settler: Settler, first: int, last: int, *, addresses: Sequence[str] | None, topics: list[Any]
) -> LogAnswer:
    """Ask for the logs, in parts as far as the node forces that; see `Node.logs`."""
    if not 0 <= first <= last:
        raise ValueError(f"no range of blocks: {first} to {last}")
    pieces = _pieces(first, last, addresses)
    logs: list[dict[str, Any]] = []
    widest = 0
    while pieces:
        piece = pieces.pop()
        answer = _answer(settler, piece, topics)
        if isinstance(answer, NodeError):
            pieces += reversed(piece.split(answer))
        else:
            logs += answer
            widest = max(widest, piece.blocks)
    logs.sort(key=place_of)
    return LogAnswer(logs, widest if 0 < widest <= last - first else None)


def _pieces(first: int, last: int, addresses: Sequence[str] | None) -> list[_Piece]:
    """The whole range, once for each list of addresses that nodes take; the last one first."""
    if addresses is None:
        return [_Piece(first, last, None)]
    once = tuple(dict.fromkeys(address.lower() for address in addresses))
    starts = range(0, len(once), MOST_ADDRESSES)
    return [_Piece(first, last, once[start : start + MOST_ADDRESSES]) for start in reversed(starts)]


def _answer(settler: Settler, piece: _Piece, topics: list[Any]) -> list[dict[str, Any]] | NodeError:
    """The logs of the piece, or the error that asks for smaller ones."""
    try:
        answer = settler.settle(
            [piece.call(topics)], check=piece.check, can_shrink=piece.can_shrink, newest=piece.last
        )[0]
    except NodeError as error:
        if error.kind is Kind.TIMEOUT and piece.can_shrink:
            return error
        raise
    if isinstance(answer, RpcError) and answer.kind not in (Kind.TOO_MANY, Kind.LIMIT, Kind.ADDRESSES):
        raise answer
    logs_or_refusal: list[dict[str, Any]] | RpcError = answer
    return logs_or_refusal


def _words(error: NodeError) -> str:
    return error.message if isinstance(error, RpcError) else ""
