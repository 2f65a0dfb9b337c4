"""What indexing costs: a made-up chain into an empty database, and all that follows from it derived again."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from nftsite.bench import beside, http
from nftsite.bench.made_up_node import LOGS_A_BLOCK

PORT = 8768
_DATABASE = "bench_indexing"
_INDEX = ("index", "--chain", "ethereum", "--rpc-url", f"http://{http.HOST}:{PORT}", "--from-block", "1")
_LOSE_OWNERS = (
    "TRUNCATE tokens_owner",
    "UPDATE tokens_nftrecent SET recent_key = '~', last_transfer_id = NULL, markets = '[]', owners_total = NULL",
)


@dataclass(frozen=True, slots=True)
class Run:
    """What a command took for so many logs, its start included: wall, and CPU seconds, its own and PostgreSQL's."""

    name: str
    logs: int
    seconds: float
    per_second: float
    own_cpu: float
    database_cpu: float
    peak_mib: float
    load_average: float


def measure(logs: int) -> Iterator[Run]:
    """Yield what indexing so many logs of one a transaction takes, and deriving from them again.

    That is once as it stands, and once with all owners lost. Raises ``RuntimeError`` when a command fails. The CPU
    seconds of PostgreSQL are those of its processes on this machine (Linux).
    """
    blocks = logs // LOGS_A_BLOCK
    with beside.database(_DATABASE) as url, _node(blocks):
        environment = {"DATABASE_URL": url}
        beside.manage(environment, "migrate", "-v0")
        yield _run("indexed", logs, environment, *_INDEX, "--to-block", str(blocks))
        yield _run("derived again", logs, environment, "rederive")
        for statement in _LOSE_OWNERS:
            beside.manage(environment, "shell", "-v0", "-c", _EXECUTE.format(statement))
        yield _run("derived again, owners lost", logs, environment, "rederive")


_EXECUTE = "from django.db import connection; connection.cursor().execute({!r})"


def _run(name: str, logs: int, environment: Mapping[str, str], *words: str) -> Run:
    cpu: dict[int, float] = {}
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "manage.py", *words, "-v0"],
        cwd=settings.BASE_DIR,
        env=os.environ | dict(environment),
        stdout=subprocess.DEVNULL,
    )
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(ended, cpu))
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    ended.set()
    watcher.join()
    if status:
        raise RuntimeError(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}.")
    return Run(
        name=name,
        logs=logs,
        seconds=round(seconds, 1),
        per_second=round(logs / seconds),
        own_cpu=round(usage.ru_utime + usage.ru_stime, 1),
        database_cpu=round(sum(cpu.values()), 1),
        peak_mib=round(usage.ru_maxrss / 1024),
        load_average=round(os.getloadavg()[0], 1),
    )


def _watch(ended: threading.Event, cpu: dict[int, float]) -> None:
    """Note the CPU seconds of the server's processes for the database until something has ended, by process id."""
    try:
        while not ended.wait(0.1):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", [_DATABASE])
                for (pid,) in cursor.fetchall():
                    stat = Path(f"/proc/{pid}/stat")
                    if stat.exists():
                        fields = stat.read_text().rpartition(")")[2].split()
                        cpu[pid] = (int(fields[11]) + int(fields[12])) / http.TICKS
    finally:
        connection.close()


@contextmanager
def _node(blocks: int) -> Iterator[None]:
    words = [sys.executable, "-m", "nftsite.bench.made_up_node", str(PORT), str(blocks)]
    process = subprocess.Popen(words, cwd=settings.BASE_DIR)  # noqa: S603
    try:
        http.wait_until_it_answers(process, PORT)
        yield
    finally:
        process.kill()
        process.wait()
