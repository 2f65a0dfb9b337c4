"""However blocks, forks, files and runs follow one another, asks are what a plain model says, and as by one run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.follow import order_history
from indexing.models import IndexedChain
from tests import drawn
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import START, Mined
from tests.ingestion.cut_short import killed
from tests.ingestion.encoding import CAROL
from tests.ingestion.indexing import ethereum, index, narrow
from tests.ingestion.stated_asks import FILES, NFT, load, table
from tests.ingestion.trading import PARTLY, Trading
from tests.oracle.order_books import Found, Offer
from tokens.models import Ask

pytestmark = pytest.mark.django_db

EXAMPLES = 25
PARTS = int(os.environ.get("ORDER_HISTORIES", "6"))
"""Histories are tried in so many parts, each by a seed of its own: the same ones everywhere, others on each engine."""

assert list(FILES)[4] == PARTLY

UNPLAYED: dict[str, Any] = {
    "made_at": START,
    "opened": False,
    "ended": "",
    "left": False,
    "taken_back": False,
}
"""What of an order that was validated on the chain follows from the chain alone."""
KINDS = (
    *("ape", "ape", "coins", "approve", "zora", "zora", "escrow", "punk", "punk"),
    *("validate", "validate", "cancel", "counter", "nonces", "fill", "fill"),
)
FEW = st.integers(0, 3)
WISHES = st.tuples(st.sampled_from(KINDS), st.integers(0, 11), FEW, FEW)
TRADES = st.lists(WISHES, min_size=2, max_size=6)
NOW = -1
"""Stands for the time of the newest block."""
CHANGES: list[dict[str, Any]] = [
    *({}, {}, {}, {"status": "cancelled"}, {"status": "open"}, {"wakes": False}),
    *({"price": 11}, {"taker": CAROL}, {"taker": None}, {"gone": True}, {"gone": False}),
    *({"seen_at": NOW}, {"seen_at": NOW, "gone": False}, {"seen_at": NOW, "wakes": False}),
]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("trade"), TRADES),
        st.tuples(st.just("trade"), TRADES),
        st.tuples(st.just("fork"), st.integers(1, 5), FEW, TRADES),
        st.tuples(st.just("run"), st.sampled_from([1, 3, 8]), FEW, st.sampled_from([0, 0, 0, 9, 20, 35, 60])),
        st.tuples(st.just("load"), st.lists(st.integers(0, 2 * len(FILES)), min_size=1, max_size=4)),
        st.tuples(st.just("change"), st.integers(0, 2 * len(FILES)), st.sampled_from(CHANGES)),
    ),
    min_size=4,
    max_size=7,
)


@dataclass
class History:
    """The chain, what files told so far, and what of the chain was indexed when they did."""

    begin: int
    """First indexed block; what was said of orders before it is read afterwards."""
    trading: Trading = field(default_factory=Trading)
    stated: dict[str, Offer] = field(default_factory=dict)
    told: list[tuple[str, Offer]] = field(default_factory=list)
    indexed: list[Mined] = field(default_factory=list)

    def act(self, patch: pytest.MonkeyPatch, kind: str, *rest: Any) -> None:
        getattr(self, f"_{kind}")(patch, *rest)

    def _trade(self, patch: pytest.MonkeyPatch, wishes: list[Any]) -> None:
        for wish in wishes:
            self.trading.trade(wish)

    def _fork(self, patch: pytest.MonkeyPatch, back: int, kept: int, wishes: list[Any]) -> None:
        self.trading.fork(back, kept)
        self._trade(patch, wishes)

    def _run(self, patch: pytest.MonkeyPatch, width: int, short_of: int, moment: int) -> None:
        """Index, up to the head or not; ``moment``: the statement at which the run is killed, 0 for none."""
        narrow(patch, width)
        last = max(self.trading.chain.head - short_of, self.begin)
        if moment:
            killed(lambda: self.index(to_block=last), moment)
        self.index(to_block=last)
        blocks = self.trading.chain.blocks
        kept = [one for one, now in zip(self.indexed, blocks, strict=False) if one.hash == now.hash]
        self.indexed = blocks[: max(len(kept), last + 1)]

    def index(self, **options: Any) -> None:
        """Index as a new process does, and what was said of orders before."""
        if self.begin and IndexedChain.objects.exists():
            order_history.begin(ethereum(), 0)
        index(self.trading.node(), from_block=self.begin, **options)

    def _load(self, patch: pytest.MonkeyPatch, numbers: list[int]) -> None:
        for number in numbers:
            self._change(patch, number, {})

    def _change(self, patch: pytest.MonkeyPatch, number: int, change: dict[str, Any]) -> None:
        """Load an ask as it is told first, or with a change; one of two that the chain may tell of too."""
        name, offer = self._known(number)
        if offer is None or (name not in FILES and change.keys() - {"status", "gone", "seen_at"}):
            return
        if change.get("seen_at") == NOW:
            change = change | {"seen_at": self.trading.chain.blocks[-1].timestamp}
        offer = replace(self.stated.get(name, offer), **change)
        before = self.stated.get(name)
        if before is not None and before.status == "cancelled":
            offer.status = "cancelled"
        if name == PARTLY:
            books = self.trading.books(self.indexed, self.begin, stated=self.stated) if self.indexed else None
            if books is None or before is None or books.found()[name].status == "open":
                fills = books.fills.get(name, ()) if books is not None else ()
                offer.reflects = frozenset(hash_ for hash_, _ in fills)
        self.stated[name] = offer
        self.told.append((name, offer))
        load(name, offer)

    def _known(self, number: int) -> tuple[str, Offer | None]:
        if number < len(FILES):
            return list(FILES.items())[number]
        on_chain = self.trading.books().offers
        found = [name for name, one in on_chain.items() if one.market == "opensea"]
        found = [name for name in found if name not in self.stated] or found
        if not found:
            return "", None
        name = found[number % len(found)]
        return name, replace(on_chain[name], **UNPLAYED)

    def expected(self) -> dict[str, tuple[Any, Found]]:
        """What each ask is by the model."""
        books = self.trading.books(begin=self.begin, stated=self.stated)
        return {
            name: ((books.offers[name].market, *books.offers[name].nft), one)
            for name, one in books.found().items()
        }


def differing(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Asks of which one tells another thing than the other, with both."""
    names = sorted(found.keys() | expected.keys())
    return {
        name: (found.get(name), expected.get(name)) for name in names if found.get(name) != expected.get(name)
    }


