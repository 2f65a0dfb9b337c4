"""How hard the property tests try: HYPOTHESIS_PROFILE=thorough draws many more examples, and new ones each time."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

FAILURES = DirectoryBasedExampleDatabase(Path(__file__).resolve().parents[2] / "var" / "hypothesis")

# The database of a test is rolled back after each example (`checking.loaded`), so that one fixture serves them all.
_SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "short", max_examples=20, derandomize=True, deadline=None, suppress_health_check=_SUPPRESSED
)
settings.register_profile(
    "thorough", max_examples=400, deadline=None, suppress_health_check=_SUPPRESSED, database=FAILURES
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))
