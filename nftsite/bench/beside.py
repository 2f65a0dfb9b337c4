"""A database beside the one that is measured, and our own commands run on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.conf import settings
from django.db import connection


@contextmanager
def database(name: str) -> Iterator[str]:
    """The URL of an empty database beside the one that is measured, which is not changed; dropped at the end."""
    address, _, options = os.environ["DATABASE_URL"].partition("?")
    _administer(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        yield f"{address.rpartition('/')[0]}/{name}?{options}"
    finally:
        _administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def manage(environment: Mapping[str, str], *words: str) -> None:
    """Run a command of ours, with another database. Raises ``CalledProcessError``."""
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "manage.py", *words],
        cwd=settings.BASE_DIR,
        env=os.environ | dict(environment),
        check=True,
    )


def _administer(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
