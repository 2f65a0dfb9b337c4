"""Progress of long work is told in one manner: a bar at a terminal, a plain line now and then anywhere else."""

from __future__ import annotations

import ast
import io
import sys
from pathlib import Path

import pytest
from django.conf import settings

from core.progress import Progress

ROOT = Path(settings.BASE_DIR)


class Stream(io.StringIO):
    """Standard error that is a terminal, or none."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        """Whether it is one."""
        return self.terminal


class Clock:
    """A monotonic clock that stands until it is moved on."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.now = 1_000.0
        patched.setattr("core.progress.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which pauses are measured."""
    return Clock(monkeypatch)


def stream(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> Stream:
    """Standard error from now on."""
    made = Stream(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", made)
    return made


def test_a_plain_line_has_amount_share_rate_time_left_and_place(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    told = stream(monkeypatch, terminal=False)
    with Progress("ethereum", "blocks", 10_000) as work:
        clock.now += 50
        work.add(2_500, "at block 21,000,000")
    assert told.getvalue() == (
        "ethereum: 2,500 blocks of 10,000 blocks (25 %), 50 blocks a second, 02:30 left; at block 21,000,000\n"
    )


def test_bytes_are_told_in_units_that_people_read(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    told = stream(monkeypatch, terminal=False)
    with Progress("a.jsonl.gz", "B", 100_000_000) as work:
        clock.now += 50
        work.reach(25_000_000)
    assert told.getvalue() == "a.jsonl.gz: 25.0MB of 100MB (25 %), 500kB a second, 02:30 left\n"


def test_without_a_total_there_is_no_share_and_no_time_left(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    told = stream(monkeypatch, terminal=False)
    with Progress("images", "images") as work:
        clock.now += 40
        work.add(10)
    assert told.getvalue() == "images: 10 images, 0.2 images a second\n"


def test_short_work_says_nothing_and_long_work_ever_more_seldom(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    told = stream(monkeypatch, terminal=False)
    with Progress("rates", "rates") as work:
        clock.now += 29
        work.add()
        assert told.getvalue() == ""
        for _ in range(24 * 60 * 6):
            clock.now += 10
            work.add()
    assert told.getvalue().count("\n") == 24 * 6 + 3, "at the end every ten minutes"


def test_a_total_that_grows_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    told = stream(monkeypatch, terminal=False)
    with Progress("base", "blocks") as work:
        clock.now += 31
        work.reach(50, 100)
        clock.now += 61
        work.reach(100, 150)
    assert "(50 %)" in told.getvalue()
    assert "(67 %)" in told.getvalue()


def test_at_a_terminal_it_is_a_bar_with_the_place_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told = stream(monkeypatch, terminal=True)
    with Progress("load", "lines", 10) as work:
        work.add(4, "line 4")
        work.say("a line of its own")
        work.reach(10)
    assert "100%" in told.getvalue()
    assert "line 4" in told.getvalue()
    assert "a line of its own\n" in told.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_says_nothing(monkeypatch: pytest.MonkeyPatch, clock: Clock, *, terminal: bool) -> None:
    told = stream(monkeypatch, terminal=terminal)
    with Progress("load", "lines", 10, quiet=True) as work:
        clock.now += 1_000
        work.add(10)
    assert told.getvalue() == ""


def test_nobody_else_draws_bars() -> None:
    """Every command uses the one helper."""
    drawing = []
    others = {"tests", ".venv", "var"}  # not even looked through: a hundred thousand files
    folders = [folder for folder in ROOT.iterdir() if folder.is_dir() and folder.name not in others]
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if "tqdm" in names:
                drawing.append(str(path.relative_to(ROOT)))
    assert drawing == ["core/progress.py"]
