"""The service as gunicorn serves it, for tests that ask it: a real process, a real socket, a file of SQLite."""

from __future__ import annotations

import contextlib
import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import machine
from tests.patience import PATIENCE, comes
from tests.processes import ROOT, databases


@dataclass(frozen=True)
class Server:
    """A running gunicorn and where its log goes."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def ask(
        self, address: str, method: str = "GET", **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """One request over a connection of its own."""
        with contextlib.closing(
            http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        ) as connection:
            connection.request(method, address, headers=headers)
            response = connection.getresponse()
            return response, response.read()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Variables for a service of its own in `folder`."""
    database = f"sqlite:///{folder}/db.sqlite3"
    return machine.bare(**{"SECRET_KEY": "k" * 50, "DATABASE_URL": database, **more})


@contextlib.contextmanager
def serving(folder: Path, **more: str) -> Iterator[Server]:
    """A service on a free port, with an empty, migrated database; its standard error goes to `errors` in the folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = environment(
        folder, **{"PORT": str(port), "WEB_CONCURRENCY": "1", "API_MAX_AGE": "60", **more}
    )
    with databases(folder, ["db"]):
        pass  # a file, which stays
    log = folder / "log"
    with log.open("wb") as output, (folder / "errors").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn"], cwd=ROOT, env=variables, stdout=output, stderr=errors
        )
    running = Server(process, port, log)
    try:
        wait_for(running)
        yield running
    finally:
        process.kill()
        process.wait()


def wait_for(server: Server) -> None:
    """Return once the service answers."""

    def answers() -> bool:
        with contextlib.suppress(OSError):
            return bool(server.ask("/healthz"))
        return False

    if not comes(answers, server.process):
        pytest.fail(
            f"gunicorn did not start:\n{server.log.read_text()}{server.log.with_name('errors').read_text()}"
        )
