"""No client holds a thread: what is slow to come or to leave waits in the event loop."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from tests.patience import PATIENCE, comes

pytestmark = pytest.mark.xdist_group("worker")  # most share one service
THREADS = 2
CONNECTIONS = 40


class Service:
    """A gunicorn of one worker with two threads, before the application that waits."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port

    def connect(self, sent: bytes = b"") -> socket.socket:
        """Return a connection on which something was sent."""
        client = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        client.sendall(sent)
        return client

    def say(self, sent: bytes) -> bytes:
        """Return all that comes back until the service closes the connection."""
        with closing(self.connect(sent)) as client:
            return rest_of(client)

    def begun(self, name: str) -> bool:
        """Tell whether the request for ``/wait/NAME`` has reached the application."""
        return (self.folder / f"begun-{name}").exists()

    def go(self, name: str) -> None:
        """Let the request for ``/wait/NAME`` be answered."""
        (self.folder / name).touch()


def rest_of(client: socket.socket) -> bytes:
    """Read to the end."""
    parts = []
    while part := client.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def asks(path: str, *more: str) -> bytes:
    """Return a request."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: a", *more, "", ""]).encode()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service of one test's own, which may leave its threads at work."""
    with serving(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service for all tests that leave it as it was."""
    with serving(tmp_path_factory.mktemp("serving")) as running:
        yield running


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    """The service on a free port; ``folder`` is for what the application is told."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {"bind": f"127.0.0.1:{port}", "threads": THREADS, "worker-connections": CONNECTIONS}
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", "python:tests.server.no_configuration"]
        + ["-k", "nftsite.server.worker.BufferingWorker", "tests.server.waiting_app"]
        + [f"--{name}={value}" for name, value in options.items()],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "TEST_WAITING_FOLDER": str(folder),
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        },
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    running = Service(folder, port)
    try:
        assert comes(lambda: answers(running), process)
        yield running
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # its worker too, whose threads may be waiting
        process.wait()


def answers(service: Service) -> bool:
    """Tell whether the service has started."""
    try:
        return b"here" in service.say(asks("/", "Connection: close"))
    except OSError:
        return False


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: a\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
    ],
    ids=["nothing", "one byte", "half a head", "half a body"],
)
def test_unfinished_requests_hold_no_thread(shared: Service, sent: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(THREADS * 4):
            stack.enter_context(closing(shared.connect(sent)))
        assert shared.say(asks("/", "Connection: close")).endswith(b"here")


def test_answers_that_nobody_takes_hold_no_thread(service: Service) -> None:
    with ExitStack() as stack:
        for _ in range(THREADS * 4):
            stack.enter_context(closing(service.connect(asks("/bytes/4000000"))))
        assert service.say(asks("/", "Connection: close")).endswith(b"here")


def test_more_silent_connections_than_there_may_be_give_way_to_new_ones(service: Service) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(closing(service.connect())) for _ in range(CONNECTIONS * 2)]
        assert service.say(asks("/", "Connection: close")).endswith(b"here")
        assert silent[0].recv(1) == b"", "the one that was silent longest was closed"


@pytest.mark.parametrize("path", ["/healthz", "/readyz?verbose"])
def test_health_is_told_while_every_thread_is_at_work(service: Service, path: str) -> None:
    with ExitStack() as stack:
        for number in range(THREADS):
            stack.enter_context(closing(service.connect(asks(f"/wait/{number}"))))
            assert comes(partial(service.begun, str(number)))
        assert service.say(asks(path, "Connection: close")).endswith(b"here")


def test_a_request_whose_client_has_gone_is_not_begun(service: Service) -> None:
    with ExitStack() as stack:
        for number in range(THREADS):
            stack.enter_context(closing(service.connect(asks(f"/wait/{number}"))))
            assert comes(partial(service.begun, str(number)))
        service.connect(asks("/wait/gone")).close()
        service.say(asks("/healthz", "Connection: close"))  # the loop has seen by now what came before
        for number in range(THREADS):
            service.go(str(number))
        assert service.say(asks("/", "Connection: close")).endswith(b"here")
        assert not service.begun("gone")


def test_an_answer_comes_whole_however_slowly_it_is_taken(shared: Service) -> None:
    size = 9_000_000
    with closing(shared.connect(asks(f"/bytes/{size}", "Connection: close"))) as client:
        head, _, body = rest_of(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert len(body) == size


def test_requests_on_one_connection_are_answered_in_turn(shared: Service) -> None:
    answer = shared.say(asks("/bytes/1") + asks("/bytes/2") + asks("/bytes/3", "Connection: close"))
    assert [len(body) for body in re.findall(rb"\r\n\r\n(x+)", answer)] == [1, 2, 3]


def test_a_body_that_comes_in_pieces_is_one(shared: Service) -> None:
    with closing(
        shared.connect(b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 6\r\n")
    ) as client:
        for piece in (b"\r", b"\n", b"abc", b"def"):
            client.sendall(piece)
        assert rest_of(client).endswith(b"\r\n\r\nabcdef")


REFUSED = {
    "no request at all": (b"BLAH\r\n\r\n", 400),
    "bytes of TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "no Host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    "a header without a name": (b"GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
    "an unknown version": (b"GET / HTTP/3.7\r\nHost: a\r\n\r\n", 505),
    "a long line": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    "an endless line": (b"GET /" + b"a" * 90_000, 414),
    "a long header": (b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"a" * 9000 + b"\r\n\r\n", 431),
    "long headers": (b"GET / HTTP/1.1\r\nHost: a\r\n" + (b"A: " + b"a" * 5000 + b"\r\n") * 9 + b"\r\n", 431),
    "many headers": (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"A: a\r\n" * 200 + b"\r\n", 431),
    "a body of unknown length": (
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        411,
    ),
    "a long body": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
    "two lengths": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
}


@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_request_is_refused_with_the_body_of_every_error(
    shared: Service, sent: bytes, status: int
) -> None:
    head, _, body = shared.say(sent).partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"content-type: application/json" in head.lower()
    told = json.loads(body)
    assert told["type"] == ("client_error" if status < 500 else "server_error")
    assert [error["attr"] for error in told["errors"]] == [None]
