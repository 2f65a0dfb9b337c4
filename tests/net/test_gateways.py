"""IPFS and Arweave content over the operator's gateways, which may be private: content is all they are asked for."""

from __future__ import annotations

import base64
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.net.http.cids import cid_of
from core.net.http.fetch import Fetcher, FetchError, FetchKind
from core.net.http.gateways import COOL_DOWN
from tests.net.content import TRANSACTION, V0, V1
from tests.net.fetching import fault, fetcher_for, outcome
from tests.net.hostile import HostileServer, Names, answer, redirect
from tests.net.played import SHORT, Clock

KEY = "k3y-0f-the-house"


@pytest.fixture
def servers() -> Iterator[list[HostileServer]]:
    """Three servers at private addresses."""
    servers = [HostileServer("127.0.0.1") for _ in range(3)]
    yield servers
    for server in servers:
        server.close()


@pytest.fixture
def stranger() -> Iterator[HostileServer]:
    server = HostileServer()
    yield server
    server.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def over(*servers: HostileServer, **options: Any) -> Fetcher:
    """Return a fetcher whose gateways the servers are, for IPFS and Arweave."""
    bases = [f"http://{server.authority}" for server in servers]
    return fetcher_for(**{"ipfs_gateways": bases, "arweave_gateways": bases, **options})


@pytest.mark.parametrize(
    ("uri", "path", "url"),
    [
        (f"ipfs://{V0}/a b.json?x#y", f"/ipfs/{V0}/a%20b.json?x", f"ipfs://{V0}/a%20b.json?x#y"),
        (f"https://ipfs.io/ipfs/{V0}", f"/ipfs/{V0}", f"ipfs://{V0}"),
        (V1, f"/ipfs/{V1}", f"ipfs://{V1}"),
        ("ipns://docs.ipfs.tech/1", "/ipns/docs.ipfs.tech/1", "ipns://docs.ipfs.tech/1"),
        (f"ar://{TRANSACTION}/1", f"/{TRANSACTION}/1", f"ar://{TRANSACTION}/1"),
        (f"https://arweave.net/{TRANSACTION}", f"/{TRANSACTION}", f"ar://{TRANSACTION}"),
    ],
)
def test_content_is_asked_for_at_the_gateway(
    servers: list[HostileServer], uri: str, path: str, url: str
) -> None:
    """F72, F79: in whatever form it is written, and with whatever gateway."""
    servers[0].plays[path] = answer(b"{}", Content_Type="application/json")
    assert over(servers[0]).fetch(uri) == (url, b"{}", "application/json")


def test_a_gateway_may_have_a_prefix_a_user_and_a_key(servers: list[HostileServer]) -> None:
    base = f"http://user:p%40ss@{servers[0].authority}/{KEY}/?token={KEY}"
    servers[0].otherwise = answer(b"{}")
    fetcher = fetcher_for(ipfs_gateways=[base])
    assert fetcher.fetch(f"ipfs://{V0}/1?a=b").url == f"ipfs://{V0}/1?a=b"
    assert servers[0].asked == [f"/{KEY}/ipfs/{V0}/1?token={KEY}&a=b"]
    assert "Authorization: Basic dXNlcjpwQHNz\r\n" in servers[0].requests[0]


@pytest.mark.parametrize("end", ["", "/", "/ipfs", "/ipfs/"])
def test_a_gateway_may_be_written_with_its_ipfs_or_without(servers: list[HostileServer], end: str) -> None:
    servers[0].plays[f"/ipfs/{V0}"] = answer(b"{}")
    assert fetcher_for(ipfs_gateways=[f"http://{servers[0].authority}{end}"]).fetch(V0).body == b"{}"


def test_no_failure_tells_the_key(servers: list[HostileServer]) -> None:
    """Not by its words, and not by what it came from."""
    server = servers[0]
    base = f"http://user:{KEY}@{server.authority}/{KEY}?token={KEY}"
    fetcher = fetcher_for(ipfs_gateways=[base])
    plays = [
        answer(b"", "404 Not Found"),
        answer(b"", "500 Oh"),
        answer(b"{}", Content_Length="9"),
        answer(b"{}", Content_Encoding="gzip"),
        answer(b"{}", Content_Length="2, 3"),
        answer(bytes(200_000)),
        redirect(f"http://127.0.0.1:22/{KEY}"),
        redirect("http://["),
        lambda line: line.send(b"nonsense\r\n"),
    ]
    for play in plays:
        server.otherwise = play
        found: BaseException | None = fault(fetcher, f"ipfs://{V0}/1")
        assert f"127.0.0.1:{server.port}" in str(found) or ":22:" in str(found)
        assert KEY not in "".join(traceback.format_exception(found))
        while found is not None:
            assert KEY not in repr(vars(found)) + repr(found.args)
            found = found.__cause__ or found.__context__


