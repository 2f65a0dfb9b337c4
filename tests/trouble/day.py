"""A day's worth of trouble: a follower between two nodes in moods, killed, rewound, its chain forked, files loaded.

    make drill NAME=trouble ARGS="--faults 200 --seed 7"

At the end everything is calm, the follower reaches the head, and the dump must be, byte for byte, that of a database
that saw no trouble at all: the same files loaded, the chain indexed once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.forking import Fork
from tests.processes import databases, environment, forks, run
from tests.trouble.moody import MoodyNode, any_mood
from tests.trouble.upstream import Upstream

_FOLLOW = """
import sys, time
pause = time.sleep
time.sleep = lambda seconds: pause(min(seconds, 5) / 50)  # whatever it waits for passes within some requests
import django
django.setup()
from django.core.management import call_command
call_command("index", *sys.argv[1:], "-v0", stdout=sys.stderr)
"""

DECK = ("mood", "mood", "mood", "fork", "kill", "load", "rewind")
"""The kinds of faults: so many in a row have each of these, in an order of their own."""

PATIENCE = 600.0
"""Seconds without progress after which the run is given up: it hangs."""

Told = Callable[[str], None]


class Stage(Protocol):
    """A chain with what may happen to it, and the lines that are loaded."""

    slug: str

    @property
    def upstream(self) -> Upstream:
        """The chain as its nodes serve it."""

    @property
    def contracts(self) -> Sequence[str]:
        """What is indexed; nothing named: every contract."""

    def before(self) -> list[dict[str, Any]]:
        """Return the lines that are loaded before anything is indexed."""

    def meanwhile(self, chance: random.Random, last: int) -> list[dict[str, Any]]:
        """Return lines about transfers up to a block."""

    def grow(self, chance: random.Random, share: float) -> None:
        """Have some more blocks, about so much of all that there are."""

    def fork(self, chance: random.Random, last: int) -> str:
        """Change some of the newest blocks, those after ``last``; return what was done."""

    def calm(self) -> None:
        """Bring the chain to the state in which it is compared."""


@dataclass
class Day:
    """One run of faults against a database, by its URL."""

    stage: Stage
    database: str
    folder: Path
    chance: random.Random
    tell: Told = lambda text: None
    files: list[Path] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    deck: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nodes: list[MoodyNode] = []
        self._follower: Fork | None = None
        self._floor = 0
        self._said = self.folder / f"follower-{os.getpid()}.log"

    def run(self, faults: int) -> None:
        """Have so many faults, then calm; return when the head is indexed."""
        with ExitStack() as stack:
            lock = threading.Lock()
            for _ in range(2):
                self.nodes.append(stack.enter_context(MoodyNode(self.stage.upstream, lock).serving()))
            stack.callback(self._end)
            self._start()
            for number in range(faults):
                kind, told = self._fault()
                self.counts[kind] = self.counts.get(kind, 0) + 1
                self.tell(f"{number + 1:3} {kind}: {told}")
                self.stage.grow(self.chance, 1 / faults)
                if self.chance.random() < 0.5:  # else the next one comes on top
                    self._reach_head()
            self.stage.calm()
            for node in self.nodes:
                node.feel(0)
            self._reach_head()

    def _fault(self) -> tuple[str, str]:
        if not self.deck:
            self.deck = self.chance.sample(DECK, len(DECK))
        kind = self.deck.pop()
        told: str = getattr(self, f"_{kind}")()
        return kind, told

    def _mood(self) -> str:
        place = self.chance.randrange(2)
        return f"node {place + 1}: {any_mood(self.nodes[place], self.chance)}"

    def _fork(self) -> str:
        return self.stage.fork(self.chance, self._floor)

    def _kill(self) -> str:
        wait = self.chance.random()
        time.sleep(wait)
        self._end()
        self._start()
        return f"the follower after {wait:.2f} s"

    def _load(self) -> str:
        # Rows keep the order in which they came, and so does the dump: what is named here is there, and stays.
        self._reach_head()
        self._floor = max(self._reached(), self._floor)
        lines = self.stage.meanwhile(self.chance, self._floor)
        self.files.append(written(self.folder / f"load-{len(self.files)}.jsonl", lines))
        times = self.chance.choice([1, 1, 2])
        for _ in range(times):
            ended(run(self.database, "manage.py", "load", str(self.files[-1])))
        return f"{len(lines)} lines, {times} times"

    def _rewind(self) -> str:
        depth = self.chance.randint(0, 40)
        self._end()
        to = max(self._reached() - depth, self._floor)
        # The nodes are as they are; what it cannot do now, the follower does.
        done = run(
            self.database, "-c", _FOLLOW, *self._arguments(), "--rewind-to", str(to), "--to-block", str(to)
        )
        self._start()
        return f"to block {to}, exit code {done.returncode}"

    def _arguments(self) -> list[str]:
        given = ["--chain", self.stage.slug]
        for node in self.nodes:
            given += ["--rpc-url", node.url]
        for contract in self.stage.contracts:
            given += ["--contract", contract]
        return [*given, "--from-block", "0"]

    def _start(self) -> None:
        with self._said.open("ab") as said:
            self._follower = forks(environment(self.database)).begin(
                self.database, ["-c", _FOLLOW, *self._arguments(), "--follow"], said, said
            )

    def _end(self) -> None:
        if self._follower is not None:
            self._follower.kill()
            self._follower = None

    def _reach_head(self) -> None:
        """Wait until all blocks are indexed, and are those of the chain as it is now."""
        last, since = -1, time.monotonic()
        while True:
            assert self._follower is not None
            if not self._follower.lives():
                raise AssertionError(
                    f"the follower has ended:\n{self._said.read_text(errors='replace')[-3000:]}"
                )
            reached = self._reached()
            if reached >= self.stage.upstream.head and self._stands():
                return
            if reached != last:
                last, since = reached, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                raise AssertionError(
                    f"stuck at block {reached}:\n{self._said.read_text(errors='replace')[-3000:]}"
                )
            time.sleep(0.05)

    def _reached(self) -> int:
        rows = asked(self.database, "SELECT min(next_block) FROM transfers_indexedcontract")
        return -1 if rows[0][0] is None else int(rows[0][0]) - 1

    def _stands(self) -> bool:
        newest = asked(self.database, "SELECT number, hash FROM transfers_block ORDER BY number DESC LIMIT 1")
        if not newest:
            return False
        number, hash_ = newest[0]
        block = self.nodes[0].truth("eth_getBlockByNumber", [hex(number), False])
        return block is not None and block["hash"] == hash_


def whole(stage: Stage, database: str, folder: Path, files: Sequence[Path]) -> None:
    """Index the chain as it is, and load all files behind it, without any trouble."""
    node = MoodyNode(stage.upstream, threading.Lock())
    with node.serving():
        day = Day(stage, database, folder, random.Random(0))
        day.nodes = [node]
        ended(run(database, "-c", _FOLLOW, *day._arguments()))
    for file in files:
        ended(run(database, "manage.py", "load", str(file)))


def compared(
    stage: Stage, urls: Sequence[str], folder: Path, faults: int, seed: int, tell: Told
) -> dict[str, int]:
    """Have a day of faults in the first database and none in the second; hold their dumps to each other.

    Returns how many faults of each kind there were. Raises ``AssertionError`` where anything differs.
    """
    first = written(folder / "before.jsonl", stage.before())
    for url in urls:
        ended(run(url, "manage.py", "load", str(first)))
    day = Day(stage, urls[0], folder, random.Random(seed), tell)
    day.run(faults)
    whole(stage, urls[1], folder, day.files)
    dumps = [ended(run(url, "manage.py", "dump")).stdout for url in urls]
    for place, (one, other) in enumerate(zip(*(text.splitlines() for text in dumps), strict=False)):
        assert one == other, f"line {place + 1} of the dumps:\n{one}\n{other}"
    assert dumps[0] == dumps[1]
    tell(f"{len(dumps[0].splitlines()):,} lines, {len(dumps[0]):,} characters, the same")
    return day.counts


def written(path: Path, lines: Sequence[dict[str, Any]]) -> Path:
    """Write lines of the interchange format; return the file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def ended(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    """Return a process that must have ended well."""
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
    return done


def asked(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Return what a database answers, from a connection of its own."""
    if url.startswith("sqlite"):
        import sqlite3

        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=60)) as connection:
            return connection.execute(sql).fetchall()
    import psycopg2

    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


@contextmanager
def stages(names: Sequence[str]) -> Iterator[list[Stage]]:
    """The chains of a day, by name."""
    from tests.trouble.stages import opened

    with ExitStack() as stack:
        yield [stack.enter_context(opened(name)) for name in names]


def main() -> None:
    """Run a day from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--chains", nargs="+", default=["recorded", "some", "anvil"])
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    share = -(-options.faults // len(options.chains))
    with tempfile.TemporaryDirectory() as name, stages(options.chains) as opened:
        for chain, stage in zip(options.chains, opened, strict=True):
            folder = Path(name) / chain
            folder.mkdir()
            print(f"{chain}: {share} faults", flush=True)
            with databases(folder, [f"trouble_{chain}", f"calm_{chain}"]) as urls:
                counts = compared(
                    stage, urls, folder, share, options.seed, lambda text: print(text, flush=True)
                )
            print(f"{chain}: {counts}", flush=True)
