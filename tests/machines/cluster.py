"""A primary of PostgreSQL and a replica that follows it, as processes of this machine, and PgBouncer before them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from tests.patience import PATIENCE, comes
from tests.postgres import NOBODY, die_with_parent, find_binaries

NEEDED = ("initdb", "postgres", "pg_basebackup", "pg_ctl")
PLAIN = {"LC_ALL": "C", "PATH": os.environ.get("PATH", ""), "TZ": "UTC"}


def rights() -> dict[str, Any]:
    """How a process is started that refuses to be root."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def binaries() -> Path:
    """The folder of PostgreSQL's programs; the test is skipped where they are not installed."""
    found = find_binaries()
    if found is None or not all((found / name).exists() for name in NEEDED):
        pytest.skip(
            "needs PostgreSQL with pg_basebackup on this machine (Debian: apt-get install postgresql)"
        )
    return found


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """A server of PostgreSQL, with its data, listening in a folder of its own."""

    programs: Path
    folder: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Of its database."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    @property
    def data(self) -> Path:
        """Where its data is."""
        return self.folder / "data"

    def make_folder(self) -> None:
        """Make the folder that it listens in, and owns."""
        self.folder.mkdir(mode=0o755)
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)

    def program(self, name: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs to its end."""
        subprocess.run(
            [self.programs / name, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=PLAIN,
            cwd="/",
            **rights(),
        )

    def start(self, **options: str) -> None:
        """Start, and return when it answers."""
        given = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "wal_level": "replica",
            "hot_standby": "on",
            "max_connections": "40",
            "shared_buffers": "32MB",
            "max_standby_streaming_delay": "0",
            "wal_receiver_status_interval": "1s",
            "wal_retrieve_retry_interval": "200ms",
            **options,
        }
        words = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, *words],
                stdout=log,
                stderr=log,
                env=PLAIN,
                cwd="/",
                start_new_session=True,
                preexec_fn=die_with_parent,  # noqa: PLW1509 - there are no threads here
                **rights(),
            )
        if not comes(self.answers, self.process):
            raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")

    def answers(self) -> bool:
        """Tell whether it takes connections."""
        with suppress(psycopg2.Error):
            return bool(self.query("SELECT 1"))
        return False

    def query(self, *statements: str) -> list[tuple[Any, ...]]:
        """Execute statements, each by itself; return the rows of the last."""
        with closing(psycopg2.connect(self.url, connect_timeout=5)) as session:
            session.autocommit = True
            with session.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
                return cursor.fetchall() if cursor.description else []

    def _children(self) -> list[int]:
        """The processes that the server forked."""
        assert self.process is not None
        found = subprocess.run(  # noqa: PLW1510
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True
        )
        return list(map(int, found.stdout.split()))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Have it stand still as it is: connections are open, and nothing answers."""
        assert self.process is not None
        # The server first: a session that it took while its children are listed would go on answering.
        os.kill(self.process.pid, signal.SIGSTOP)
        stopped = [self.process.pid, *self._children()]
        for pid in stopped[1:]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def stop(self) -> None:
        """End it at once, as a machine that loses power would."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(PATIENCE)
            finally:
                self.process.kill()
            self.process = None


@dataclass
class Cluster:
    """The two, the replica following the primary."""

    primary: Server
    replica: Server

    def replicate(self) -> None:
        """Make the replica anew, as a copy of the primary, and start it."""
        self.replica.stop()
        shutil.rmtree(self.replica.data, ignore_errors=True)
        words = ["-h", str(self.primary.folder), "-U", "postgres", "-D", str(self.replica.data)]
        self.replica.program("pg_basebackup", *words, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.replica.start()

    def caught_up(self) -> bool:
        """Tell whether the replica has replayed all that the primary has written."""
        ((place,),) = self.primary.query("SELECT pg_current_wal_flush_lsn()")
        ((is_there,),) = self.replica.query(f"SELECT pg_last_wal_replay_lsn() >= '{place}'")
        return bool(is_there)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A primary with a replica, while the context lasts; the test is skipped where PostgreSQL is not installed."""
    programs = binaries()
    folder = Path(tempfile.mkdtemp(prefix="nft-two-", dir="/tmp"))
    folder.chmod(0o755)
    made = Cluster(Server(programs, folder / "a"), Server(programs, folder / "b"))
    try:
        made.primary.make_folder()
        made.replica.make_folder()
        words = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        made.primary.program("initdb", "-D", str(made.primary.data), *words)
        made.primary.start()
        made.replicate()
        yield made
    finally:
        made.replica.stop()
        made.primary.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def pgbouncer(server: Server, folder: Path, *settings: str) -> Iterator[str]:
    """The URL of Debian's PgBouncer in transaction mode before a server; two sessions of the server for all clients.

    The test is skipped where it is not installed.
    """
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("needs PgBouncer (Debian: apt-get install pgbouncer)")
    port = free_port()
    home = folder / "pgbouncer"
    home.mkdir()
    written = home / "pgbouncer.ini"
    lines = [
        "[databases]",
        f"* = host={server.folder}",
        "[pgbouncer]",
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =",
        f"auth_type = trust\nauth_file = {home}/users",
        "pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 100",
        f"logfile = {home}/log",
        *settings,
    ]
    (home / "users").write_text('"postgres" ""\n"web" ""\n')
    written.write_text("\n".join(lines) + "\n")
    if os.geteuid() == 0:
        for one in (folder, *folder.parents):
            if str(one) != "/tmp" and one.is_relative_to("/tmp"):
                one.chmod(one.stat().st_mode | 0o055)
        os.chown(home, NOBODY, NOBODY)
    process = subprocess.Popen(
        [program, "-q", written], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **rights()
    )
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"

    def answers() -> bool:
        with suppress(psycopg2.Error):
            psycopg2.connect(url, connect_timeout=5).close()
            return True
        return False

    try:
        if not comes(answers, process):
            raise RuntimeError(f"PgBouncer did not start:\n{(home / 'log').read_text()[-2000:]}")
        yield url
    finally:
        process.kill()
        process.wait()
