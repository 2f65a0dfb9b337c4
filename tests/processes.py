"""Databases for processes of their own, which may be killed, and how to run them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg2
from django.conf import settings

ROOT = Path(settings.BASE_DIR)


@contextmanager
def databases(folder: Path, names: Sequence[str], root: Path = ROOT) -> Iterator[list[str]]:
    """The URLs of empty databases with the service's tables, of the engine that the tests run on.

    The tables are those of the code in ``root``.
    """
    urls = [f"sqlite:///{folder}/{name}.sqlite3" for name in names]
    given = os.environ.get("TEST_DATABASE_URL")
    if not given:
        run(urls[0], "manage.py", "migrate", "--verbosity", "0", root=root)
        for name in names[1:]:
            (folder / f"{name}.sqlite3").write_bytes((folder / f"{names[0]}.sqlite3").read_bytes())
        yield urls
        return
    head, _, options = given.partition("?")
    own = [f"{name}_{os.getpid()}" for name in names]
    urls = [f"{head.rpartition('/')[0]}/{name}?{options}" for name in own]
    admin = psycopg2.connect(given)
    admin.autocommit = True
    cursor = admin.cursor()
    try:
        cursor.execute(f"CREATE DATABASE {own[0]} TEMPLATE template0")
        run(urls[0], "manage.py", "migrate", "--verbosity", "0", root=root)
        for name in own[1:]:
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE {own[0]}")
        yield urls
    finally:
        for name in own:
            cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        admin.close()


def run(url: str, *arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments on a database, to its end, by the code in ``root``."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=environment(url),
        capture_output=True,
        text=True,
        check=False,
    )


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
