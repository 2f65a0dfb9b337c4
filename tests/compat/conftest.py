"""What the tests of Alchemy's shape share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from tests.compat.client import Alchemy
from tests.operations.promises import NOW


@pytest.fixture
def alchemy() -> Alchemy:
    """A client; the test itself asks for the database."""
    return Alchemy()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock at NOW."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock
