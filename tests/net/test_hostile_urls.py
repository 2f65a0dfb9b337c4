"""URLs that lead inside: each is told from a public one before anything is asked, and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.http.fetch import Fetcher, FetchError, FetchKind
from core.net.http.guarded_addresses import is_public
from tests.net.content import PIECES, TRANSACTION, V0
from tests.net.fetching import fault
from tests.net.hostile import Names

REFUSED, UNUSABLE, UNREACHABLE = FetchKind.REFUSED, FetchKind.UNUSABLE, FetchKind.UNREACHABLE
NAMES = Names(
    **{
        "rebound.example": ["169.254.169.254"],
        "mixed.example": ["93.184.215.14", "10.0.0.1"],
        "mapped.example": ["::ffff:10.0.0.1"],
        "zoned.example": ["fe80::1%eth0"],
        "garbage.example": ["nonsense"],
        "none.example": [],
        "public.example": ["93.184.215.14"],
    }
)
HOSTILE: list[tuple[str, FetchKind, str]] = [
    # the same loopback address, as inet_aton and browsers read it
    ("http://127.0.0.1/", REFUSED, "loopback"),
    ("http://127.0.0.1:80/", REFUSED, "with its port"),
    ("https://127.0.0.1/", REFUSED, "over TLS"),
    ("http://127.255.255.254/", REFUSED, "all of 127/8 is loopback"),
    ("http://2130706433/", REFUSED, "decimal"),
    ("http://0x7f000001/", REFUSED, "hexadecimal"),
    ("http://017700000001/", REFUSED, "octal"),
    ("http://0177.0.0.1/", REFUSED, "octal in one part"),
    ("http://0x7f.0x0.0x0.0x1/", REFUSED, "hexadecimal in each part"),
    ("http://127.1/", REFUSED, "short"),
    ("http://127.0.1/", REFUSED, "less short"),
    ("http://0x7f.1/", REFUSED, "short and mixed"),
    ("http://127.0.0.1./", REFUSED, "a dot at the end"),
    ("http://１２７.０.０.１/", REFUSED, "full-width digits"),
    ("http://①②⑦.⓪.⓪.①/", REFUSED, "circled digits"),
    ("http://127。0。0。1/", REFUSED, "ideographic full stops"),
    ("http://127%2e0%2e0%2e1/", UNUSABLE, "a host with escapes is no name"),
    ("http:127.0.0.1/", REFUSED, "no slashes"),
    ("http:////127.0.0.1/", REFUSED, "too many slashes"),
    ("http:\\\\127.0.0.1\\", UNUSABLE, "backslashes"),
    ("\thttp://127.0.\n0.1/", REFUSED, "white space within"),
    ("http://0/", REFUSED, "this host"),
    ("http://0.0.0.0/", REFUSED, "this host, in full"),
    ("http://256.0.0.1/", UNUSABLE, "ends in a number and is no address"),
    ("http://1.2.3.4.5/", UNUSABLE, "too many parts"),
    ("http://4294967296/", UNUSABLE, "beyond 32 bits"),
    # other private ones
    ("http://10.0.0.1/", REFUSED, "private"),
    ("http://172.31.255.255/", REFUSED, "private"),
    ("http://192.168.1.1/", REFUSED, "private"),
    ("http://100.64.0.1/", REFUSED, "shared by carriers, and by clusters"),
    ("http://169.254.169.254/latest/meta-data/", REFUSED, "metadata of a cloud"),
    ("http://0xa9fea9fe/", REFUSED, "the same, hexadecimal"),
    ("http://168.63.129.16/", REFUSED, "the inside of another cloud"),
    ("http://192.0.0.8/", REFUSED, "dummy address, public by Python 3.11"),
    ("http://192.0.0.192/", REFUSED, "metadata of a third cloud"),
    ("http://192.88.99.1/", REFUSED, "6to4 relay"),
    ("http://198.18.0.1/", REFUSED, "benchmarks"),
    ("http://203.0.113.7/", REFUSED, "documentation"),
    ("http://224.0.0.1/", REFUSED, "multicast"),
    ("http://240.0.0.1/", REFUSED, "reserved"),
    ("http://255.255.255.255/", REFUSED, "broadcast"),
    # IPv6
    ("http://[::]/", REFUSED, "unspecified"),
    ("http://[::1]/", REFUSED, "loopback"),
    ("http://[0:0:0:0:0:0:0:1]/", REFUSED, "loopback, in full"),
    ("http://[::ffff:127.0.0.1]/", REFUSED, "mapped"),
    ("http://[::ffff:7f00:1]/", REFUSED, "mapped, hexadecimal"),
    ("http://[::127.0.0.1]/", REFUSED, "compatible, long gone"),
    ("http://[::ffff:0:127.0.0.1]/", REFUSED, "translated, RFC 2765"),
    ("http://[64:ff9b::127.0.0.1]/", REFUSED, "NAT64, public by Python 3.11"),
    ("http://[64:ff9b:1::10.0.0.1]/", REFUSED, "local NAT64"),
    ("http://[2002:7f00:1::]/", REFUSED, "6to4, public by Python 3.11"),
    ("http://[2001:0:7f00:1::]/", REFUSED, "Teredo"),
    ("http://[2001:db8::1]/", REFUSED, "documentation"),
    ("http://[2606:4700::5efe:10.0.0.1]/", REFUSED, "ISATAP"),
    ("http://[fc00::1]/", REFUSED, "unique local"),
    ("http://[fd00:ec2::254]/", REFUSED, "metadata of a cloud"),
    ("http://[fe80::1]/", REFUSED, "link-local"),
    ("http://[fe80::1%25eth0]/", UNUSABLE, "with a zone"),
    ("http://[fec0::1]/", REFUSED, "site-local"),
    ("http://[ff02::1]/", REFUSED, "multicast"),
    ("http://[::1", UNUSABLE, "half a bracket"),
    ("http://::1/", UNUSABLE, "no brackets"),
    # names
    ("http://localhost/", REFUSED, "a local name"),
    ("http://LOCALHOST./", REFUSED, "in capitals and with a dot"),
    ("http://ｌｏｃａｌｈｏｓｔ/", REFUSED, "full-width"),
    ("http://ⓛocalhost/", REFUSED, "circled"),
    ("http://a.localhost/", REFUSED, "below localhost"),
    ("http://printer.local/", REFUSED, "multicast DNS"),
    ("http://metadata.google.internal/", REFUSED, "metadata of a cloud"),
    ("http://postgres/", REFUSED, "a name of one word is the house's"),
    ("http://rebound.example/", REFUSED, "a public name of a private address"),
    ("http://mixed.example/", REFUSED, "one private address among public ones"),
    ("http://mapped.example/", REFUSED, "a mapped address from the resolver"),
    ("http://zoned.example/", REFUSED, "a zone from the resolver"),
    ("http://garbage.example/", REFUSED, "no address from the resolver"),
    ("http://none.example/", UNREACHABLE, "no address at all"),
    ("http://xn--/", UNUSABLE, "no name by IDNA"),
    # ports, credentials, schemes, confusions
    ("http://public.example:22/", REFUSED, "a port of another service"),
    ("http://public.example:8080/", REFUSED, "a port of other services"),
    ("http://public.example:0/", UNUSABLE, "no port"),
    ("http://public.example:080000000000000080/", UNUSABLE, "no port either"),
    ("http://user@public.example/", REFUSED, "a user"),
    ("http://user:hunter2@public.example/", REFUSED, "a password"),
    ("http://public.example@127.0.0.1/", REFUSED, "a host that is a user"),
    ("http://public.example:80@127.0.0.1/", REFUSED, "a host and port that are a user"),
    ("http://public.example\\@127.0.0.1/", UNUSABLE, "a host for some, a user for others"),
    ("http://127.0.0.1\\@public.example/", UNUSABLE, "the other way round"),
    ("http://127.0.0.1#@public.example/", REFUSED, "a fragment that looks like a host"),
    ("http://127.0.0.1?@public.example/", REFUSED, "a query that looks like one"),
    ("http://public.example\u2100.internal/", UNUSABLE, "a character that folds to a slash"),
    ("file:///etc/passwd", REFUSED, "a file"),
    ("FILE://localhost/etc/passwd", REFUSED, "a file, in capitals"),
    ("gopher://127.0.0.1:6379/_FLUSHALL", REFUSED, "another protocol"),
    ("ftp://public.example/a", REFUSED, "another protocol"),
    ("jar:http://127.0.0.1!/", REFUSED, "a scheme within a scheme"),
    ("//127.0.0.1/", UNUSABLE, "no scheme"),
    ("127.0.0.1", UNUSABLE, "no URL"),
    ("", UNUSABLE, "nothing"),
    # content that is none, on the way to a gateway of the house
    (f"ipfs://{V0}/../../api/v0/shutdown", REFUSED, "leaves its CID"),
    (f"ipfs://{V0}/%2e%2e/%2e%2e/api", REFUSED, "encoded"),
    (f"ipfs://{V0}/%252e%252e%252fapi", REFUSED, "encoded twice"),
    (f"ipfs://{V0}/..%5c..%5capi", REFUSED, "backslashes"),
    (f"https://ipfs.io/ipfs/{V0}/..%2f..%2fapi", REFUSED, "a gateway's URL"),
    (f"ar://{TRANSACTION}/../graphql", REFUSED, "leaves its transaction"),
    ("ipfs://../api/v0/shutdown", UNUSABLE, "no CID"),
    ("ipfs://127.0.0.1:5001/api/v0/shutdown", UNUSABLE, "an address for a CID"),
    (f"ipfs://{V0}@127.0.0.1/", UNUSABLE, "a CID for a user"),
    ("ipns://../api", UNUSABLE, "no name"),
    ("ar://../graphql", UNUSABLE, "no transaction"),
]


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> Fetcher:
    """A fetcher with the real guard, and a private gateway; it fails the test when it asks anybody."""

    def ask(*args: Any, **kwargs: Any) -> None:
        pytest.fail(f"asked {args}")

    monkeypatch.setattr("core.net.http.fetch.get", ask)
    gateway = ["http://127.0.0.1:8080"]
    return Fetcher(ipfs_gateways=gateway, arweave_gateways=gateway, resolve=NAMES)


def test_there_are_sixty_and_more() -> None:
    assert len({url for url, _, _ in HOSTILE}) == len(HOSTILE) > 60


@pytest.mark.parametrize(("url", "kind", "why"), HOSTILE, ids=[f"{why}: {url!r}" for url, _, why in HOSTILE])
def test_no_hostile_url_is_asked_for(guarded: Fetcher, url: str, kind: FetchKind, why: str) -> None:
    """F82."""
    found = fault(guarded, url)
    assert found.kind is kind, why
    assert "hunter2" not in found.reason


@pytest.mark.parametrize(
    "address",
    [
        *(
            "93.184.215.14",
            "1.1.1.1",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "2606:4700::1111",
            "2003::1",
        ),
        *("64:ff9b::1.1.1.1", "::ffff:1.1.1.1"),
    ],
)
def test_public_addresses_are_public(address: str) -> None:
    """Also where IPv4 is reached through NAT64 alone, and at the edges of what is private."""
    assert is_public(address)


@pytest.mark.parametrize(
    "address", ["", "x", "1.1.1", "01.1.1.1", "1.1.1.1/32", "2606:4700::1111%1", "::1.1.1.1"]
)
def test_what_is_no_public_address_is_not(address: str) -> None:
    assert not is_public(address)


@given(st.ip_addresses(v=4).filter(lambda address: not address.is_global))
def test_all_that_python_calls_private_is_refused(address: Any) -> None:
    """In the three forms that are not refused as such."""
    for form in (f"{address}", f"::ffff:{address}", f"64:ff9b::{address}"):
        assert not is_public(form)


@given(st.ip_addresses(v=6).filter(lambda address: not address.is_global))
def test_all_that_python_calls_private_is_refused_of_ipv6(address: Any) -> None:
    assert not is_public(str(address))


@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
def test_nothing_but_the_one_error_comes_out(text: str) -> None:
    """Whatever stands in a contract; no name has a public address here, so nobody is asked either."""
    fetcher = Fetcher(ipfs_gateways=[], arweave_gateways=[], resolve=lambda _: ["10.0.0.1"], max_body=100)
    for uri in (text, f"http://{text}", f"ipfs://{V0}/{text}", f"data:{text}"):
        try:
            fetched = fetcher.fetch(uri)
        except FetchError:
            continue
        assert fetched.url.strip().lower().startswith("data:")