@pytest.mark.parametrize(
    "play",
    [
        answer(b"", "504 Gateway Timeout"),
        answer(b"", "429 Too Many Requests"),
        answer(b"", "404 Not Found"),  # some gateways have only what was given to them
        answer(b"", "410 Gone"),  # or refuse what others do not
        answer(b"{}", Content_Length="9"),
        redirect("http://10.0.0.1/"),
        lambda line: line.hang(),
        lambda line: line.send(b"nonsense\r\n"),
    ],
)
def test_the_next_gateway_is_asked(servers: list[HostileServer], play: Any) -> None:
    first, second, _ = servers
    first.otherwise, second.otherwise = play, answer(b"{}")
    assert over(first, second, timeout=2 * SHORT).fetch(f"ipfs://{V0}").body == b"{}"
    assert len(first.asked) == 1


def test_too_large_is_too_large_everywhere(servers: list[HostileServer]) -> None:
    servers[0].otherwise = answer(bytes(200_000))
    assert outcome(over(*servers), f"ipfs://{V0}") is FetchKind.TOO_LARGE
    assert servers[1].asked == []


@pytest.mark.parametrize(
    ("statuses", "kind"),
    [
        ((404, 404, 404), FetchKind.MISSING),
        ((404, 503, 410), FetchKind.UNREACHABLE),  # the one that is down may have it
        ((410, 404, 400), FetchKind.MISSING),
        ((410, 400, 410), FetchKind.GONE),
        ((400, 400, 400), FetchKind.UNUSABLE),
    ],
)
def test_the_most_hopeful_failure_counts(
    servers: list[HostileServer], statuses: tuple[int, ...], kind: FetchKind
) -> None:
    for server, status in zip(servers, statuses, strict=True):
        server.otherwise = answer(b"", f"{status} Whatever")
    assert outcome(over(*servers), f"ipfs://{V0}") is kind


def test_a_gateway_that_is_down_is_asked_last_for_a_while(servers: list[HostileServer], clock: Clock) -> None:
    first, second, _ = servers
    for server in servers:
        server.otherwise = answer(b"{}")
    first.otherwise = answer(b"", "503 Service Unavailable")
    fetcher = over(first, second, clock=clock)
    for _ in range(3):
        assert fetcher.fetch(f"ipfs://{V0}").body == b"{}"
    assert (len(first.asked), len(second.asked)) == (1, 3)
    clock.now += COOL_DOWN + 1
    first.otherwise = answer(b"{}")
    fetcher.fetch(f"ipfs://{V0}")
    assert (len(first.asked), len(second.asked)) == (2, 3)


def test_a_gateway_that_is_down_is_asked_when_there_is_no_other(servers: list[HostileServer]) -> None:
    servers[0].otherwise = answer(b"", "503 Service Unavailable")
    fetcher = over(servers[0])
    for _ in range(3):
        assert outcome(fetcher, f"ipfs://{V0}") is FetchKind.UNREACHABLE
    servers[0].otherwise = answer(b"{}")
    assert fetcher.fetch(f"ipfs://{V0}").body == b"{}"


def test_content_that_nobody_finds_does_not_bring_a_gateway_down_at_once(
    servers: list[HostileServer], clock: Clock
) -> None:
    """A gateway that gives up on one CID has others; three in a row are enough."""
    first, second, _ = servers
    first.otherwise, second.otherwise = answer(b"", "504 Gateway Timeout"), answer(b"{}")
    fetcher = over(first, second, clock=clock)
    for _ in range(5):
        fetcher.fetch(f"ipfs://{V0}")
    assert len(first.asked) == 3


def test_without_gateways_content_is_out_of_reach() -> None:
    for uri in (f"ipfs://{V0}", f"ar://{TRANSACTION}"):
        found = fault(fetcher_for(), uri)
        assert (found.kind, "no gateway" in found.reason) == (FetchKind.UNREACHABLE, True)


def test_a_redirect_to_the_same_content_at_the_same_gateway_is_followed(servers: list[HostileServer]) -> None:
    """Gateways put a slash behind directories, and newer CIDs for old ones; the key goes along."""
    server = servers[0]
    cid = cid_of(V0)
    assert cid is not None
    newer = "b" + base64.b32encode(b"\x01\x70" + cid.multihash).decode().rstrip("=").lower()
    server.plays = {
        f"/ipfs/{V0}?token={KEY}": redirect(f"/ipfs/{V0}/"),
        f"/ipfs/{V0}/?token={KEY}": redirect(f"http://{server.authority}/ipfs/{newer}/index.json"),
        f"/ipfs/{newer}/index.json?token={KEY}": answer(b"{}"),
    }
    fetcher = fetcher_for(ipfs_gateways=[f"http://{server.authority}?token={KEY}"])
    assert fetcher.fetch(f"ipfs://{V0}").body == b"{}"


@pytest.mark.parametrize(
    "location",
    [
        "/api/v0/shutdown",
        f"/ipfs/{V1}/",
        f"/ipfs/{V0}/../../api",
        f"/ipfs/{V0}/%2e%2e/%2e%2e/api",
        f"/ipns/{V0}",
        "/ipfs/",
        f"//127.0.0.1:1/ipfs/{V0}",
        f"http://localhost/ipfs/{V0}",
        f"http://{V1}.ipfs.localhost/",
        "http://169.254.169.254/",
    ],
)
def test_a_private_gateway_redirects_nowhere_else(servers: list[HostileServer], location: str) -> None:
    servers[0].plays[f"/ipfs/{V0}"] = redirect(location)
    assert outcome(over(servers[0]), f"ipfs://{V0}") is FetchKind.REFUSED
    assert servers[0].asked == [f"/ipfs/{V0}"]


def test_a_gateway_may_redirect_to_a_public_place_which_learns_no_key(
    servers: list[HostileServer], stranger: HostileServer
) -> None:
    """Subdomain gateways do; the stranger's own redirects are a stranger's, also back to the gateway."""
    gateway = servers[0]
    place = f"http://{V1}.ipfs.stranger.example:{stranger.port}/"
    gateway.plays[f"/ipfs/{V1}?token={KEY}"] = redirect(place)
    stranger.otherwise = answer(b"{}")
    base = f"http://user:{KEY}@{gateway.authority}?token={KEY}"
    fetcher = fetcher_for(stranger, ipfs_gateways=[base])
    assert fetcher.fetch(f"ipfs://{V1}") == (f"ipfs://{V1}", b"{}", "")
    assert KEY not in stranger.requests[0]
    assert "Authorization" not in stranger.requests[0]
    stranger.otherwise = redirect(f"http://{gateway.authority}/api")
    assert outcome(fetcher, f"ipfs://{V1}") is FetchKind.REFUSED
    assert gateway.asked == [f"/ipfs/{V1}?token={KEY}"] * 2


def test_a_gateway_s_own_url_is_only_a_strangers(servers: list[HostileServer]) -> None:
    """That an operator's gateway is private is no way into its host."""
    server = servers[0]
    fetcher = over(server, resolve=Names(**{"gateway.example": ["127.0.0.1"]}))
    for host in (server.authority, f"gateway.example:{server.port}"):
        for path in ("/", "/api/v0/id", "/ipfs/", f"/{V0}", "/ipfs/x"):
            assert outcome(fetcher, f"http://{host}{path}") is FetchKind.REFUSED
    assert server.asked == []


@pytest.mark.parametrize("base", ["ftp://a", "", "gateway.example", "http://"])
def test_a_wrong_gateway_is_told_at_once(base: str) -> None:
    with pytest.raises(ValueError, match="http"):
        Fetcher(ipfs_gateways=[base], arweave_gateways=[])


def test_several_threads_may_fetch(servers: list[HostileServer]) -> None:
    first, second, _ = servers
    first.otherwise, second.otherwise = answer(b"", "503 Service Unavailable"), answer(b"{}")
    fetcher = over(first, second)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: fetcher.fetch(f"ipfs://{V0}/{number}"), range(64)))
    assert [one.url for one in found] == [f"ipfs://{V0}/{number}" for number in range(64)]
    with pytest.raises(FetchError):
        fetcher.fetch("ipfs://x")
