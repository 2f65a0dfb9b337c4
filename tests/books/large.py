"""A stand-in for OpenSea with very many listings and no limits: `python -m tests.books serve 100000`."""

from __future__ import annotations

import json
import sys

from tests.net.played import Answer
from tests.orders.made_up import APES, AT, MAKER, hash_of, item, listing, money, parameters
from tests.orders.stand_in import StandIn

MAKERS = 2_000
TOKENS = 40_000
"""NFTs that are offered, some several times."""


class Large(StandIn):
    """Lists orders as the bytes that they are sent as: the server is not to be what is measured."""

    def __init__(self, count: int) -> None:
        super().__init__(apes=[])
        self._rows = [json.dumps(of(number)).encode() for number in range(count)]

    def listed(self, slug: str, query: dict[str, str]) -> Answer:
        """A page."""
        begin, size = int(query.get("next", 0)), int(query["limit"])
        end = begin + size
        more = b"" if end >= len(self._rows) else b',"next":"%d"' % end
        return Answer(b'{"listings":[%s]%s}' % (b",".join(self._rows[begin:end]), more))


def of(number: int) -> dict[str, object]:
    """An ask that stands today."""
    maker = f"0x{int(MAKER, 16) + number % MAKERS:040x}"
    price = (10**15 + number * 10**9) * 40
    order = parameters(
        offerer=maker,
        offer=[item(2, APES, number * 7919 % TOKENS, 1)],
        consideration=[money(price // 40 * 39, to=maker), money(price // 40)],
        startTime=str(AT - 10**9),
        endTime=str(2**40),
        salt=hex(number),
        counter=0,
    )
    return listing(order | {"counter": 0}, order_hash=hash_of(order))


def serve(count: int) -> None:
    """Print the address once it listens, and serve until standard input is closed."""
    with Large(count) as server:
        print(server.url, flush=True)
        sys.stdin.read()
