"""What a page is made of: the CPU of Python that each of its parts takes, in this process and without a server."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from io import BytesIO
from typing import Any
from unittest import mock

from django.core.handlers.wsgi import WSGIHandler

from core.db import each, keyset
from core.rest import rendering, snapshot
from core.rest.filters import QueryFilterBackend
from core.rest.pagination import KeysetPagination
from nftsite.bench.floor import page as floor_page
from tokens.records import nft
from tokens.viewsets import NftViewSet

PARTS: tuple[tuple[str, Any, str], ...] = (
    ("statements", each, "fetched"),
    ("statements", keyset, "fetched"),
    ("snapshot", snapshot, "_begin"),
    ("snapshot", snapshot, "_end"),
    ("query string", QueryFilterBackend, "filter_queryset"),
    ("walk", KeysetPagination, "paginate_queryset"),
    ("records", NftViewSet, "records"),
    ("metadata", nft, "metadata_text"),
    ("metadata", nft, "metadata_record"),
    ("JSON", rendering, "json_bytes"),
)
"""Each part and a function whose own time is its, without that of the parts within."""

REST = "framework, headers"
TURNS, PAGES = 10, 20


class _Clock:
    """Adds up what each part takes by itself."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = [REST]
        self._since = time.thread_time()

    def _turn(self) -> None:
        now = time.thread_time()
        self.seconds[self._open[-1]] += now - self._since
        self._since = now

    def restart(self) -> None:
        """Forget what was done since the last part ended."""
        self._since = time.thread_time()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Have what is done meanwhile be part of ``name``."""
        self._turn()
        self._open.append(name)
        try:
            yield
        finally:
            self._turn()
            self._open.pop()

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time is a part's."""

        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            with self.part(name):
                return function(*args, **named)

        return call


def measure(path: str, address: str | None) -> dict[str, float]:
    """Return the milliseconds of CPU that a page takes Python, by part, the whole of it, and what the floor takes.

    ``path`` has a query string; ``address`` is of the contract that the floor is asked for by turns (``None``: no
    floor, which is PostgreSQL's). Raises ``RuntimeError`` where the page is not answered.
    """
    clock, floor, application = _Clock(), 0.0, WSGIHandler()
    _ask(application, path)
    for _ in range(TURNS):
        if address is not None:
            began = time.thread_time()
            for _ in range(PAGES):
                floor_page(address).encode()
            floor += time.thread_time() - began
        with _timed_by(clock):
            for _ in range(PAGES):
                with clock.part(REST):
                    _ask(application, path)
    each_ms = {
        name: seconds / TURNS / PAGES * 1000
        for name, seconds in sorted(clock.seconds.items(), key=lambda one: -one[1])
    }
    found = {"whole": sum(each_ms.values()), **each_ms} | (
        {"floor": floor / TURNS / PAGES * 1000} if floor else {}
    )
    return {name: round(ms, 3) for name, ms in found.items()}


def line(ms: dict[str, float]) -> str:
    """Return the parts and their shares as a line."""
    shown = (
        f"{name} {one:.2f} ({one / ms['whole']:.0%})"
        for name, one in ms.items()
        if name not in ("whole", "floor")
    )
    floor = f", floor {ms['floor']:.2f}, ratio {ms['whole'] / ms['floor']:.1f}" if "floor" in ms else ""
    return f"CPU of Python in process: {ms['whole']:.2f} ms{floor}: {', '.join(shown)}"


@contextmanager
def _timed_by(clock: _Clock) -> Iterator[None]:
    """Have the clock told when a part begins and ends."""
    with ExitStack() as stack:
        for name, owner, attribute in PARTS:
            function = clock.timed(name, getattr(owner, attribute))
            stack.enter_context(mock.patch.object(owner, attribute, function))
        clock.restart()
        yield


def _ask(application: WSGIHandler, path: str) -> None:
    name, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": name,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": BytesIO(),
    }
    statuses: list[str] = []
    answer = application(environ, lambda status, _: statuses.append(status))  # type: ignore[arg-type]
    b"".join(answer)
    answer.close()
    if statuses != ["200 OK"]:
        raise RuntimeError(f"{path} was answered with {statuses}.")
