"""Which servers of the database may be read: replicas that are proven to be at most REPLICA_MAX_LAG seconds behind.

A thread of each web process asks all servers once a second (`core/db/proofs.py` says what that proves), over sessions
of its own and never longer than a deadline; a request asks nothing more than it did, and looks at a clock. A server
that does not answer is not read until it does, and who waits for an answer of it is freed to ask another.
"""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from select import POLLIN, POLLOUT, poll
from typing import Any, NamedTuple

import psycopg2
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from psycopg2.extensions import POLL_OK, POLL_READ

from core.db.cancelling import hang_up
from core.db.proofs import QUESTION, Proofs, Told

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two questions at most; a fourth of REPLICA_MAX_LAG where that is less.

While none may be read, four times as often.
"""
DEADLINE = 2.0
"""Seconds within which a server answers, a new session included, or counts as away."""


def servers() -> Iterator[str]:
    """Yield the alias of a server to read, and at each further step one that was not tried yet: any replica that is
    fresh enough, then the primary.
    """
    tried: set[str] = set()
    while True:
        fresh = [alias for alias in _fresh() if alias not in tried]
        alias = random.choice(fresh) if fresh else DEFAULT_DB_ALIAS  # noqa: S311 - to share the work out
        if alias in tried:
            return
        tried.add(alias)
        yield alias


class _Standing(NamedTuple):
    moment: float
    """Monotonic; its data is at least of then."""
    is_replica: bool
    place: int
    """How far it has replayed, or written, at least."""


class Watch:
    """Asks the primary and its replicas how they stand: parameters of psycopg2 by alias, the primary's among them."""

    def __init__(self, parameters: Mapping[str, Mapping[str, Any]], most_lag: float) -> None:
        self.pid = os.getpid()
        self._most_lag = most_lag
        self._proofs = Proofs(most_lag)
        lines = {alias: _Line(alias, given) for alias, given in parameters.items()}
        self._primary = lines.pop(DEFAULT_DB_ALIAS)
        self._replicas = list(lines.values())
        self._standings: dict[str, _Standing] = {}
        self._told: dict[str, bool] = {}
        self._pool = ThreadPoolExecutor(len(lines))

    def start(self) -> None:
        """Ask from now on, in a thread that ends with the process."""
        threading.Thread(target=self._run, name="replicas", daemon=True).start()

    def fresh(self) -> list[str]:
        """Return who is fresh enough: those that replay another's log, if there are any."""
        found = self._fresh()
        return [alias for alias, one in found.items() if one.is_replica] or list(found)

    def is_as_far(self, alias: str, place: int | None) -> bool:
        """Tell whether a server's place in the log is not before the one by which it was proven to be fresh."""
        standing = self._standings.get(alias)
        return standing is not None and place is not None and place >= standing.place

    def check(self) -> None:
        """Ask everybody once: the primary, the replicas at the same time, and the primary again."""
        asked_at = time.monotonic()
        before = self._primary.ask()
        self._proofs.primary(asked_at, before)
        told = dict(zip(self._replicas, self._pool.map(_Line.ask, self._replicas), strict=True))
        after = self._primary.ask() if before is not None and not before.is_replica else None
        standings = {}
        for line, answer in told.items():
            moment = self._proofs.moment(line.alias, answer, after)
            if answer is not None and answer.place is not None and moment is not None:
                standings[line.alias] = _Standing(moment, answer.is_replica, answer.place)
        self._standings = standings
        for line, answer in told.items():
            if answer is None:
                hang_up(line.alias, asked_at)
            self._tell(line.alias, answer is not None)
        if before is None and self._fresh():
            hang_up(DEFAULT_DB_ALIAS, asked_at)

    def _fresh(self) -> dict[str, _Standing]:
        oldest = time.monotonic() - self._most_lag
        return {alias: one for alias, one in self._standings.items() if one.moment >= oldest}

    def _run(self) -> None:
        every = min(EVERY, self._most_lag / 4)
        while True:
            started = time.monotonic()
            try:
                self.check()
            except Exception as fault:  # what was proven is proven, and grows old by itself
                if isinstance(fault, RuntimeError) and "shutdown" in str(fault):
                    return  # no thread can be started any more: the process ends
                logger.exception("The replicas could not be asked how they stand.")
            pause = every if self._fresh() else every / 4
            time.sleep(max(started + pause - time.monotonic(), every / 4))

    def _tell(self, alias: str, answers: bool) -> None:
        """Log whether a server is read, where that has changed."""
        is_read = alias in self._fresh()
        if self._told.get(alias) != is_read:
            self._told[alias] = is_read
            reason = "is behind, or of another past" if answers else "does not answer"
            logger.warning("%s is %s.", alias, "read" if is_read else f"not read: it {reason}")


class _Line:
    """A session with a server that never waits beyond a deadline: asynchronous, as libpq has it."""

    def __init__(self, alias: str, parameters: Mapping[str, Any]) -> None:
        self.alias = alias
        self._parameters = parameters
        self._session: Any = None

    def ask(self) -> Told | None:
        """Return what the server says; ``None`` where it does not within the deadline."""
        until = time.monotonic() + DEADLINE
        try:
            if self._session is None:
                self._session = psycopg2.connect(**self._parameters, async_=True)
                _wait(self._session, until)
            with closing(self._session.cursor()) as cursor:
                cursor.execute(QUESTION)
                _wait(self._session, until)
                return Told(*cursor.fetchone())
        except (psycopg2.Error, OSError):
            if self._session is not None:
                self._session.close()
            self._session = None
            return None


def _wait(session: Any, until: float) -> None:
    """Return when the server has answered. Raises ``TimeoutError``."""
    while (state := session.poll()) != POLL_OK:
        ready = poll()
        ready.register(session.fileno(), POLLIN if state == POLL_READ else POLLOUT)
        if not ready.poll(max(until - time.monotonic(), 0) * 1000):
            raise TimeoutError


def require_proven(connection: Any) -> None:
    """Have the replica at the other end of a new session show that it is as far as when it was last asked.

    One that was started anew begins with what it had written to its disk, and takes a while to replay again what it had
    replayed before: what was proven of it holds no more. Raises ``OperationalError``.
    """
    if connection.alias == DEFAULT_DB_ALIAS or _watch is None:
        return
    with connection.wrap_database_errors, connection.connection.cursor() as cursor:
        cursor.execute(QUESTION)
        told = Told(*cursor.fetchone())
    if not _watch.is_as_far(connection.alias, told.place):
        raise OperationalError(f"{connection.alias} was started anew, and is not yet as far as it was.")


_watch: Watch | None = None
_starting = threading.Lock()


def _fresh() -> list[str]:
    """Return the replicas that are fresh enough; the first call of a process begins to ask."""
    global _watch  # noqa: PLW0603 - one a process, begun behind the fork
    if len(settings.DATABASES) == 1:
        return []
    if _watch is None or _watch.pid != os.getpid():
        with _starting:
            if _watch is None or _watch.pid != os.getpid():
                given = {one.alias: one.get_connection_params() for one in connections.all()}
                _watch = Watch(given, settings.REPLICA_MAX_LAG)
                _watch.start()
    return _watch.fresh()
