"""`kill -9` of a computation, at whatever moment: the next one ends as if nothing had been."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.processes import databases, outcome, run

SHARES = (0.1, 0.5, 0.7)
"""When computations of one contract are killed, one after the other, as shares of the statements of a whole one: what
the earlier ones have written is no work for the later ones.
"""


def computed(url: str, *moments: int) -> dict[str, Any]:
    return outcome(run(url, "-m", "tests.offchain.rarity_killed", ",".join(map(str, moments))))


def test_a_killed_computation_is_due_and_finished_by_the_next(tmp_path: Path) -> None:
    with databases(tmp_path, ("whole", "often")) as (whole, often):
        expected = computed(whole)
        found = computed(often, *(int(expected["statements"] * share) for share in SHARES))
    assert expected["stored"]["due"] == 0
    assert None not in {rank for _, _, rank in expected["stored"]["nfts"]}
    assert found["due"] == [1] * (1 + len(SHARES))
    assert found["stored"] == expected["stored"]
