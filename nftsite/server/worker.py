"""The worker of gunicorn that serves the API: `worker_class` of gunicorn.conf.py.

Gunicorn's own worker with threads reads a request, and sends an answer, in the thread that computes it: as many clients
as there are threads, that send half a request or take no answer, stop everything. Here the event loop reads and sends.
A thread is handed a whole request and hands back a whole answer.

- A request has to be here within ten seconds; a client has to take some of its answer every twenty.
- With too many connections the one that has waited longest without a request is closed, so that new ones come in.
- `/healthz` and `/readyz` have a thread each, whatever the others do.
- A request whose client hangs up is not begun; one that is at work has its query cancelled.
- A request that waited for a thread too long is answered 503.
"""

from __future__ import annotations

import errno
import selectors
import socket
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from gunicorn.errors import ConfigError
from gunicorn.http.errors import InvalidHeader
from gunicorn.workers.gthread import ThreadWorker

from core.db import cancelling
from nftsite.server.connections import Connection, RefusedError

WAITS_SECONDS: Final = 10.0
"""For which a request waits for a thread at most."""

LINGERS_SECONDS: Final = 2.0
"""For which a connection that is done is read, so that the client gets the answer before it is closed."""

BUSY = "The service is busy. Try again."


class BufferingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Threads that never wait for a client."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Refuse TLS, which a proxy has to end: the event loop reads what is sent as it is."""
        if cfg.is_ssl:
            raise ConfigError("This service speaks plain HTTP: let a proxy end TLS.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tpool: ThreadPoolExecutor
        self.most: int = self.cfg.worker_connections
        self.worker_connections: float = float("inf")  # it always accepts, and makes room
        self.idle: dict[Connection, None] = {}
        """Connections without a whole request, or with an answer that is leaving; the oldest first."""
        self.working: set[Connection] = set()
        self._looked = 0.0

    def init_process(self) -> None:
        """Start the threads, then serve."""
        from nftsite.server import refusals  # gunicorn loads its worker before Django has its settings

        self.apart = {path.encode(): ThreadPoolExecutor(1) for path in settings.PROBES}
        self.helper = ThreadPoolExecutor(1)
        refusals.prepare(self)
        self.refusals = refusals
        super().init_process()

    def notify(self) -> None:
        """Tell gunicorn that all is well; not while a request takes longer than the timeout, so that it acts."""
        late = time.monotonic() - self.cfg.timeout
        if not any(conn.at_work and conn.since < late for conn in self.working):
            super().notify()

    # Connections

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection, in place of the one that has been silent longest where there are too many."""
        try:
            raw, client = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                self.log.warning("A connection could not be accepted: %s", error)
                self._make_room()  # out of file descriptors, say
            return
        self.nr_conns += 1
        if self.nr_conns > self.most:
            self._make_room()
        conn = Connection(self.cfg, raw, client, listener.getsockname())
        self._idle(conn, self._read, conn.deadline)

    def _make_room(self) -> None:
        oldest = next(iter(self.idle), None)
        if oldest is not None:
            self._close(oldest)

    def _watch(self, conn: Connection, events: int, callback: Callable[[Connection], None]) -> None:
        self._unwatch(conn)
        self.poller.register(conn.raw, events, partial(self._happened, conn, callback))

    def _happened(self, conn: Connection, callback: Callable[[Connection], None], _: object) -> None:
        try:
            callback(conn)
        except Exception:  # a fault of ours ends one connection, not those of everybody
            self.log.exception("A connection failed.")
            self._close(conn)

    def _unwatch(self, conn: Connection) -> None:
        with suppress(KeyError, ValueError):  # it is not watched
            self.poller.unregister(conn.raw)

    def _idle(self, conn: Connection, callback: Callable[[Connection], None], deadline: float) -> None:
        conn.deadline = deadline
        self.idle[conn] = None
        self._watch(conn, selectors.EVENT_READ, callback)

    def _close(self, conn: Connection) -> None:
        self._unwatch(conn)
        self.idle.pop(conn, None)
        if not conn.closed:
            conn.closed = conn.gone = True
            self.nr_conns -= 1
            conn.raw.close()

    def murder_keepalived(self, force: bool = False) -> None:
        """Close the connections whose time is over; all of them with ``force``."""
        now = time.monotonic()
        if now - self._looked < 0.5 and not force:
            return
        self._looked = now
        for conn in [conn for conn in self.idle if force or conn.deadline < now]:
            if conn.arrived and not conn.sock.waiting:
                self._answer(
                    conn, self._refusal(HTTPStatus.REQUEST_TIMEOUT, "The request did not come in time.")
                )
            else:
                self._close(conn)

    def murder_pending(self) -> None:
        """There are none: gunicorn's own state of a connection without data."""

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self.idle:
            conn.deadline = min(conn.deadline, deadline)

    # Requests

    def _read(self, conn: Connection) -> None:
        conn.receive()
        self._proceed(conn)

    def _proceed(self, conn: Connection) -> None:
        """Begin the request of a connection where it is complete; else wait for the rest."""
        try:
            if conn.arrived and conn.is_complete():
                self._begin(conn)
            elif conn.gone:
                self._close(conn)
        except RefusedError as error:
            self._answer(conn, self._refusal(error.status, error.detail))

    def _begin(self, conn: Connection) -> None:
        pool = self.apart.get(conn.target(), self.tpool)
        conn.hand_over()
        conn.since = time.monotonic()
        self.idle.pop(conn, None)
        self.working.add(conn)
        self._watch(conn, selectors.EVENT_READ, self._look)
        future = pool.submit(self.handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))

    def _look(self, conn: Connection) -> None:
        """Notice that a client hangs up while its request is at work; what else it sends is for later."""
        conn.receive()
        if conn.gone:
            self._unwatch(conn)
            self.helper.submit(cancelling.cancel, conn)
        elif len(conn.arrived) > 65_536:
            self._unwatch(conn)

    def handle(self, conn: Connection) -> bool:
        """Answer a request, in a thread; return whether the connection is kept."""
        if conn.gone:
            return False
        if time.monotonic() - conn.since > WAITS_SECONDS:
            conn.sock.sendall(self._refusal(HTTPStatus.SERVICE_UNAVAILABLE, BUSY))
            return False
        conn.since = time.monotonic()
        conn.at_work = True
        try:
            with cancelling.on_behalf_of(conn):
                return bool(super().handle(conn))
        finally:
            conn.at_work = False

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Answer a request that gunicorn could parse. HTTP/1.1 has one Host, always (RFC 9112, section 3.2)."""
        hosts = sum(name == "HOST" for name, _ in req.headers)
        if hosts > 1 or (hosts == 0 and req.version >= (1, 1)):
            raise InvalidHeader("HOST", req=req)
        return super().handle_request(req, conn)

    # Answers

    def _refusal(self, status: int, detail: str) -> bytes:
        answer: bytes = self.refusals.answer(HTTPStatus(status), uuid.uuid4().hex, detail)
        return answer

    def finish_request(self, conn: Connection, done: Future[bool]) -> None:
        self.working.discard(conn)
        conn.keep = not done.cancelled() and done.exception() is None and done.result()
        conn.take_back()
        self._send(conn)

    def _answer(self, conn: Connection, answer: bytes) -> None:
        """Send an answer of the event loop's own, the last one of its connection."""
        conn.keep = False
        conn.sock.waiting += answer
        self._send(conn)

    def _send(self, conn: Connection) -> None:
        if conn.closed:
            return
        if not conn.flush():
            self.idle[conn] = None
            self._watch(conn, selectors.EVENT_WRITE, self._send)
        elif conn.gone and not (conn.keep and conn.arrived):
            self._close(conn)
        elif not conn.keep:
            self._leave(conn)
        else:
            self.idle.pop(conn, None)
            self._idle(conn, self._read, time.monotonic() + self.cfg.keepalive)
            self._proceed(conn)

    def _leave(self, conn: Connection) -> None:
        """Say that no more comes, and close once the client has said so: closed at once, it might lose the answer."""
        try:
            conn.raw.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
            return
        conn.arrived.clear()
        self._idle(conn, self._discard, time.monotonic() + LINGERS_SECONDS)

    def _discard(self, conn: Connection) -> None:
        conn.receive()
        conn.arrived.clear()
        if conn.gone:
            self._close(conn)
