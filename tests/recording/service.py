"""The code of a checkout on a new database, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict, cast

CLOCK = 1_735_732_800
"""The moment at which everything happens: 2025-01-01 at noon, half a day after the sample's last."""


class Request(TypedDict):
    """What a client sends; the query string as it stands on the wire."""

    method: str
    path: str
    query: str
    headers: dict[str, str]


class Answer(TypedDict):
    """What it gets: headers as pairs in the order of their names, the body's bytes as latin-1."""

    status: int
    headers: list[tuple[str, str]]
    body: str


class Service:
    """Runs commands and answers requests."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, *command: str) -> None:
        """Run a command of the service, quietly."""
        self._send({"command": [*command, "-v0"]})

    def answer(self, request: Request) -> Answer:
        """Answer a request."""
        return cast("Answer", self._send(request))

    def _send(self, asked: object) -> object:
        if self._process.stdin is None or self._process.stdout is None:
            raise TypeError
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"The service ended at {asked}.")
        return json.loads(line)


@contextmanager
def service(code: Path, database_url: str) -> Iterator[Service]:
    """The service of a checkout, on SQLite where no URL of a PostgreSQL is given."""
    with tempfile.TemporaryDirectory(prefix="nft-recording-") as folder:
        paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)  # the guard of tests/machine.py
        environment = os.environ | {
            "ALLOWED_HOSTS": "testserver",
            "API_MAX_AGE": "3600",
            "DATABASE_URL": database_url or f"sqlite:///{folder}/main.sqlite3",
            "DJANGO_SETTINGS_MODULE": "nftsite.settings",
            "LOG_LEVEL": "ERROR",
            "MEDIA_ROOT": f"{folder}/files",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join([str(code), *filter(None, paths)]),
            "SECRET_KEY": "a key that makes cursors the same in every recording, and nothing else",
            "TEST_CLOCK": str(CLOCK),
            "TEST_NAME": "recording" if database_url else f"{folder}/recording.sqlite3",
            "VAR_DIR": folder,
        }
        command = [sys.executable, "-P", str(Path(__file__).with_name("answering.py"))]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, cwd=code, env=environment
        ) as process:
            yield Service(process)
