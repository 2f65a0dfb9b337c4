"""Played nodes, servers of strangers, and the clock of tests that read them."""

from collections.abc import Iterator

import pytest

from core.net.http.fetch import Fetcher
from tests.net.fetching import fetcher_for
from tests.net.hostile import HostileServer, Names, answer
from tests.net.log_node import LogNode, log
from tests.net.played import Clock, PlayedNode


@pytest.fixture
def played() -> Iterator[PlayedNode]:
    """A node that misbehaves as told."""
    node = PlayedNode()
    yield node
    node.close()


@pytest.fixture
def other() -> Iterator[PlayedNode]:
    """A second one."""
    node = PlayedNode()
    yield node
    node.close()


@pytest.fixture
def clock() -> Clock:
    """Time that passes by sleeping alone."""
    return Clock()


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """A stranger's server, at the address that counts as public."""
    server = HostileServer()
    yield server
    server.close()


@pytest.fixture
def inside(server: HostileServer) -> Iterator[HostileServer]:
    """A server of the house, at the same port of another address: it must never be asked."""
    inside = HostileServer("127.0.0.1", server.port)
    inside.otherwise = answer(b'{"secret": 1}')
    yield inside
    inside.close()
    assert inside.asked == []


@pytest.fixture
def fetcher(server: HostileServer) -> Fetcher:
    """A fetcher that may ask the stranger's server, under any name but one."""
    return fetcher_for(server, resolve=Names(**{"inside.example": ["127.0.0.1"]}))


@pytest.fixture
def chain(played: PlayedNode) -> LogNode:
    """A log in each of blocks 0 to 99, of a node whose head is far."""
    played.aside = {"eth_blockNumber"}
    node = LogNode([log(block) for block in range(100)])
    played.methods["eth_getLogs"] = node
    return node
