"""A DAS server of each test."""

from collections.abc import Iterator

import pytest

from tests.das.played_das import PlayedDas


@pytest.fixture
def das() -> Iterator[PlayedDas]:
    """A server that lists nothing until it is told."""
    node = PlayedDas()
    yield node
    node.close()
