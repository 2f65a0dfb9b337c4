"""Backups, restored: by pg_dump, by the archive of the log to a moment, and by dump and load; each compared.

    make drill NAME=restore ARGS="--queries 60"

A drawn world is loaded, of which the oracle (`tests/oracle`) knows every answer, with what operators decided and an
account. Each copy is walked by drawn queries, and every record is looked at. Beyond that, copies by PostgreSQL's own
means have the same rows in every table, and a copy by `load` gives the same dump. Nothing that was committed before the
accident is missing. The files of images are no part of a backup: they are fetched again, and counted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import psycopg2

from tests import machine
from tests.clusters import Cluster, cluster, given
from tests.postgres import find_binaries
from tests.processes import ROOT, outcome, run
from tests.restore.world import DECIDED, Scenario, drawn, written

PROGRAMS = ("pg_ctl", "pg_dump", "pg_restore", "pg_basebackup", "createdb")
ACCIDENT = "TRUNCATE tokens_nft, transfers_transfer, media_withheldcontent, auth_user CASCADE"


@dataclass(frozen=True)
class Result:
    """What a way of restoring came to."""

    way: str
    seconds: float
    compared: dict[str, int]
    same: str


def binaries() -> Path | None:
    """Where PostgreSQL's programs are, those for backups included; ``None`` where one is missing."""
    found = find_binaries()
    return found if found is not None and all((found / one).exists() for one in PROGRAMS) else None


def contents(url: str) -> dict[str, str]:
    """A digest of the rows of each table."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        found = {}
        for (table,) in cursor.fetchall():
            cursor.execute(
                f"SELECT count(*), md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM \"{table}\" t"
            )
            found[table] = str(cursor.fetchone())
        return found


def changed(url: str, statement: str) -> None:
    """Run a statement that commits."""
    with closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)


def dumped(url: str) -> str:
    """What `dump` writes of a database."""
    done = run(url, "manage.py", "dump")
    assert done.returncode == 0, done.stderr
    return done.stdout


def migrated(url: str) -> None:
    """Make the service's tables in an empty database."""
    done = run(url, "manage.py", "migrate", "-v0")
    assert done.returncode == 0, done.stderr


def walked(url: str, what: str, path: Path) -> dict[str, int]:
    """Load a file into a database, or walk it by a scenario."""
    return outcome(run(url, "-m", "tests.restore.walked", what, str(path)))


@dataclass
class Drill:
    """A database in ``source``, of which copies are made in ``folder``."""

    source: Cluster
    folder: Path
    scenario: Path

    @property
    def url(self) -> str:
        """Of the database that is backed up."""
        return self.source.url("nft")

    def fill(self, scenario: Scenario) -> None:
        """Load what was decided, take a base backup, and load a world, which is in the log alone."""
        self.source.run("createdb", "-h", str(self.source.sockets), "-U", "postgres", "nft")
        migrated(self.url)
        self.source.run("createdb", "-h", str(self.source.sockets), "-U", "postgres", "-T", "nft", "loaded")
        walked(self.url, "load", written(self.folder / "decided.jsonl", DECIDED))
        self._base()
        walked(self.url, "load", written(self.folder / "world.jsonl", scenario["lines"]))
        changed(
            self.url,
            "INSERT INTO auth_user (password, is_superuser, username, first_name, last_name, email, is_staff, "
            "is_active, date_joined) VALUES ('!', true, 'olga', '', '', '', true, true, now())",
        )

    def _base(self) -> None:
        base = given(self.folder / "base")
        self.source.run(
            "pg_basebackup",
            "-h",
            str(self.source.sockets),
            "-U",
            "postgres",
            "-D",
            str(base),
            "-X",
            "none",
            "-c",
            "fast",
        )

    def ways(self) -> Iterator[Result]:
        """Restore in each way; the accident happens before the last one."""
        self.before = contents(self.url), dumped(self.url)
        yield self._timed("pg_dump, pg_restore", self.by_pg_dump)
        yield self._timed("dump, load", self.by_dump)
        yield self._timed("archive, to a moment", self.by_archive)

    def _timed(self, way: str, restore: object) -> Result:
        begun = time.monotonic()
        url, same = restore()  # type: ignore[operator]
        seconds = time.monotonic() - begun
        return Result(way, seconds, walked(url, "walk", self.scenario), same)

    def by_pg_dump(self) -> tuple[str, str]:
        """Into a new database of the same server."""
        file = given(self.folder / "dumps") / "nft.dump"
        place = ["-h", str(self.source.sockets), "-U", "postgres"]
        self.source.run("pg_dump", *place, "-Fc", "-f", str(file), "nft")
        self.source.run("createdb", *place, "restored")
        self.source.run("pg_restore", *place, "--exit-on-error", "-d", "restored", str(file))
        url = self.source.url("restored")
        return url, self._same_rows(url)

    def by_dump(self) -> tuple[str, str]:
        """Into an empty database of the other kind, and from that into one of this."""
        text = self.before[1]
        file = self.folder / "dump.jsonl"
        file.write_text(text, encoding="utf-8")
        urls = [f"sqlite:///{self.folder}/loaded.sqlite3", self.source.url("loaded")]
        migrated(urls[0])
        for url in urls:
            walked(url, "load", file)
            assert dumped(url) == text
        walked(urls[0], "walk", self.scenario)
        with closing(psycopg2.connect(urls[1])) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM auth_user")
            assert cursor.fetchone() == (0,), "accounts are those of one installation"
        return urls[1], f"{len(text.splitlines())} lines dumped, on both databases"

    def by_archive(self) -> tuple[str, str]:
        """A copy of the files, and the log up to the moment before an accident."""
        with closing(psycopg2.connect(self.url)) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.1), clock_timestamp(), pg_sleep(0.1)")
            row = cursor.fetchone()
            assert row is not None
            moment = row[1]
        changed(self.url, ACCIDENT)
        assert contents(self.url) != self.before[0]
        changed(self.url, "SELECT pg_switch_wal()")
        self.source.stop()
        data = self.folder / "again"
        shutil.copytree(self.folder / "base", data)
        data.chmod(0o700)
        (data / "recovery.signal").touch()
        options = {
            "restore_command": f"cp {self.folder}/archive/%f %p",
            "recovery_target_time": moment.isoformat(sep=" "),
            "recovery_target_action": "promote",
        }
        subprocess.run(["chown", "-R", "--reference", str(self.folder / "base"), str(data)], check=True)
        self.again = Cluster(self.source.binaries, self.folder, "again", options)
        self.again.start()
        url = self.again.url("nft")
        with closing(psycopg2.connect(url)) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                for _ in range(600):
                    cursor.execute("SELECT pg_is_in_recovery()")
                    if cursor.fetchone() == (False,):
                        break
                    time.sleep(0.1)
        return url, self._same_rows(url)

    def _same_rows(self, url: str) -> str:
        found = contents(url)
        assert found == self.before[0]
        assert dumped(url) == self.before[1]
        return f"all rows of {len(found)} tables"

    def close(self) -> None:
        """Stop what was started."""
        if hasattr(self, "again"):
            self.again.stop("immediate")


