"""A short day of trouble, as `make drill NAME=trouble` has long ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import databases
from tests.trouble.day import compared
from tests.trouble.stages import opened

FAULTS = 12


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("some", marks=pytest.mark.shared),
        pytest.param("anvil", marks=[pytest.mark.evm, pytest.mark.sqlite]),
    ],
)
def test_a_day_of_trouble_ends_with_the_dump_of_a_calm_one(name: str, tmp_path: Path) -> None:
    with opened(name) as stage, databases(tmp_path, [f"trouble_{name}", f"calm_{name}"]) as urls:
        counts = compared(stage, urls, tmp_path, FAULTS, 15, lambda text: None)
    assert sum(counts.values()) == FAULTS
