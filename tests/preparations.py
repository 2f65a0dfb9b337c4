"""A part of pytest: what is prepared once for all tests, and cannot be, fails once and not with each of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
    """Have the test that asks first for a fixture of the session fail with it, and skip whoever asks again."""
    try:
        return (yield)
    except (Exception, pytest.fail.Exception):
        if fixturedef.scope == "session" and fixturedef.cached_result is not None:
            _, key, _ = fixturedef.cached_result
            skipped = pytest.skip.Exception(
                f"{fixturedef.argname} failed: the first test that needs it tells why"
            )
            fixturedef.cached_result = (None, key, (skipped, None))
        raise