def drilled(programs: Path, folder: Path, scenario: Scenario) -> Iterator[Result]:
    """Yield the result of each way, on clusters in a folder."""
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    archive = given(folder / "archive")
    log = {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f", "wal_level": "replica"}
    with ExitStack() as stack:
        source = stack.enter_context(cluster(programs, folder, "pg", **log))
        drill = Drill(source, folder, path)
        stack.callback(drill.close)
        drill.fill(scenario)
        yield from drill.ways()


def images(folder: Path) -> tuple[int, int, int]:
    """Lose the files of the sample's images, and fetch them again.

    Returns how many images there were, how many files, and how many of these came back with their names and bytes.
    """
    variables = machine.bare(VAR_DIR=str(folder / "var"))

    def manage(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def files() -> dict[str, bytes]:
        place = folder / "var" / "files"
        return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*.*")}

    manage("load_sample", "--migrate")
    manage("cache_images")
    before = files()
    shutil.rmtree(folder / "var" / "files")
    told = manage("cache_images", "--lost")
    lost = int(told.partition("The files of ")[2].partition(" images")[0].replace(",", ""))
    after = files()
    return lost, len(before), sum(after.get(name) == data for name, data in before.items())


def main() -> None:
    """Run the drill."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.restore",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nfts", type=int, default=19, help="of the drawn world, at most: 19 (19)")
    parser.add_argument("--queries", type=int, default=60, help="of each operation (60)")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    programs = binaries()
    if programs is None:
        raise SystemExit(f"This needs PostgreSQL with {', '.join(PROGRAMS)} (apt-get install postgresql).")
    print(f"seed {options.seed}", flush=True)
    os.environ.pop("TEST_DATABASE_URL", None)
    with tempfile.TemporaryDirectory(prefix="nft-restore-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        print(
            "| Way | Seconds | Walks | Items | Records looked at | The same |\n|---|---:|---:|---:|---:|---|",
            flush=True,
        )
        for one in drilled(programs, folder, drawn(options.nfts, options.queries, options.seed)):
            figures = " | ".join(f"{one.compared[key]:,}" for key in ("walks", "items", "records"))
            print(f"| {one.way} | {one.seconds:.1f} | {figures} | {one.same} |", flush=True)
        lost, before, after = images(folder)
        print(
            f"Of {lost} images, {before} files were lost; {after} came back with the same names and bytes.",
            flush=True,
        )
        assert before == after
