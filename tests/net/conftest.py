"""Played nodes and the clock of tests that read them."""

from collections.abc import Iterator

import pytest

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
