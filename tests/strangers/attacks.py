"""What strangers do to the service: by its name, who they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nftsite.bench.shapes import EXCLUDED, HARD, PATHS, shapes
from tests.strangers.clients import Client, HangsUp, KeepsAsking, Repeats, Sips, StopsWithin, get

NFTS = PATHS["nfts"]
ORDERS = ("", "lowestAsk", "highestAsk", "rarity")
EXCLUDING = (
    "excludedTraits=Era-New,Era-Old",
    "excludedTraits=Hat-None",
    "chain=ethereum&excludedTraits=Era-New,Era-Old",
    "chain=ethereum&excludedTraits=Fur-Blue",
)
COMMON = (
    "traits=Fur-Blue",
    "chain=ethereum&traits=Fur-Blue",
    "chain=ethereum&traits=Fur-Blue,Era-New",
    "traits=Era-Old,Skin-Flesh",
)
LARGE = "contractAddress={largest}&limit=100&includeLastTransfer=true"
HEAD = b"GET / HTTP/1.1\r\n"
LINE = b"X-Line: more\r\n"
FORM = (
    b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)
NAMES = 10_000
"""Unknown ENS names: more than are asked for in one go."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many clients an attack has: of those with whole requests, with unfinished ones, and that say nothing."""

    busy: int = 4
    slow: int = 32
    silent: int = 1000


Attack = Callable[[dict[str, str], Sizes], list[Client]]
"""Returns the clients; the names are those of `nftsite.bench.probe.names`."""


def _everywhere(queries: Sequence[str]) -> list[bytes]:
    """Return requests for these in several orders."""
    return [get(f"{NFTS}?{query}&sortBy={order}") for order in ORDERS for query in queries]


def _hard(names: dict[str, str]) -> list[bytes]:
    """Return requests for what is allowed and dear: the benchmark's own, of one contract."""
    return [get(shape.address(names)) for shape in shapes() if shape.filter.bar in (HARD, EXCLUDED)]


def _all(names: dict[str, str]) -> list[bytes]:
    return [
        request
        for three in zip(_everywhere(EXCLUDING), _everywhere(COMMON), _hard(names), strict=False)
        for request in three
    ]


def _shared(requests: list[bytes], number: int) -> list[list[bytes]]:
    """Return all requests so many times, each time from another one on."""
    places = [place * len(requests) // number for place in range(number)]
    return [requests[place:] + requests[:place] for place in places]


ATTACKS: dict[str, Attack] = {
    "at rest": lambda names, sizes: [],
    "excluded traits anywhere": lambda names, sizes: [
        Repeats(requests) for requests in _shared(_everywhere(EXCLUDING), sizes.busy)
    ],
    "common traits anywhere": lambda names, sizes: [
        Repeats(requests) for requests in _shared(_everywhere(COMMON), sizes.busy)
    ],
    "hard queries of a contract": lambda names, sizes: [
        Repeats(requests) for requests in _shared(_hard(names), sizes.busy)
    ],
    "dear queries, hung up on": lambda names, sizes: [
        HangsUp(requests, every=0.2) for requests in _shared(_all(names), sizes.busy)
    ],
    "unfinished heads": lambda names, sizes: [StopsWithin(HEAD)] * sizes.slow,
    "a header line a second": lambda names, sizes: [StopsWithin(HEAD, LINE)] * sizes.slow,
    "silent sockets": lambda names, sizes: [StopsWithin(b"")] * sizes.silent,
    "bodies that never come": lambda names, sizes: [StopsWithin(FORM)] * sizes.slow,
    "answers read a byte a second": lambda names, sizes: (
        [Sips(get(f"{NFTS}?{LARGE.format(**names)}"))] * sizes.slow
    ),
    "unknown ENS names": lambda names, sizes: [
        KeepsAsking(
            [get(f"{NFTS}?contractAddress=stranger{number}.eth") for number in range(NAMES)], every=0.2
        )
    ],
}
