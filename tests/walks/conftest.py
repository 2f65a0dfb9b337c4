"""How hard the property tests try.

HYPOTHESIS_PROFILE=thorough draws many more examples, and new ones each time; `hunt` also, and shows what it finds as
it is, without the minutes that making it small can take.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, is_hypothesis_test, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tests import drawn

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "short")
FAILURES = DirectoryBasedExampleDatabase(Path(__file__).resolve().parents[2] / "var" / "hypothesis")

# The database of a test is rolled back after each example (`checking.loaded`), so that one fixture serves them all.
_SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Thousands of requests are not told one by one."""
    logger = logging.getLogger("access")
    level = logger.level
    logger.setLevel(logging.WARNING)
    yield
    logger.setLevel(level)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Draw other examples on each engine, the same ones for everybody."""
    test: Any = getattr(item, "obj", None)
    if PROFILE == "short" and is_hypothesis_test(test):
        seed(drawn.seed())(test)


settings.register_profile(
    "short", max_examples=drawn.fewer(12), derandomize=True, deadline=None, suppress_health_check=_SUPPRESSED
)
settings.register_profile(
    "thorough", max_examples=400, deadline=None, suppress_health_check=_SUPPRESSED, database=FAILURES
)
settings.register_profile(
    "hunt", parent=settings.get_profile("thorough"), phases=[Phase.explicit, Phase.reuse, Phase.generate]
)
settings.load_profile(PROFILE)
