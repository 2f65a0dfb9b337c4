"""A follower of several books over the stand-in, with what it told."""

from __future__ import annotations

from typing import Any

from indexing.models import BookWalk
from indexing.orders.asking import Asker
from indexing.orders.following import Follower
from indexing.orders.sources import OpenSea
from indexing.orders.walking import Walker
from tests.net.played import Clock
from tests.orders.apes import ethereum
from tests.orders.made_up import APES, item, listing, parameters
from tests.orders.stand_in import KEY, StandIn

CATS, DOGS = "0x" + "ca" * 20, "0x" + "d0" * 20
CAT, DOG = (listing(parameters(offer=[item(2, one, 1, 1)])) for one in (CATS, DOGS))


class Reader:
    """A follower over the stand-in, with what it told."""

    def __init__(self, zoo: StandIn, clock: Clock, *among: str) -> None:
        self.server, self.clock = zoo, clock
        self.told: list[tuple[str, str]] = []
        self.source = OpenSea(
            Asker(zoo.url, headers={"X-API-KEY": KEY}, sleep=clock.sleep, clock=clock), "ethereum"
        )
        walker = Walker(self.source, ethereum(), clock=clock)
        self.follower = Follower(
            walker, among=among, tell=lambda *one: self.told.append((one[0].address, one[1]))
        )

    def work(self) -> list[str]:
        """Do all that is due; return what the source was asked for, without what is the same of all."""
        self.server.asked.clear()
        while self.follower.step():
            pass
        return [one.removeprefix("/api/v2/").partition("?")[0] for one in self.server.asked]

    def walked(self) -> list[str]:
        """Do all that is due; return which books were walked to their ends, in order."""
        self.told.clear()
        self.work()
        return [address for address, _ in self.told]


def book(address: str, **fields: Any) -> BookWalk:
    """A book of OpenSea's."""
    return BookWalk.objects.create(chain_id=ethereum().id, source="opensea", address=address, **fields)


def state(address: str = APES) -> tuple[str, int, int]:
    """State, attempts and when a book is due."""
    one = BookWalk.objects.get(address=address)
    return one.state, one.attempts, one.next_at
