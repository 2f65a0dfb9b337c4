"""OpenSea with five apes listed, and who walks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from indexing.models import BookWalk
from indexing.orders.asking import Asker
from indexing.orders.sources import OpenSea
from indexing.orders.walking import Walker
from tests.net.played import Clock
from tests.orders.apes import FIVE, ethereum
from tests.orders.made_up import APES, AT
from tests.orders.reading import CAT, CATS, DOG, DOGS, Reader
from tests.orders.stand_in import KEY, StandIn


@pytest.fixture
def clock() -> Clock:
    """A minute passes with each sleep alone."""
    clock = Clock()
    clock.now = AT
    return clock


@pytest.fixture
def server() -> Iterator[StandIn]:
    """OpenSea with five apes listed."""
    with StandIn(apes=list(FIVE)) as one:
        yield one


@pytest.fixture
def walk(server: StandIn, clock: Clock) -> Callable[..., BookWalk]:
    """Walks the apes, a minute after the last time."""

    def once(*named: str, tell: Callable[[BookWalk], None] = lambda walk: None) -> BookWalk:
        clock.now += 60
        asker = Asker(server.url, headers={"X-API-KEY": KEY}, sleep=clock.sleep, clock=clock)
        return Walker(OpenSea(asker, "ethereum"), ethereum(), tell, clock).walk(APES, named)

    return once


@pytest.fixture
def zoo() -> Iterator[StandIn]:
    """OpenSea with five apes, a cat and a dog listed."""
    with StandIn(apes=list(FIVE), cats=[CAT], dogs=[DOG]) as one:
        one.slugs |= {CATS: "cats", DOGS: "dogs"}
        one.per_page = 3
        yield one


@pytest.fixture
def reader(zoo: StandIn, clock: Clock) -> Reader:
    """Reads all that is known."""
    return Reader(zoo, clock)
