"""Databases for processes of their own, which may be killed, and how to run them."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg2
from django.conf import settings

from tests.forking import Forks

ROOT = Path(settings.BASE_DIR)


@cache
def _migrated(root: Path) -> bytes:
    """A file of SQLite with the service's tables, made once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "migrated.sqlite3"
        run(f"sqlite:///{file}", "manage.py", "migrate", "--verbosity", "0", root=root)
        return file.read_bytes()


@cache
def _template(given: str, root: Path) -> str:
    """The name of a database of PostgreSQL with the service's tables, made once and dropped at the end."""
    name = f"migrated_{os.getpid()}_{abs(hash(root))}"
    _administer(given, f"CREATE DATABASE {name} TEMPLATE template0")
    atexit.register(_administer, given, f"DROP DATABASE {name} WITH (FORCE)")
    run(_sibling(given, name), "manage.py", "migrate", "--verbosity", "0", root=root)
    return name


def _sibling(given: str, name: str) -> str:
    """The URL of another database of the same server."""
    head, _, options = given.partition("?")
    return f"{head.rpartition('/')[0]}/{name}?{options}"


def _administer(given: str, *statements: str) -> None:
    with closing(psycopg2.connect(given)) as admin:
        admin.autocommit = True
        with admin.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


@contextmanager
def databases(folder: Path, names: Sequence[str], root: Path = ROOT) -> Iterator[list[str]]:
    """The URLs of empty databases with the service's tables, of the engine that the tests run on.

    The tables are those of the code in ``root``.
    """
    given = os.environ.get("TEST_DATABASE_URL")
    if not given:
        for name in names:
            (folder / f"{name}.sqlite3").write_bytes(_migrated(root))
        yield [f"sqlite:///{folder}/{name}.sqlite3" for name in names]
        return
    own = [f"{name}_{os.getpid()}" for name in names]
    template = _template(given, root)
    _administer(given, *(f"CREATE DATABASE {name} TEMPLATE {template}" for name in own))
    try:
        yield [_sibling(given, name) for name in own]
    finally:
        _administer(given, *(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)" for name in own))


def run(url: str, *arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments on a database, to its end, by the code in ``root``.

    By the code of these tests it is a fork (`tests.forking`) of a process that has imported Django already.
    """
    if root == ROOT:
        return forks(environment(url)).run(url, arguments)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=environment(url),
        capture_output=True,
        text=True,
        check=False,
    )


def forks(variables: Mapping[str, str]) -> Forks:
    """What forks processes with these variables, on whatever database of the engine that they name."""
    engine = variables["DATABASE_URL"].partition(":")[0]
    shared = {**variables, "DATABASE_URL": f"{engine}:////nowhere"}
    return _forks(tuple((name, shared[name]) for name in sorted(shared) if name != "PYTEST_CURRENT_TEST"))


@cache
def _forks(variables: tuple[tuple[str, str], ...]) -> Forks:
    made = Forks(dict(variables), ROOT)
    atexit.register(made.close)
    return made


@contextmanager
def started(variables: Mapping[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Python with these arguments and variables, killed afterwards. It heeds SIGINT whatever this process does.

    What a shell runs in the background ignores it, and so would whatever that starts.
    """
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    signal.signal(signal.SIGINT, heeded)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def outcome(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON object that a process printed, which must have ended well."""
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def environment(url: str, **more: str) -> dict[str, str]:
    """The variables of a process that works on a database."""
    return os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "nftsite.settings"} | more
