"""Measures a walk of a large book by the real command, beside a service that answers others."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

import psycopg2

from tests.orders.made_up import APES
from tests.orders.stand_in import KEY
from tests.processes import ROOT, environment

PAGES = (
    f"/api/v1/nfts/by-token?contractAddress={APES}&sortBy=lowestAsk",
    f"/api/v1/nfts/by-token?contractAddress={APES}&priceFilter=eth,0.05,0.06",
    "/api/v1/nfts/by-token?chain=ethereum&sortBy=lowestAsk",
    f"/api/v1/nfts/by-token?contractAddress={APES}&tokenId=7",
)
"""What is asked of the service meanwhile."""
PAUSE = 0.05


class Walk(NamedTuple):
    """How a walk went. Bytes, and seconds."""

    seconds: float
    processor: float
    sizes: list[int]
    """Resident bytes of its process, each second."""
    answers: list[float]
    """How long the service took for each answer meanwhile."""
    written: dict[str, int]
    """Rows inserted, updated or deleted by table."""

    def told(self, name: str, listings: int) -> str:
        """Return a line for a person."""
        early, late = (max(part, default=0) / 2**20 for part in _quarters(self.sizes))
        times = sorted(self.answers)
        slowest = times[-1 - len(times) // 100] if times else 0.0
        return (
            f"{name}: {listings:,} listings in {self.seconds:,.0f} s ({self.processor:,.0f} s of a processor), "
            f"{early:,.0f} MiB at its second quarter, {late:,.0f} MiB at its last; meanwhile {len(times):,} answers, "
            f"{statistics.median(times or [0]) * 1000:,.0f} ms in the middle, {slowest * 1000:,.0f} ms the slowest "
            f"hundredth; rows written: {self.written or 'none'}"
        )


def _quarters(sizes: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    quarter = max(len(sizes) // 4, 1)
    return sizes[quarter : 2 * quarter], sizes[-quarter:]


@contextmanager
def large(listings: int) -> Iterator[str]:
    """The stand-in in a process of its own; yields its address."""
    program = [sys.executable, "-m", "tests.books", "serve", str(listings)]
    process = subprocess.Popen(program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address, "the stand-in did not start"
        yield address
    finally:
        process.kill()
        process.wait()


def walk(url: str, vendor: str, port: int) -> Walk:
    """Read the book by the command, to its end."""
    variables = environment(url, OPENSEA_API_URL=vendor, OPENSEA_API_KEY=KEY, LOG_LEVEL="ERROR")
    before, began = _written(url), time.monotonic()
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [sys.executable, "manage.py", "sync_asks", "--contract", APES, "-v0"]
    process = subprocess.Popen(command, cwd=ROOT, env=variables)
    answers: list[float] = []
    over = threading.Event()
    reader = threading.Thread(target=_ask, args=(port, over, answers))
    reader.start()
    sizes = []
    try:
        while process.poll() is None:
            sizes.append(_resident(process.pid))
            time.sleep(1)
        seconds = time.monotonic() - began
    finally:
        process.kill()
        over.set()
        reader.join()
    assert process.returncode == 0, "the walk failed"
    processor = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
    time.sleep(1.5)  # PostgreSQL tells of what a session wrote once that has ended
    after = _written(url)
    written = {
        name: count - before.get(name, 0) for name, count in after.items() if count != before.get(name, 0)
    }
    return Walk(seconds, processor, [one for one in sizes if one], answers, written)


def _ask(port: int, over: threading.Event, answers: list[float]) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        while not over.is_set():
            for page in PAGES:
                began = time.monotonic()
                connection.request("GET", page)
                with connection.getresponse() as response:
                    response.read()
                    assert response.status == 200, (page, response.status)
                answers.append(time.monotonic() - began)
                over.wait(PAUSE)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _written(url: str) -> dict[str, int]:
    """Rows that were ever inserted, updated or deleted in the tables but for those of walks themselves."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables "
            "WHERE relname NOT LIKE 'indexing_%%'"
        )
        return {name: int(count) for name, count in cursor.fetchall() if count}
