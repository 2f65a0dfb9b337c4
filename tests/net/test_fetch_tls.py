"""Certificates are those of the name in the URL, although the connection is made to an address."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator

import pytest
import trustme

from core.net.http.fetch import Fetcher, FetchKind
from tests.net.fetching import HURRIED, fault, fetcher_for
from tests.net.hostile import HostileServer, Line, answer
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server(authority: trustme.CA) -> Iterator[HostileServer]:
    """A server with a certificate for nfts.example."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("nfts.example").configure_cert(context)
    server = HostileServer(context=context)
    server.otherwise = answer(b"{}")
    yield server
    server.close()


@pytest.fixture
def context(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
def fetcher(context: ssl.SSLContext, server: HostileServer) -> Fetcher:
    return fetcher_for(server, context=context)


def test_a_certificate_for_the_name_is_taken(server: HostileServer, fetcher: Fetcher) -> None:
    assert fetcher.fetch(f"https://nfts.example:{server.port}/1").body == b"{}"
    assert f"\r\nHost: nfts.example:{server.port}\r\n" in server.requests[0]


def test_a_certificate_for_another_name_is_not(server: HostileServer, fetcher: Fetcher) -> None:
    found = fault(fetcher, f"https://other.example:{server.port}/1")
    assert (found.kind, server.requests) == (FetchKind.UNREACHABLE, [])
    assert "TLS failed" in found.reason
    assert "other.example" in found.reason


def test_a_certificate_for_a_name_is_none_for_its_address(server: HostileServer, fetcher: Fetcher) -> None:
    assert "TLS failed" in fault(fetcher, f"https://{server.authority}/1").reason
    assert server.requests == []


def test_an_authority_unknown_to_the_system_is_not_believed(server: HostileServer) -> None:
    found = fault(fetcher_for(server), f"https://nfts.example:{server.port}/1")
    assert (found.kind, server.requests) == (FetchKind.UNREACHABLE, [])


def test_a_server_without_tls_is_told() -> None:
    plain = HostileServer()
    try:
        found = fault(fetcher_for(plain, timeout=HURRIED), f"https://nfts.example:{plain.port}/1")
    finally:
        plain.close()
    assert found.kind is FetchKind.UNREACHABLE


@pytest.mark.parametrize("play", [Line.hang, lambda line: line.drip(b"HTTP/1.1 200 OK\r\nA: b\r\n")])
def test_nobody_holds_a_worker_over_tls(server: HostileServer, context: ssl.SSLContext, play: object) -> None:
    fetcher = fetcher_for(server, context=context, timeout=HURRIED)
    server.otherwise = play  # type: ignore[assignment]
    started = time.monotonic()
    assert fault(fetcher, f"https://nfts.example:{server.port}/1").kind is FetchKind.UNREACHABLE
    assert time.monotonic() - started < PATIENCE / 2


def test_a_handshake_that_hangs_ends_in_time() -> None:
    """A plain server that waits for the end of a request line hears the start of a handshake, and says nothing."""
    plain = HostileServer()
    started = time.monotonic()
    try:
        found = fault(fetcher_for(plain, timeout=HURRIED), f"https://nfts.example:{plain.port}/1")
        assert found.kind is FetchKind.UNREACHABLE
    finally:
        plain.close()
    assert time.monotonic() - started < PATIENCE / 2
