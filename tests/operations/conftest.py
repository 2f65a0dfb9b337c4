"""A clock that stands still, for tests in which asks begin and end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from tests.operations.promises import NOW


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock at NOW; `clock.shift(seconds)` moves it on."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock
