"""What a server's answer is worth: a document, or a failure of a kind that says whether to come again."""

from __future__ import annotations

import gzip

import pytest

from core.net.http.fetch import Fetcher, FetchKind
from tests.net.fetching import MAX_BODY, fault, fetcher_for, outcome
from tests.net.hostile import CHUNKED, OK, PUBLIC, HostileServer, Names, Play, answer, flooding, raw


def test_a_document_comes_with_its_type(server: HostileServer, fetcher: Fetcher) -> None:
    server.plays["/a%20b?c=d"] = answer(b'{"a": 1}', Content_Type="Application/JSON; charset=utf-8")
    url = f"http://nfts.example:{server.port}/a%20b?c=d"
    found = fetcher.fetch(f"http://NFTs.example.:{server.port}/a b?c=d#e")
    assert found == (f"{url}#e", b'{"a": 1}', "application/json")
    assert f"\r\nHost: nfts.example:{server.port}\r\n" in server.requests[0]


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ("application/json; charset=iso-8859-1", "application/json; charset=iso-8859-1"),
        ('text/plain;charset="Windows-1252"', "text/plain; charset=windows-1252"),
        ("application/json; charset=UTF8", "application/json"),
        ("application/json; boundary=x; Charset = koi8-r", "application/json; charset=koi8-r"),
    ],
)
def test_a_charset_comes_with_the_type_where_it_is_not_that_of_all(
    server: HostileServer, fetcher: Fetcher, stated: str, told: str
) -> None:
    server.plays["/"] = answer(b"{}", Content_Type=stated)
    assert fetcher.fetch(f"http://nfts.example:{server.port}/").media_type == told


def test_headers_without_end_are_no_answer(server: HostileServer, fetcher: Fetcher) -> None:
    server.otherwise = raw(OK, then=flooding(b"a: b\r\n"))
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is FetchKind.UNUSABLE


def test_as_much_as_is_taken_comes(server: HostileServer, fetcher: Fetcher) -> None:
    server.plays = {
        "/plain": answer(bytes(MAX_BODY)),
        "/packed": answer(gzip.compress(bytes(MAX_BODY)), Content_Encoding="gzip"),
    }
    for path in server.plays:
        assert fetcher.fetch(f"http://stranger.example:{server.port}{path}").body == bytes(MAX_BODY)


WRONG: dict[str, tuple[Play, FetchKind]] = {
    "nothing": (raw(), FetchKind.UNREACHABLE),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), FetchKind.UNUSABLE),
    "an odd status": (raw(b"HTTP/1.1 abc OK\r\n\r\n"), FetchKind.UNUSABLE),
    "an odd version": (raw(b"HTTP/9.9 200 OK\r\n\r\n{}"), FetchKind.UNUSABLE),
    "a status line too long": (raw(b"HTTP/1.1 200 " + b"x" * 70_000), FetchKind.UNUSABLE),
    "a header too long": (
        lambda line: line.send(b"HTTP/1.1 200 OK\r\na: " + b"x" * 70_000),
        FetchKind.UNUSABLE,
    ),
    "two lengths": (answer(b"{}", Content_Length="2, 3"), FetchKind.UNUSABLE),
    "fewer bytes than it says": (answer(b"{}", Content_Length="3"), FetchKind.UNREACHABLE),
    "a chunk of no size": (raw(CHUNKED, b"zz\r\n{}\r\n"), FetchKind.UNREACHABLE),
    "a chunk cut off": (raw(CHUNKED, b"5\r\n{}"), FetchKind.UNREACHABLE),
    "no gzip": (answer(b"{}", Content_Encoding="gzip"), FetchKind.UNUSABLE),
    "a packing unknown": (answer(b"{}", Content_Encoding="compress"), FetchKind.UNUSABLE),
    "many packings": (answer(b"{}", Content_Encoding=", ".join(["gzip"] * 20)), FetchKind.UNUSABLE),
    "a part": (answer(b"{}", "206 Partial Content"), FetchKind.UNUSABLE),
    "no content": (answer(b"", "204 No Content"), FetchKind.UNUSABLE),
    "another protocol": (answer(b"", "101 Switching Protocols"), FetchKind.UNUSABLE),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_answer_is_told(server: HostileServer, fetcher: Fetcher, wrong: str) -> None:
    server.otherwise, kind = WRONG[wrong]
    assert outcome(fetcher, f"http://stranger.example:{server.port}/") is kind


@pytest.mark.parametrize(
    ("play", "body"),
    [
        (answer(b"{}garbage", Content_Length="2"), b"{}"),
        (answer(b"{}", Content_Length="-1"), b"{}"),
        (answer(b"{}", Content_Length="many"), b"{}"),
        (raw(b"HTTP/1.0 200 OK\n\n{}"), b"{}"),
        (answer(b"{}", no_value="", Content_Type="\xff\xfe"), b"{}"),
    ],
)
def test_an_answer_that_can_be_made_out_is_taken(
    server: HostileServer, fetcher: Fetcher, play: Play, body: bytes
) -> None:
    """A length that is no number, or is too small, is what the server says of itself: no more is read than that."""
    server.otherwise = play
    assert fetcher.fetch(f"http://stranger.example:{server.port}/").body == body


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (202, FetchKind.UNREACHABLE),  # Arweave: not in a block yet
        (400, FetchKind.UNUSABLE),
        (403, FetchKind.MISSING),
        (404, FetchKind.MISSING),
        (408, FetchKind.UNREACHABLE),
        (410, FetchKind.GONE),
        (425, FetchKind.UNREACHABLE),
        (429, FetchKind.UNREACHABLE),
        (451, FetchKind.GONE),
        (500, FetchKind.UNREACHABLE),
        (503, FetchKind.UNREACHABLE),
        (504, FetchKind.UNREACHABLE),
        (304, FetchKind.UNUSABLE),
    ],
)
def test_a_status_says_whether_to_come_again(
    server: HostileServer, fetcher: Fetcher, status: int, kind: FetchKind
) -> None:
    server.otherwise = answer(b"", f"{status} Whatever", Retry_After="7")
    found = fault(fetcher, f"http://stranger.example:{server.port}/a?key=secret")
    assert found.kind is kind
    assert found.reason == f"http://stranger.example:{server.port}: status {status}"
    assert found.retry_after == (7 if kind in (FetchKind.UNREACHABLE, FetchKind.MISSING) else None)


def test_nobody_there_is_told(server: HostileServer) -> None:
    port = server.port
    fetcher = fetcher_for(server, resolve=Names(**{"none.example": []}))
    server.close()
    assert fault(fetcher, f"http://stranger.example:{port}/").reason.endswith("no connection")
    assert fault(fetcher, f"http://none.example:{port}/").reason.endswith("the name has no address")


def test_the_next_address_is_asked_when_nothing_listens_at_the_first(server: HostileServer) -> None:
    """A name with an IPv6 address on a machine that has none."""
    names = Names(**{"stranger.example": ["127.0.0.10", PUBLIC]})
    fetcher = fetcher_for(server, resolve=names, is_allowed=lambda address: address in ("127.0.0.10", PUBLIC))
    server.otherwise = answer(b"{}")
    assert fetcher.fetch(f"http://stranger.example:{server.port}/").body == b"{}"
    assert names.asked == ["stranger.example"]


def test_a_data_uri_is_a_document_itself_and_has_the_same_limit(fetcher: Fetcher) -> None:
    uri = "data:Application/JSON;base64,e30="
    assert fetcher.fetch(f" {uri}") == (uri, b"{}", "application/json")
    assert len(fetcher.fetch("data:," + "%41" * MAX_BODY).body) == MAX_BODY
    for long in ("data:," + "A" * (MAX_BODY + 1), "data:;base64," + "A" * 4 * MAX_BODY):
        assert outcome(fetcher, long) is FetchKind.TOO_LARGE
    assert outcome(fetcher, "data:;base64,A") is FetchKind.UNUSABLE


def test_the_first_bytes_of_what_is_larger_can_be_had(server: HostileServer) -> None:
    """An animation of gigabytes tells its type in the first of them."""
    server.plays = {
        "/large": answer(b"ftyp" + bytes(10**6)),
        "/packed": answer(gzip.compress(b"ftyp" + bytes(10**6)), Content_Encoding="gzip"),
        "/small": answer(b"ftyp"),
    }
    heads = fetcher_for(server, max_body=100, is_cut=True)
    found = [heads.fetch(f"http://stranger.example:{server.port}{path}").body for path in server.plays]
    assert found == [b"ftyp" + bytes(96), b"ftyp" + bytes(96), b"ftyp"]
