"""A walk that is killed at any moment is finished by the next run, with the same asks."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.orders.killing import MORE, change, killed
from tests.orders.made_up import APES, standing
from tests.orders.stand_in import KEY
from tests.orders.vendor import Vendor
from tests.processes import databases, environment, started

KILLS = 4


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    """OpenSea with two contracts of 24 and 12 orders, five on a page."""
    with Vendor({APES: "apes", MORE: "more"}) as one:
        one.per_page = 5
        one.put("apes", *map(standing, range(24)))
        one.put("more", *(standing(token_id, MORE) for token_id in range(12)))
        yield one


def test_a_walk_killed_at_random_moments_and_finished_leaves_the_asks_of_one_that_was_not(
    vendor: Vendor, tmp_path: Path
) -> None:
    with databases(tmp_path, ["calm", "killed"]) as (calm, killing):
        for url in (calm, killing):
            first = killed(vendor, url)
        assert len(first["left"]["asks"]) == 36
        change(vendor)
        expected = killed(vendor, calm, later=60)
        moments = random.Random(20).sample(range(1, expected["statements"]), KILLS)
        found = killed(vendor, killing, *moments, later=60)
    assert found["killed"] >= KILLS - 1, "a run may end sooner, since others came far before it"
    assert found["left"] == expected["left"]
    live = [one for one in found["left"]["asks"] if one[-1]]
    assert len(live) == 36 - 8 + 16


def test_the_command_itself_is_killed_between_pages_and_goes_on(vendor: Vendor, tmp_path: Path) -> None:
    with databases(tmp_path, ["calm", "killed"]) as (calm, killing):
        expected = killed(vendor, calm)
        variables = environment(killing, OPENSEA_API_URL=vendor.url, OPENSEA_API_KEY=KEY)
        vendor.exchanges.clear()
        with started(
            variables, "manage.py", "sync_asks", "--contract", APES, "--contract", MORE, "-v0"
        ) as process:
            pages = iter(range(3))

            def turn() -> None:
                if next(pages) == 2:  # as the third page is on its way: the first two stand
                    process.kill()

            vendor.turn = turn
            process.wait()
            vendor.turn = lambda: None
            assert process.returncode == -signal.SIGKILL
        asked = len(vendor.exchanges)
        found = killed(vendor, killing)
        paths = [address for address, _ in vendor.exchanges[asked:] if "/listings/" in address]
    assert "next=" in paths[0], "the next run goes on where that one was"
    assert found["left"] == expected["left"]
