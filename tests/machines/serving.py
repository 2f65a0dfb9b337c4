"""The service as gunicorn serves it, on PostgreSQL at a URL, with replicas."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests import machine
from tests.machines.cluster import free_port
from tests.patience import PATIENCE, comes
from tests.processes import ROOT, forks


class Service:
    """One that runs."""

    def __init__(self, port: int, log: Path) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self._log = log

    def get(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        try:
            with urllib.request.urlopen(f"{self.base}{path}", timeout=PATIENCE) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, dict(refused.headers), refused.read()

    def reads_of_replica(self) -> bool:
        """Whether the last that it told of its replica is that it is read."""
        told = [line for line in self._log.read_text().splitlines() if "replica_1 is " in line]
        return bool(told) and "replica_1 is read." in told[-1]

    def walk(self, path: str) -> list[dict[str, Any]]:
        """The items of all pages of a query."""
        items: list[dict[str, Any]] = []
        cursor = ""
        while True:
            status, _, body = self.get(f"{path}{cursor and '&cursor=' + cursor}")
            assert status == 200, body
            page = json.loads(body)
            items += page["data"]
            if "nextCursor" not in page:
                return items
            cursor = page["nextCursor"]


def variables(folder: Path, url: str, **more: str) -> dict[str, str]:
    """Of a process of the service on a database."""
    given = {"SECRET_KEY": "k" * 50, "DATABASE_URL": url, "VAR_DIR": str(folder / "var")}
    return machine.bare(**given | {"DJANGO_SETTINGS_MODULE": "nftsite.settings"} | more)


def manage(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the service to its end."""
    return forks(environment).run(environment["DATABASE_URL"], ["manage.py", *arguments])


@contextmanager
def serving(environment: dict[str, str], folder: Path) -> Iterator[Service]:
    """The service with these variables, until the context ends."""
    port = free_port()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn"],
            cwd=ROOT,
            env=environment | {"PORT": str(port), "WEB_CONCURRENCY": "1"},
            stdout=log,
            stderr=log,
        )
    service = Service(port, folder / "log")

    def answers() -> bool:
        with suppress(OSError):
            return service.get("/healthz")[0] == 200
        return False

    try:
        if not comes(answers, process):
            raise RuntimeError(f"gunicorn did not start:\n{(folder / 'log').read_text()[-3000:]}")
        yield service
    finally:
        process.terminate()
        process.wait()
