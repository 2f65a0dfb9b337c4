"""Loads a file as of the oracle's moment, or walks a database and compares it with the oracle.

    python -m tests.restore.walked load FILE
    python -m tests.restore.walked walk SCENARIO

A scenario is a JSON object: `lines` of a world, `nfts` and `transfers`, queries. Printed is how much was compared, as a
JSON object. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import django


def load(path: str) -> dict[str, int]:
    """Load a file; asks end by the oracle's clock."""
    from interchange.load import load_files

    report = load_files([path])
    assert report.fault_count == 0, report.faults
    return dict(report.counts)


def walk(path: str) -> dict[str, int]:
    """Walk every query at two sizes of pages, and look at every record."""
    from tests.oracle.model import Oracle
    from tests.walks import checking
    from tests.walks.checking import NFTS, TRANSFERS, identity

    scenario: dict[str, Any] = json.loads(Path(path).read_text())
    oracle = Oracle(scenario["lines"])
    items = 0
    for operation in (NFTS, TRANSFERS):
        for query in scenario[operation]:
            expected = checking.answer(oracle, operation, query)
            for limits in ([3, 1], [30]):
                found = checking.walk(operation, query, limits, total=len(expected))
                checking.assert_same_order(expected, [identity(operation, record) for record in found])
            items += len(expected)
    checking.assert_same_records(oracle)
    return {
        "walks": 2 * (len(scenario[NFTS]) + len(scenario[TRANSFERS])),
        "items": items,
        "records": len(oracle.world.nfts) + len(oracle.world.transfers),
    }


def main(what: str, path: str) -> None:
    """Do it at the moment of the drawn worlds."""
    django.setup()
    import time_machine
    from django.test.utils import setup_test_environment

    from tests.strategies.pools import NOW

    setup_test_environment()
    with time_machine.travel(NOW, tick=False):
        json.dump({"load": load, "walk": walk}[what](path), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
