"""`kill -9` of a computation, at whatever moment: the next one ends as if nothing had been."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from tests.processes import databases, run

SHARES = (0.1, 0.5, 0.7)
"""When computations of one contract are killed, one after the other, as shares of the statements of a whole one: what
the earlier ones have written is no work for the later ones.
"""


def act(url: str, action: str, moment: int = 0) -> Any:
    done = run(url, "-m", "tests.offchain.rarity_killed", action, str(moment))
    if moment:
        assert done.returncode == -signal.SIGKILL, done.stderr[-2000:]
        return None
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout or "null")


def test_a_killed_computation_is_due_and_finished_by_the_next(tmp_path: Path) -> None:
    with databases(tmp_path, ("whole", "often")) as (whole, often):
        for url in (whole, often):
            act(url, "load")
        statements = act(whole, "compute")
        expected = act(whole, "state")
        assert expected["due"] == 0
        assert None not in {rank for _, _, rank in expected["nfts"]}
        for share in SHARES:
            act(often, "compute", moment=int(statements * share))
            assert act(often, "state")["due"] == 1
        act(often, "compute")
        assert act(often, "state") == expected
