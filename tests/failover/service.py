"""The service on two hosts, one of which indexes a chain that grows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import machine
from tests.builders import nft, transfer
from tests.failover.databases import Databases, before
from tests.failover.hosts import Host, until

STATIC = "0x" + "5a" * 20
"""A contract of a chain that nobody indexes: its walks are known beforehand."""
NFTS = 900
INDEX = [
    "manage.py",
    "index",
    "--chain",
    "ethereum",
    "--every-contract",
    "--from-block",
    "0",
    "--follow",
    "-v0",
]


@dataclass
class Service:
    """The two hosts that serve, one of which indexes."""

    web: list[Host]
    databases: Databases
    most_lag: int
    blocks: int
    pace: float
    restarts: int = 0
    _indexer: subprocess.Popen[bytes] | None = None
    _is_over: bool = False

    def variables(self, host: Host) -> dict[str, str]:
        """Of the service's processes on a host."""
        through = "postgresql://web@127.0.0.1:6432/nft"
        return machine.bare(
            SECRET_KEY="k" * 50,
            DATABASE_URL=through,
            DATABASE_REPLICA_URLS=",".join(f"{through}_{name}" for name in self.databases.hosts),
            REPLICA_MAX_LAG=str(self.most_lag),
            DISABLE_SERVER_SIDE_CURSORS="true",
            STATEMENT_TIMEOUT="0",
            VAR_DIR=str(host.folder / "var"),
            ALLOWED_HOSTS="*",
            BIND="0.0.0.0:8000",
            WEB_CONCURRENCY="1",
            WEB_THREADS="8",
            LOG_LEVEL="WARNING",
        )

    def start(self, folder: Path) -> None:
        """Make the tables, load what is walked, and start; return when both hosts are ready."""
        first = self.web[0]
        for host in self.web:
            before(host, self.databases)
        variables = self.variables(first)
        until(
            lambda: _works(first, variables, "check", "--database", "default"), 60, "the database is reached"
        )
        first.run(sys.executable, "manage.py", "migrate", "-v0", env=variables)
        lines = folder / "static.jsonl"
        lines.write_text("".join(f"{json.dumps(line)}\n" for line in _static()))
        first.run(sys.executable, "manage.py", "load", str(lines), "-v0", "--strict", env=variables)
        first.start(
            "node",
            sys.executable,
            "-m",
            "nftsite.bench.made_up_node",
            "8545",
            str(self.blocks),
            str(self.pace),
        )
        self.keep_indexing()
        for host in self.web:
            host.start("gunicorn", sys.executable, "-m", "gunicorn", env=self.variables(host))
        until(lambda: all(_is_ready(host) for host in self.web), 60, "both hosts are ready")

    def keep_indexing(self) -> None:
        """Start the indexer where it does not run, as a supervisor would."""
        if self._indexer is None or self._indexer.poll() is not None:
            self.restarts += self._indexer is not None
            host = self.web[0]
            words = (sys.executable, *INDEX, "--rpc-url", "http://127.0.0.1:8545")
            self._indexer = host.start("index", *words, env=self.variables(host))


def _works(host: Host, variables: dict[str, str], *words: str) -> bool:
    with suppress(RuntimeError):
        return bool(host.run(sys.executable, "manage.py", *words, env=variables)) or True
    return False


def _is_ready(host: Host) -> bool:
    with suppress(RuntimeError):
        return bool(host.run("curl", "-sf", "-m", "3", f"http://{host.address}:8000/readyz"))
    return False


def _static() -> Iterator[dict[str, Any]]:
    for number in range(NFTS):
        yield nft(str(number), STATIC, "polygon")
        yield transfer(str(number), STATIC, "polygon", block=number + 1)
