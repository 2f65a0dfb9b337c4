"""A node of blocks with logs."""

from __future__ import annotations

from typing import Any

from tests.net.played import error

CONTRACTS = [f"0x{number:040x}" for number in range(1, 2001)]


def log(block: int, index: int = 0, address: str = CONTRACTS[0]) -> dict[str, Any]:
    return {"blockNumber": hex(block), "logIndex": hex(index), "address": address, "topics": [], "data": "0x"}


class LogNode:
    """A node of blocks with logs, with limits of its own."""

    def __init__(self, logs: list[dict[str, Any]]) -> None:
        self.all = logs
        self.most_blocks = self.most_logs = self.most_addresses = 10**9
        self.refusal: Any = error(-32005, "query returned more than 10000 results")
        self.ranges: list[tuple[int, int]] = []

    def __call__(self, wanted: dict[str, Any]) -> Any:
        first, last = int(wanted["fromBlock"], 16), int(wanted["toBlock"], 16)
        self.ranges.append((first, last))
        addresses = wanted.get("address")
        if addresses is not None and len(addresses) > self.most_addresses:
            return error(-32602, "exceed max addresses or topics per search position")
        found = [
            one
            for one in self.all
            if first <= int(one["blockNumber"], 16) <= last
            and (addresses is None or one["address"] in addresses)
        ]
        if last - first + 1 > self.most_blocks or len(found) > self.most_logs:
            return self.refusal(first, last) if callable(self.refusal) else self.refusal
        return found


def blocks(logs: list[dict[str, Any]]) -> list[int]:
    return [int(one["blockNumber"], 16) for one in logs]
