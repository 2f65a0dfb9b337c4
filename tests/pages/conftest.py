"""The moment of pages with figures."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine

from tests.pages.figures import NOW


@pytest.fixture
def clock() -> Any:
    """It is always the same moment."""
    with time_machine.travel(NOW, tick=False):
        yield
