"""Whatever bytes a server sends, out comes a document or the one error."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.net.http.fetch import Fetcher, FetchError
from tests.net.fetching import MAX_BODY, fetcher_for
from tests.net.hostile import HostileServer, raw

PIECES = st.sampled_from(
    [
        *(
            b"HTTP/1.1 200 OK\r\n",
            b"HTTP/1.1 ",
            b"200",
            b"302 Found\r\n",
            b"\r\n",
            b"\n",
            b"\r",
            b" ",
            b"\t",
            b":",
        ),
        *(b"Location: ", b"/", b"//[", b"http://", b"\xff", b"\xc3\xa9", b"Retry-After: ", b"1e9", b"-1"),
        *(
            b"Content-Length: ",
            b"2",
            b"Transfer-Encoding: chunked\r\n",
            b"2\r\n{}\r\n",
            b"0\r\n\r\n",
            b"g\r\n",
        ),
        *(
            b"Content-Encoding: ",
            b"gzip",
            b"deflate",
            b"br",
            b",",
            gzip.compress(b"{}"),
            b"Content-Type: ",
            b";",
        ),
    ]
)
ANSWERS = st.tuples(
    st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 301 Moved\r\n"]),
    st.lists(PIECES | st.binary(max_size=4), max_size=12).map(b"".join),
    st.sampled_from([b"", b"\r\n\r\n", b"\r\n\r\n{}"]),
).map(b"".join)


@pytest.fixture(scope="module")
def playing() -> Iterator[tuple[HostileServer, Fetcher]]:
    """A server and a fetcher for all examples."""
    server = HostileServer()
    yield server, fetcher_for(server, timeout=5)
    server.close()


@given(data=ANSWERS)
@settings(deadline=None)
def test_nothing_but_the_one_error_comes_of_any_bytes(
    playing: tuple[HostileServer, Fetcher], data: bytes
) -> None:
    server, fetcher = playing
    server.otherwise = raw(data)
    try:
        fetched = fetcher.fetch(f"http://stranger.example:{server.port}/")
    except FetchError:
        return
    assert len(fetched.body) <= MAX_BODY
