"""The drill in small, as `make drill NAME=strangers` has it in large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.patience import PATIENCE
from tests.processes import ROOT, databases
from tests.strangers.attacks import ATTACKS, Sizes
from tests.strangers.drill import ALONE, BEHIND, HEALTH, PAGE, Drill, faults, table
from tests.strangers.measure import UNANSWERED, Row, percentile
from tests.strangers.setups import NGINX, world

NFTS = 500
SIZES = Sizes(busy=2, slow=4, silent=20)
GIVEN_UP = float("inf")


@pytest.fixture(scope="module")
def drill(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drill]:
    folder = tmp_path_factory.mktemp("strangers")
    with databases(folder, ["strangers"]) as (url,):
        names = world(url, ROOT, NFTS)
        yield Drill(url, ROOT, folder, names, seconds=0.1, wait=PATIENCE, settle=0, sizes=SIZES)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "setup", [ALONE, pytest.param(BEHIND, marks=pytest.mark.skipif(not NGINX, reason="there is no nginx"))]
)
def test_each_attack_comes_and_all_others_are_answered(drill: Drill, setup: str) -> None:
    rows: list[Row] = []
    with drill.served(setup) as port:
        for attack, clients in ATTACKS.items():
            seen, found = drill.attacked(setup, attack, port)
            assert seen.connections >= len(clients(drill.names, SIZES))
            assert set(seen.answers) <= {200, 400, 408, 503}
            rows += found
    assert [(row.attack, row.target) for row in rows] == [
        (attack, target) for attack in ATTACKS for target in (PAGE, *HEALTH)
    ]
    assert not list(faults(rows, GIVEN_UP))
    assert len(list(table(rows))) == len(rows) + 2


ROW = Row(ALONE, "at rest", PAGE, 100, 10.0, 20.0, 30.0, {})


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (ROW, []),
        (replace(ROW, p99=5_000), []),
        (replace(ROW, errors={"503": 2}), []),
        (replace(ROW, errors={"503": 2, "502": 1}), ["gunicorn alone, at rest, cheap page: 1 × 502"]),
        (replace(ROW, errors={UNANSWERED: 1}), ["gunicorn alone, at rest, cheap page: 1 × unanswered"]),
        (replace(ROW, target="/readyz", p99=100.0), []),
        (
            replace(ROW, target="/readyz", p99=100.1),
            ["gunicorn alone, at rest, /readyz: p99 of 100.1 ms is over 100 ms"],
        ),
        (replace(ROW, target="/healthz", errors={"503": 1}), ["gunicorn alone, at rest, /healthz: 1 × 503"]),
    ],
)
def test_what_must_not_be_is_told(row: Row, told: list[str]) -> None:
    assert list(faults([row])) == told


@pytest.mark.parametrize(
    ("values", "share", "found"),
    [([3.0], 0.99, 3.0), ([1.0, 2.0], 0.5, 1.0), ([float(n) for n in range(200)], 0.99, 197.0)],
)
def test_a_percentile_is_one_of_the_values(values: list[float], share: float, found: float) -> None:
    assert percentile(values, share) == found