def found() -> dict[str, tuple[Any, Found]]:
    """What each ask is by the tables."""
    rows = Ask.objects.values_list(
        "order_hash", *NFT, "price", "maker", "amount", "status", "reason", "active"
    )
    told = {}
    for name, market, address, key, price, maker, amount, status, reason, active in rows:
        assert active == (status == "open" and not reason)
        left = None if amount is None else int(amount)
        told[name] = (market, address, int(key[2:])), Found(int(price), maker, left, status, reason)
    return told


@pytest.mark.parametrize("part", range(PARTS))
def test_asks_are_what_follows_from_the_chain_as_it_is_and_from_what_was_stated(part: int) -> None:
    drawn.examples(EXAMPLES, part)(given(st.sampled_from([0, 0, 3]), STEPS)(asks_follow))()


def asks_follow(begin: int, steps: list[Any]) -> None:
    """Hold what a history leaves to the model, and to what one calm run over its chain leaves."""
    with pytest.MonkeyPatch.context() as patch:
        with rolled_back():
            history = History(begin)
            for step in steps:
                history.act(patch, *step)
            narrow(patch, 100)
            history.trading.chain.mine_empty(6)  # a chain that forks grows longer than it was
            history.index()
            history.index()
            assert differing(found(), history.expected()) == {}
            left = table()
        with rolled_back():
            for name, offer in history.told:
                load(name, offer)
            history.index()
            if begin:  # what was said before is read once indexing has begun
                history.index()
            assert differing(table(), left) == {}
