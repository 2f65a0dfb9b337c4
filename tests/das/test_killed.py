"""A run that is killed, at whatever moment, is finished by the next one: the database is as if nothing had been."""

from __future__ import annotations

from pathlib import Path

from tests.das.played_das import PlayedDas
from tests.das.shapes import ALICE, BOB, LADS, account, asset, compressed, owned_by, unread
from tests.processes import databases, outcome, run

OFTEN = (0.1, 0.3, 0.5)
LATE = (0.95,)
"""When runs into one database are killed, one after the other, as shares of the statements of a whole one."""


def test_a_killed_run_is_finished_by_the_next(das: PlayedDas, tmp_path: Path) -> None:
    kinds = (asset, compressed, unread)
    das.assets = [
        kinds[number % 3](number, ownership=owned_by((ALICE, BOB)[number % 2]), burnt=number % 7 == 0)
        for number in range(60)
    ]
    das.most = 10
    found = []
    with databases(tmp_path, ("whole", "often", "late")) as (whole, often, late):
        expected = outcome(run(whole, "-m", "tests.das.killed", das.url, LADS))
        for url, shares in ((often, OFTEN), (late, LATE)):
            moments = ",".join(str(int(expected["statements"] * share)) for share in shares)
            found.append(outcome(run(url, "-m", "tests.das.killed", das.url, LADS, moments)))
    assert account(59) in expected["dump"]
    for one in found:
        assert one["dump"] == expected["dump"]
        assert one["derived"] == expected["derived"]
