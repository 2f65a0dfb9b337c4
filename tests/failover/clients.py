"""Clients on a host of their own, until the file is there that ends them; what they saw is printed as JSON lines.

python -m tests.failover.clients ask RATE THREADS PATHS END ADDRESS…
python -m tests.failover.clients walk PATH END ADDRESS…
python -m tests.failover.clients write END DSN
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg2

PATIENCE = 30.0
"""Seconds after which a client gives up."""
KEPT = 3.0
"""Seconds for which a connection is kept that is not used: the server closes it after five."""


class Asking:
    """Sends so many requests a second, whatever becomes of them; a thread that is late asks at once."""

    def __init__(self, rate: float, paths: list[str], addresses: list[str], end: Path) -> None:
        self._rate, self._paths, self._addresses, self._end = rate, paths, addresses, end
        self._lock = threading.Lock()
        self._number = 0
        self._began = time.time()

    def run(self, threads: int) -> None:
        """Ask until the end."""
        started = [threading.Thread(target=self._work) for _ in range(threads)]
        for one in started:
            one.start()
        for one in started:
            one.join()

    def _work(self) -> None:
        kept: dict[str, tuple[float, http.client.HTTPConnection]] = {}
        while not self._end.exists():
            with self._lock:
                number, self._number = self._number, self._number + 1
            time.sleep(max(self._began + number / self._rate - time.time(), 0))
            address = self._addresses[number % len(self._addresses)]
            at = time.time()
            outcome, block = asked(kept, address, self._paths[number // 2 % len(self._paths)])
            say(at=round(at, 3), took=round(time.time() - at, 4), outcome=outcome, block=block, of=address)


def asked(
    kept: dict[str, tuple[float, http.client.HTTPConnection]], address: str, path: str
) -> tuple[str, int | None]:
    """The status of an answer, or what went wrong; and the block that it says it is of."""
    host, _, port = address.partition(":")
    used, connection = kept.pop(address, (0.0, None))
    if connection is None or used < time.monotonic() - KEPT:
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException) as fault:
        connection.close()
        return type(fault).__name__, None
    kept[address] = time.monotonic(), connection
    block = answer.headers.get("X-Indexed-Block")
    return str(answer.status), int(block) if block else None


def walk(path: str, end: Path, addresses: list[str]) -> None:
    """Walk a query, a page from each host in turn, as often as there is time; tell what each walk found."""
    number = 0
    while not end.exists():
        found: list[str] = []
        cursor, failed = "", 0
        while not end.exists():
            number += 1
            host, _, port = addresses[number % len(addresses)].partition(":")
            page: dict[str, Any] | None = None
            with suppress(OSError, http.client.HTTPException, ValueError):
                connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
                connection.request("GET", f"{path}{cursor and f'&cursor={cursor}'}")
                answer = connection.getresponse()
                body = answer.read()
                page = json.loads(body) if answer.status == 200 else None
                connection.close()
            if page is None:
                failed += 1
                time.sleep(0.5)
                continue
            found += [one["tokenId"] for one in page["data"]]
            cursor = page.get("nextCursor", "")
            if not cursor:
                say(walk=found, failed=failed)
                break


def write(end: Path, dsn: str) -> None:
    """Commit a row after the other; tell each that the server acknowledged, and whether it had to be sent again."""
    number = 0
    session = None
    while not end.exists():
        try:
            if session is None:
                session = psycopg2.connect(dsn, connect_timeout=5, tcp_user_timeout=5000)
                session.autocommit = True
            with session.cursor() as cursor:
                cursor.execute("INSERT INTO drill (n) VALUES (%s) ON CONFLICT DO NOTHING", [number])
            say(committed=number, at=round(time.time(), 3))
            number += 1
            time.sleep(0.02)
        except psycopg2.Error as fault:
            say(refused=number, at=round(time.time(), 3), fault=str(fault).strip().splitlines()[0][:100])
            if session is not None:
                session.close()
            session = None
            time.sleep(0.2)


def say(**facts: Any) -> None:
    """Print a line, whole: threads write at once."""
    os.write(sys.stdout.fileno(), f"{json.dumps(facts)}\n".encode())


if __name__ == "__main__":
    kind, *words = sys.argv[1:]
    if kind == "ask":
        rate, threads, paths, end, *addresses = words
        Asking(float(rate), paths.split(" "), addresses, Path(end)).run(int(threads))
    elif kind == "walk":
        path, end, *addresses = words
        walk(path, Path(end), addresses)
    else:
        write(Path(words[0]), words[1])
