"""A short day of trouble, as `make drill NAME=trouble` has long ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.processes import databases
from tests.trouble.day import DECK, compared
from tests.trouble.stages import opened


@pytest.mark.parametrize(
    ("name", "seed"),  # of days on which blocks are there to be forked, rewound, and named by the lines
    [
        pytest.param("some", 21, marks=pytest.mark.shared),
        pytest.param("anvil", 20, marks=[pytest.mark.evm, pytest.mark.sqlite]),
    ],
)
def test_a_day_of_trouble_ends_with_the_dump_of_a_calm_one(name: str, seed: int, tmp_path: Path) -> None:
    with opened(name) as stage, databases(tmp_path, [f"trouble_{name}", f"calm_{name}"]) as urls:
        counts = compared(stage, urls, tmp_path, len(DECK), seed, lambda text: None)
    assert counts == Counter(DECK)
