"""A node, like a stranger, holds nobody for longer than it is given: not its name, its connection nor its answer."""

from __future__ import annotations

import threading
import time

import pytest

from core.net.http import bounded
from core.net.http.bounded import at_most
from core.net.http.lookups import Lookups
from core.net.rpc.errors import NodeUnavailableError
from core.net.rpc.jsonrpc import Node
from tests.net.fetching import HURRIED
from tests.net.hostile import HOLDING, LATEST, HostileServer
from tests.net.played import PlayedNode, node_of
from tests.patience import PATIENCE


@pytest.mark.parametrize("holding", HOLDING)
def test_an_answer_that_does_not_end_is_given_up(server: HostileServer, holding: str) -> None:
    """Each read may be in time; the whole may take four times that long, and no more than its caller says."""
    server.otherwise = HOLDING[holding]
    url = f"http://{server.authority}"
    for timeout, seconds in ((HURRIED / 8, PATIENCE), (PATIENCE, HURRIED / 2)):
        started = time.monotonic()
        with pytest.raises(NodeUnavailableError), at_most(seconds):
            Node([url], timeout=timeout, attempts=1).call("eth_chainId")
        assert time.monotonic() - started < LATEST


def test_nobody_is_asked_when_no_time_is_left(played: PlayedNode) -> None:
    with pytest.raises(NodeUnavailableError, match="no time is left"), at_most(0):
        node_of(played.url, attempts=1).call("eth_chainId")
    assert played.seen == []


def test_a_name_that_is_not_told_holds_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    at_last = threading.Event()
    monkeypatch.setattr(
        bounded, "_lookups", Lookups(lambda _: ["127.0.0.1"] if at_last.wait(PATIENCE) else [])
    )
    with pytest.raises(NodeUnavailableError, match="no connection in time"), at_most(HURRIED):
        Node(["http://node.example:8545"], timeout=PATIENCE, attempts=1).call("eth_chainId")
    at_last.set()


def test_another_address_of_a_name_stands_in(played: PlayedNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_lookups", Lookups(lambda _: ["127.0.0.8", "127.0.0.1"]))
    port = played.host.partition(":")[2]
    assert node_of(f"http://node.example:{port}", timeout=PATIENCE).call("eth_chainId") == "0x1"
