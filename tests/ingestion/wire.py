"""Played nodes behind a real client: what they answer goes through JSON and all that reads it, but for the network."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.net.http.exchange import Exchange, Received
from core.net.rpc.errors import NodeError, RpcError
from core.net.rpc.jsonrpc import Node
from tests.ingestion.chain import FakeNode

Alter = Callable[[bytes], bytes]


def wired(
    patch: pytest.MonkeyPatch, *nodes: FakeNode, alter: Alter = lambda body: body, **options: Any
) -> Node:
    """A client of these nodes, one URL each, that never waits. ``alter`` may change the bytes of an answer."""
    urls = {f"http://node{place}.example": node for place, node in enumerate(nodes)}

    def send(exchange: Exchange, method: str, payload: bytes) -> Received:
        asked = json.loads(payload)
        node = urls[exchange.name]
        told = [_told(node, one) for one in asked] if isinstance(asked, list) else _told(node, asked)
        return Received(200, None, alter(json.dumps(told).encode()))

    patch.setattr(Exchange, "send", send)
    clock = _Clock()
    defaults: dict[str, Any] = {"expect_chain_id": 1, "attempts": 3, "sleep": clock.sleep, "clock": clock}
    return Node(list(urls), **{**defaults, **options})


def _told(node: FakeNode, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        result = node._answer(asked["method"], asked["params"])
    except NodeError as fault:
        result = fault
    if isinstance(result, RpcError):
        return {"id": asked["id"], "error": {"code": result.code, "message": result.message}}
    if isinstance(result, NodeError):
        return {"id": asked["id"], "error": {"code": -32603, "message": str(result)}}
    return {"id": asked["id"], "result": result}


class _Clock:
    """Seconds that pass by sleeping alone."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
