"""Asks a DAS node for assets by their mints, many at once where the node can."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from core.net.rpc.errors import BadAnswerError, Kind, NodeError, RpcError
from core.net.rpc.jsonrpc import Node
from indexing.das.listing import asks_for_less

AT_ONCE: Final = 1000
"""Mints in one question at most."""

_BATCH_METHODS = ("getAssetBatch", "getAssets")
_UNKNOWN = re.compile(r"not found|no such|does not exist|unknown asset", re.IGNORECASE)


class Lookup:
    """Assets of one chain by mint. Answers are matched by the id in them, never by their place."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._methods = list(_BATCH_METHODS)
        self._at_once = AT_ONCE

    def assets(self, mints: Iterable[str]) -> dict[str, Any]:
        """Return the assets that the node knows, as they came, by mint; an ``RpcError`` for one that it refuses.

        A mint that the node does not know is not in it. Raises ``NodeError`` when the node cannot be read.
        """
        left = list(dict.fromkeys(mints))
        found: dict[str, Any] = {}
        while left:
            part, left = left[: self._at_once], left[self._at_once :]
            found |= self._part(part)
        return found

    def _part(self, mints: Sequence[str]) -> dict[str, Any]:
        if len(mints) == 1 or not self._methods:
            return {mint: asset for mint in mints if (asset := self._one(mint)) is not None}
        try:
            answer = self._node.named(self._methods[0], {"ids": list(mints)}, check=_check, can_shrink=True)
        except NodeError as fault:
            if fault.kind is Kind.ELSEWHERE:  # it has no such method
                self._methods.pop(0)
                return self._part(mints)
            less = asks_for_less(fault)
            if not less and fault.kind is not Kind.FINAL:
                raise
            half = len(mints) // 2
            if less:
                self._at_once = half
            return self._part(mints[:half]) | self._part(mints[half:])
        wanted = set(mints)
        return {
            asset["id"]: asset
            for asset in answer
            if isinstance(asset, dict) and isinstance(asset.get("id"), str) and asset["id"] in wanted
        }

    def _one(self, mint: str) -> Any:
        """Return an asset or the node's last word on it; ``None`` when the node does not know it."""
        try:
            asset = self._node.named("getAsset", {"id": mint})
        except RpcError as fault:
            if fault.kind is not Kind.FINAL:
                raise
            return None if _UNKNOWN.search(fault.message) else fault
        return asset if isinstance(asset, dict) and asset.get("id") == mint else None


def _check(name: str, answer: Any) -> None:
    if not isinstance(answer, list):
        raise BadAnswerError(f"{name}: what is no list of assets in the answer to a question for several")
