"""Requests over loopback: how long one takes, how many a second there are, what they cost the server."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType

from django.conf import settings

HOST = "127.0.0.1"
WORKERS = 2
THREADS = 4
START_SECONDS = 30
TICKS = os.sysconf("SC_CLK_TCK")

Answer = tuple[float, float, int, str]
"""When a request began and ended (``time.perf_counter``, which all processes share on Linux), its status, its path."""


@dataclass(frozen=True, slots=True)
class Load:
    """What so many requests took, in milliseconds each; ``cpu_ms`` is the server's processes', without PostgreSQL's."""

    requests: int
    refused: int
    errors: int
    per_second: float
    median: float
    p99: float
    slowest: float
    cpu_ms: float


@contextmanager
def server(
    application: str, port: int, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[int]:
    """Serve an application by gunicorn on loopback, with more environment; yield the process id of its master."""
    words = [application, "--bind", f"{HOST}:{port}", "--workers", str(WORKERS), "--threads", str(THREADS)]
    process = subprocess.Popen(  # noqa: S603 - our own server
        [sys.executable, "-m", "gunicorn", *words],
        cwd=settings.BASE_DIR,
        env={**os.environ, "LOG_LEVEL": "ERROR", **environment},
    )
    try:
        wait_until_it_answers(process, port)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


def ask(master: int, port: int, paths: Sequence[str], connections: int) -> Load:
    """Ask for all paths over so many connections that are kept open, each in a process of its own."""
    return _load(*_asked(master, port, paths, connections))


def in_turn(servers: Sequence[tuple[int, int, str]], paths: Sequence[str], rounds: int) -> list[Load]:
    """Ask servers for all paths one by one, in so many rounds by turns.

    Each is its master's process id, its port, and the coding that is accepted of it (``gzip``; ``identity``: none).

    So whatever else the machine does meanwhile, it does to all of them.
    """
    found: list[tuple[list[Answer], float]] = [([], 0.0) for _ in servers]
    for part in (paths[number::rounds] for number in range(rounds)):
        for place, (master, port, coding) in enumerate(servers):
            answers, cpu = _asked(master, port, part, 1, coding)
            found[place] = found[place][0] + answers, found[place][1] + cpu
    return [_load(answers, cpu) for answers, cpu in found]


def _asked(
    master: int, port: int, paths: Sequence[str], connections: int, coding: str = "identity"
) -> tuple[list[Answer], float]:
    """Return the answers, and the CPU seconds that they cost the server."""
    with ProcessPoolExecutor(connections, mp_context=get_context("spawn")) as pool:
        list(pool.map(_warm_up, [port] * connections, [paths[0]] * connections))
        before = _cpu_seconds(master)
        parts = [paths[number::connections] for number in range(connections)]
        found = pool.map(_ask, [port] * connections, parts, [coding] * connections)
        answers = [answer for part in found for answer in part]
        return answers, _cpu_seconds(master) - before


def _load(answers: Sequence[Answer], cpu: float) -> Load:
    times = sorted((end - begin) * 1000 for begin, end, _, _ in answers)
    span = max(end for _, end, _, _ in answers) - min(begin for begin, _, _, _ in answers)
    return Load(
        requests=len(answers),
        refused=sum(400 <= status < 500 for _, _, status, _ in answers),
        errors=sum(status >= 500 for _, _, status, _ in answers),
        per_second=round(len(answers) / span, 1),
        median=round(statistics.median(times), 2),
        p99=round(times[int(len(times) * 0.99)], 2),
        slowest=round(times[-1], 2),
        cpu_ms=round(cpu / len(answers) * 1000, 2),
    )


def body(port: int, path: str) -> bytes:
    """Return the body of one answer. Raises ``RuntimeError`` when it is not 200."""
    connection = HTTPConnection(HOST, port, timeout=120)
    connection.request("GET", path)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return data


def _ask(port: int, paths: Sequence[str], coding: str = "identity") -> list[Answer]:
    connection = HTTPConnection(HOST, port, timeout=120)
    answers = []
    for path in paths:
        begin = time.perf_counter()
        connection.request("GET", path, headers={"Accept-Encoding": coding})
        answer = connection.getresponse()
        answer.read()
        answers.append((begin, time.perf_counter(), answer.status, path))
    connection.close()
    return answers


def _warm_up(port: int, path: str) -> None:
    """Have this process started, and so many threads of the server connected to the database."""
    _ask(port, [path] * 10)


def wait_until_it_answers(process: subprocess.Popen[bytes], port: int) -> None:
    """Return once something listens. Raises ``RuntimeError`` when the process ends before, or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        connection = HTTPConnection(HOST, port, timeout=5)
        try:
            connection.connect()
            return
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise RuntimeError("The server did not start.")


def _cpu_seconds(master: int) -> float:
    """Return the CPU time of a server's processes so far (Linux)."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    return sum(_cpu_of(pid) for pid in [str(master), *children])


def _cpu_of(pid: str) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
