"""What tests of the cache of images may use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.images.working import Clock


@pytest.fixture
def own_files(settings: Any, tmp_path: Path) -> None:
    """A folder of each test's own, in which files can be counted."""
    settings.MEDIA_ROOT = str(tmp_path)


@pytest.fixture
def clock() -> Clock:
    return Clock()
