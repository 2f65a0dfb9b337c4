"""Servers that want to reach into the house, hold a worker or fill its memory."""

from __future__ import annotations

import gzip
import threading
import time
import tracemalloc
import zlib

import pytest

from core.net.http.fetch import Fetcher, FetchKind
from tests.net.fetching import HURRIED, MAX_BODY, fetcher_for, outcome
from tests.net.hostile import (
    CHUNKED,
    ENDLESS,
    HOLDING,
    LATEST,
    PUBLIC,
    HostileServer,
    Line,
    Names,
    Play,
    answer,
    flooding,
    raw,
    redirect,
)
from tests.patience import PATIENCE

BOMB = gzip.compress(bytes(50_000_000))


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/",
        "//127.0.0.1:{port}/",
        "http://inside.example:{port}/",
        "http://localhost:{port}/",
        "http://127.1:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f000001:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://[::1]:{port}/",
        "http://0:{port}/",
        "http://169.254.169.254/latest/meta-data/",
        "http://stranger.example:22/",
        "http://user:password@stranger.example:{port}/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/",
        "data:application/json,{{}}",
    ],
)
@pytest.mark.parametrize("status", [301, 308])
def test_redirects_are_checked_like_urls(
    server: HostileServer, inside: HostileServer, fetcher: Fetcher, location: str, status: int
) -> None:
    """F82: a public URL that redirects to the inside; refused also as the last of several redirects."""
    server.plays["/"] = redirect(location.format(port=server.port), status)
    server.plays["/first"] = redirect("/")
    for path in ("/", "/first"):
        assert outcome(fetcher, f"http://stranger.example:{server.port}{path}") is FetchKind.REFUSED


def test_three_redirects_are_followed_and_a_fourth_is_not(server: HostileServer, fetcher: Fetcher) -> None:
    base = f"http://stranger.example:{server.port}"
    server.plays |= {f"/{step}": redirect(f"{step + 1}") for step in range(5)} | {"/4": answer(b"end")}
    assert fetcher.fetch(f"{base}/1") == (f"{base}/4", b"end", "")
    server.asked.clear()
    assert outcome(fetcher, f"{base}/0") is FetchKind.REFUSED
    assert server.asked == ["/0", "/1", "/2", "/3"]


def test_a_loop_of_redirects_ends(server: HostileServer, fetcher: Fetcher) -> None:
    server.otherwise = redirect("/")
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.REFUSED
    assert len(server.asked) == 4


@pytest.mark.parametrize("location", ["http://[/", "http://a..b/", "http://%/"])
def test_a_redirect_to_no_url_is_no_answer(server: HostileServer, fetcher: Fetcher, location: str) -> None:
    server.otherwise = redirect(location)
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.UNUSABLE


def test_a_redirect_without_a_place_is_no_answer(server: HostileServer, fetcher: Fetcher) -> None:
    server.otherwise = answer(b"{}", "302 Found")
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.UNUSABLE


def test_a_name_is_looked_up_once(server: HostileServer, inside: HostileServer) -> None:
    """DNS rebinding: the second answer of the resolver is private, and nobody asks for it."""
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    fetcher = fetcher_for(server, resolve=Names(**{"rebinding.example": lambda: next(answers)}))
    server.otherwise = answer(b"{}")
    url = f"http://rebinding.example:{server.port}/"
    assert fetcher.fetch(url).body == b"{}"
    assert outcome(fetcher, url) is FetchKind.REFUSED


def test_one_private_address_among_public_ones_is_refused(
    server: HostileServer, inside: HostileServer
) -> None:
    fetcher = fetcher_for(server, resolve=Names(**{"mixed.example": [PUBLIC, "127.0.0.1"]}))
    assert outcome(fetcher, f"http://mixed.example:{server.port}/") is FetchKind.REFUSED
    assert server.asked == []


@pytest.mark.parametrize("holding", HOLDING)
def test_nobody_holds_a_worker_beyond_its_deadline(server: HostileServer, holding: str) -> None:
    fetcher = fetcher_for(server, timeout=HURRIED)
    server.otherwise = HOLDING[holding]
    started = time.monotonic()
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.UNREACHABLE
    assert time.monotonic() - started < LATEST


def test_redirects_share_one_deadline(server: HostileServer) -> None:
    fetcher = fetcher_for(server, timeout=HURRIED)

    def slow(line: Line) -> None:
        line.closing.wait(HURRIED / 2)
        redirect("/")(line)

    server.otherwise = slow
    started = time.monotonic()
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.UNREACHABLE
    assert time.monotonic() - started < LATEST


def test_a_resolver_that_hangs_holds_nobody(server: HostileServer) -> None:
    at_last = threading.Event()
    fetcher = fetcher_for(
        server, timeout=HURRIED, resolve=lambda _: [PUBLIC] if at_last.wait(PATIENCE) else []
    )
    started = time.monotonic()
    for _ in range(2):
        assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.UNREACHABLE
    assert time.monotonic() - started < LATEST
    at_last.set()


FILLING: dict[str, Play] = {
    "a body without end": raw(ENDLESS, then=flooding(bytes(10_000))),
    "chunks without end": raw(CHUNKED, then=flooding(b"2710\r\n" + bytes(10_000) + b"\r\n")),
    "a chunk without end": raw(CHUNKED, b"ffffffffffff\r\n", then=flooding(bytes(10_000))),
    "a gzip bomb": answer(BOMB, Content_Encoding="gzip"),
    "a gzip bomb in chunks": raw(
        CHUNKED[:-2], b"Content-Encoding: x-gzip\r\n\r\n%x\r\n" % len(BOMB), BOMB, b"\r\n0\r\n\r\n"
    ),
    "a deflate bomb": answer(zlib.compress(bytes(50_000_000)), Content_Encoding="deflate"),
    "a bomb in a bomb": answer(gzip.compress(BOMB), Content_Encoding="gzip, gzip"),
    "a length of petabytes": answer(b"{}", Content_Length="1" + "0" * 16),
    "one byte more than is taken": answer(bytes(MAX_BODY + 1)),
    "one byte more, unpacked": answer(gzip.compress(bytes(MAX_BODY + 1)), Content_Encoding="gzip"),
}


@pytest.mark.parametrize("filling", FILLING)
def test_nothing_fills_the_memory(server: HostileServer, filling: str) -> None:
    """At most a few times of what is taken is in memory at any moment, of 50 megabytes or of endlessly many."""
    fetcher = fetcher_for(server)
    server.otherwise = FILLING[filling]
    tracemalloc.start()
    try:
        assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.TOO_LARGE
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * MAX_BODY


def test_proxies_of_the_environment_are_not_asked(
    server: HostileServer, inside: HostileServer, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would look the name up once more, and may reach the inside."""
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://{inside.authority}")
    server.otherwise = answer(b"{}")
    assert fetcher.fetch(f"http://stranger.example:{server.port}/").body == b"{}"
