"""A load that is killed, at whatever moment, is finished by the next one: the database is as if nothing had been."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    ZERO,
    Line,
    ask,
    contract,
    nft,
    rate,
    transfer,
    write_lines,
)
from tests.files.lines import COLLECTION, MINT_A, OTHER_COLLECTION
from tests.processes import databases, outcome, run

NAMES = ("whole", "often", "late")
PEOPLE = (ALICE, BOB, CAROL, DAVE)
OFTEN = (0.02, 0.2, 0.3, 0.4, 0.5)
LATE = (0.98,)
"""When loads into one database are killed, one after the other, as shares of the statements of a whole one."""


def history(size: int) -> list[Line]:
    """Lines of all kinds, a contract's mark last, so that loading ends with a batch of marks."""
    draw = random.Random(7)
    lines: list[Line] = [rate("ETH", "2000"), nft(MINT_A, COLLECTION, on="solana", traits=[("A", "x")])]
    for number in range(size):
        token = str(draw.randrange(size // 4))
        traits = [(kind, draw.choice("xyz")) for kind in "AAB"]
        sender, receiver = draw.sample(PEOPLE, 2)
        lines += [
            nft(token, traits=traits, rarity=draw.choice([None, 1.5, 2.0]), owner=draw.choice([None, ALICE])),
            transfer(token, block=number, sender=draw.choice([ZERO, sender]), receiver=receiver, transactionFrom=BOB,
                     markets=draw.choice([[], ["blur"], ["opensea", "gem"]]),
                     nftValue={"tokenAddress": ZERO, "amount": str(draw.randrange(10**19))}),
            ask(token, price=str(draw.randrange(9)), maker=receiver, market=draw.choice(["blur", "x2y2"])),
        ]  # fmt: skip
    moved = nft(MINT_A, OTHER_COLLECTION, on="solana")
    return [*lines, rate("ETH", "2500"), contract(), moved, contract(marked=True)]


def load(url: str, path: Path, *moments: int) -> dict[str, Any]:
    """Load a file, killed at each of these statements before: how many the last load took, and what is stored."""
    return outcome(run(url, "-m", "tests.files.killed", str(path), ",".join(map(str, moments))))


def test_a_killed_load_is_finished_by_the_next(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "history.jsonl", history(240))
    with databases(tmp_path, NAMES) as (whole, often, late):
        expected = load(whole, path)
        found = [
            load(url, path, *(max(1, int(expected["statements"] * share)) for share in shares))
            for url, shares in ((often, OFTEN), (late, LATE))
        ]
    for one in found:
        assert one["dump"] == expected["dump"]
        for name, rows in expected["derived"].items():
            assert one["derived"][name] == rows, name


def test_a_history_loaded_again_changes_nothing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "history.jsonl", history(100))
    with databases(tmp_path, NAMES) as (url, *_):
        first, second = load(url, path), load(url, path)
    assert second["dump"] == first["dump"]
    assert second["derived"] == first["derived"]


@pytest.mark.django_db
def test_the_history_of_these_tests_is_a_good_file(tmp_path: Path) -> None:
    from interchange.load import load_files

    assert load_files([str(write_lines(tmp_path / "history.jsonl", history(20)))]).faults == []
