"""Kills the real command at random moments, and holds what is left to what a calm run leaves."""

from __future__ import annotations

import random
import time
from pathlib import Path

from tests.orders.killing import MORE, change, killed
from tests.orders.made_up import APES, standing
from tests.orders.stand_in import KEY
from tests.orders.vendor import Vendor
from tests.processes import databases, environment, started

ORDERS = 600


def kills(folder: Path, count: int, seed: int) -> str:
    """Kill half of so many runs by their statements, and half by the clock; return a line for a person.

    Raises ``AssertionError`` where something else is left than a calm run leaves.
    """
    chance = random.Random(seed)
    with (
        Vendor({APES: "apes", MORE: "more"}) as vendor,
        databases(folder, ["calm", "killed"]) as (calm, killing),
    ):
        vendor.per_page = 20
        vendor.put("apes", *map(standing, range(ORDERS)))
        vendor.put("more", *(standing(token_id, MORE) for token_id in range(ORDERS // 4)))
        for url in (calm, killing):
            killed(vendor, url)
        change(vendor)
        began = time.monotonic()
        expected = killed(vendor, calm)
        lasts = time.monotonic() - began
        variables = environment(killing, OPENSEA_API_URL=vendor.url, OPENSEA_API_KEY=KEY)
        hit = 0
        for _ in range(count // 2):
            command = ("manage.py", "sync_asks", "--contract", APES, "--contract", MORE, "-v0")
            with started(variables, *command) as process:
                time.sleep(chance.uniform(0.3, 1) * lasts)
                hit += process.poll() is None
        moments = chance.sample(range(1, expected["statements"]), count - count // 2)
        found = killed(vendor, killing, *moments)
        hit += found["killed"]
    assert found["left"] == expected["left"], "something else is left than after a calm run"
    return f"{count} runs, {hit} killed while they ran: the same {len(found['left']['asks']):,} asks"
