"""PostgreSQL clusters that a drill starts, loses and restores: each a folder, on a socket, with a port of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.postgres import NOBODY, wait_until_ready

PLAIN = {"LC_ALL": "C", "PATH": os.environ.get("PATH", ""), "TZ": "UTC"}


def rights() -> dict[str, Any]:
    """As whom its programs run: PostgreSQL refuses to be root's."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def given(folder: Path) -> Path:
    """Make a folder that the server may write to."""
    folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    return folder


@dataclass
class Cluster:
    """Data in ``folder / name``; ``options``: settings beside those that tests have."""

    binaries: Path
    folder: Path
    name: str
    options: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        """Where its files are."""
        return self.folder / self.name

    @property
    def sockets(self) -> Path:
        """Where its socket is."""
        return self.folder / f"{self.name}-socket"

    def url(self, database: str = "postgres") -> str:
        """How to connect to one of its databases."""
        return f"postgresql://postgres@/{database}?host={self.sockets}"

    def make(self) -> None:
        """Make an empty cluster."""
        given(self.data)
        words = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self.run("initdb", "-D", str(self.data), *words)

    def start(self) -> None:
        """Start it, and return when it answers."""
        if not self.sockets.exists():
            given(self.sockets)
            self.sockets.chmod(0o755)
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "fsync": "off",
            "max_connections": "60",
            "shared_buffers": "256MB",
            "random_page_cost": "1.1",
        } | self.options
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        log = self.folder / f"{self.name}.log"
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.data, *words],
                stdout=output,
                stderr=output,
                env=PLAIN,
                cwd="/",
                start_new_session=True,
                **rights(),
            )
        wait_until_ready(self.process, self.data, log)

    def stop(self, how: str = "fast") -> None:
        """Stop it: `fast`, or `immediate`, which is as if the machine had gone."""
        if self.process is not None:
            self.run("pg_ctl", "stop", "-w", "-D", str(self.data), "-m", how)
            self.process.wait()
            self.process = None

    def run(self, program: str, *words: str) -> str:
        """Run one of PostgreSQL's programs as the server's user; what it says."""
        done = subprocess.run(
            [self.binaries / program, *words],
            env=PLAIN,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            **rights(),
        )
        assert done.returncode == 0, f"{program}: {done.stderr[-3000:]}"
        return str(done.stdout)


@contextmanager
def cluster(binaries: Path, folder: Path, name: str, **options: str) -> Iterator[Cluster]:
    """A cluster that is made, started, and stopped in the end."""
    made = Cluster(binaries, folder, name, options)
    made.make()
    try:
        made.start()
        yield made
    finally:
        made.stop("immediate")
