"""However a chain is indexed, and whatever its nodes, operators and files do meanwhile, the tables end as by one run.

A history mines, forks, indexes in windows of any width (each time by a new process), is killed, meets nodes in moods,
is rewound, judged again, and has lines loaded: what happened before the first indexed block, records without log
index, statements of transfers that are indexed or never will be, NFTs of other contracts in the same transactions.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.follow.reclassify import reclassify
from indexing.follow.rewind import rewind
from indexing.management.commands.index import FAULTS
from indexing.models import IndexedContract
from indexing.write.checkpoints import EVERY
from indexing.write.judging import of_chain
from tests import drawn
from tests.builders import Line
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import COINS, FROGS, Chain, FakeNode, tx
from tests.ingestion.cut_short import killed
from tests.ingestion.encoding import ALICE, APES, ZERO
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, owners, tables
from tests.ingestion.mining import BLOCKS, mine
from tests.ingestion.moods import (
    PARCELS,
    Alter,
    behind,
    deaf,
    forgetful,
    node_of,
    numbering,
    parcel,
    repeating,
    talking,
)
from tests.ingestion.stating import lines, load

pytestmark = pytest.mark.django_db

EXAMPLES = 25
PARTS = int(os.environ.get("HISTORIES", "4"))
"""Histories are tried in so many parts, each by a seed of its own: the same ones everywhere, others on each engine.

A part is one transaction of the database, in which PostgreSQL can clear nothing away that was rolled back.
"""
FEW = st.integers(1, 6)
MOODS = st.one_of(
    st.tuples(st.just("deaf"), FEW, st.integers(0, 7)),
    st.tuples(st.just("forgetful"), FEW),
    st.tuples(st.just("numbering"), FEW),
    st.tuples(st.just("talking"), FEW, st.integers(0, 29)),
    st.tuples(st.just("repeating")),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("mine"), BLOCKS),
        st.tuples(st.just("fork"), st.integers(1, 4), BLOCKS),
        st.tuples(st.just("index"), st.integers(1, 5), st.integers(0, 6)),
        st.tuples(st.just("kill"), st.integers(1, 5), st.integers(1, 60)),
        st.tuples(st.just("behind"), st.integers(1, 6)),
        st.tuples(st.just("mood"), st.integers(1, 5), MOODS),
        st.tuples(st.just("rewind"), st.integers(0, 6)),
        st.tuples(st.just("classify")),
        st.tuples(st.just("load"), st.sampled_from(["past", "loose", "over", "others"]), st.integers(0, 50)),
    ),
    min_size=2,
    max_size=9,
)
WANTED = st.sampled_from([(EVERY,), (EVERY,), (APES, COINS), (APES, COINS, PARCELS)])
"""What is indexed."""


class History:
    """A chain with what is done to it and to the tables; ``begin`` is the first block that is indexed."""

    def __init__(self, first: list[Any], begin: int, wanted: tuple[str, ...]) -> None:
        self.chain = Chain()
        for block in [[], *first, [], []]:
            # A parcel that stays tells, in whichever block indexing begins, what its contract is.
            mine(self.chain, [block], tx(parcel(100 + self.chain.head, ZERO, ALICE)))
        # Blocks before it may be forked away, but never the one indexing begins with.
        self.begin = min(begin, len(first))
        self.wanted = wanted
        self.files: list[list[Line]] = []

    def act(self, patch: pytest.MonkeyPatch, kind: str, *rest: Any) -> None:
        """Do one step."""
        getattr(self, f"_{kind}")(patch, *rest)

    def index(self, node: FakeNode, **options: Any) -> None:
        """Index as a new process does; one that gives up has been told why."""
        with contextlib.suppress(*FAULTS):
            index(node, contracts=self.wanted, from_block=self.begin, **options)

    def _mine(self, patch: pytest.MonkeyPatch, blocks: list[Any]) -> None:
        mine(self.chain, blocks)

    def _fork(self, patch: pytest.MonkeyPatch, back: int, blocks: list[Any]) -> None:
        self.chain.fork(back=min(back, self.chain.head - self.begin - 1))
        mine(self.chain, blocks)

    def _index(self, patch: pytest.MonkeyPatch, width: int, short_of: int) -> None:
        narrow(patch, width)
        self.index(node_of(self.chain), to_block=max(self.chain.head - short_of, self.begin))

    def _kill(self, patch: pytest.MonkeyPatch, width: int, moment: int) -> None:
        narrow(patch, width)
        killed(lambda: self.index(node_of(self.chain)), moment)

    def _behind(self, patch: pytest.MonkeyPatch, blocks: int) -> None:
        self.index(behind(self.chain, blocks))

    def _mood(self, patch: pytest.MonkeyPatch, width: int, mood: tuple[Any, ...]) -> None:
        narrow(patch, width)
        self.index(node_of(self.chain, alter_of(*mood)))

    def _rewind(self, patch: pytest.MonkeyPatch, blocks: int) -> None:
        if IndexedContract.objects.exists():
            newest = max(IndexedContract.objects.values_list("next_block", flat=True)) - 1
            rewind(ethereum(), max(newest - blocks, self.begin - 1, 0))

    def _classify(self, patch: pytest.MonkeyPatch) -> None:
        for _ in reclassify(of_chain(ethereum())):
            pass

    def _load(self, patch: pytest.MonkeyPatch, what: str, choice: int) -> None:
        stated = getattr(self, f"_lines_{what}")(choice)
        load(stated)
        self.files.append(stated)

    def _stated(self, first: int, last: int | None = None) -> list[Line]:
        return [{**one, "value": "0"} for one in lines(self.chain, first, last)]

    def _lines_past(self, choice: int) -> list[Line]:
        """All that happened before the first indexed block."""
        return self._stated(0, self.begin - 1) if self.begin else []

    def _lines_loose(self, choice: int) -> list[Line]:
        """A record as the API answers it: without log index, and with what it was."""
        return [loose(one) for one in self._chosen(choice)]

    def _lines_over(self, choice: int) -> list[Line]:
        """What another source knows of a transfer that the chain tells too."""
        return [{**one, "native": {"n": choice}, "usdValue": choice} for one in self._chosen(choice)]

    def _lines_others(self, choice: int) -> list[Line]:
        """What a transaction moved of a contract that may not be indexed."""
        hashes = {one["transactionHash"] for one in self._chosen(choice)}
        return [
            one
            for one in self._stated(self.begin)
            if one["transactionHash"] in hashes and one["contractAddress"] == FROGS
        ]

    def _chosen(self, choice: int) -> list[Line]:
        found = self._stated(self.begin)
        return [found[choice % len(found)]] if found else []


def loose(line: Line) -> Line:
    """An NFT with its last transfer, which was a sale by who states it."""
    named = {name: line[name] for name in ("chain", "contractAddress", "tokenId")}
    last = {**line, "logIndex": None, "transferType": "sale", "native": [line["logIndex"]]}
    del last["record"], last["batchIndex"]
    return {
        **named,
        "record": "nft",
        "lastTransfer": {**last, "nftValue": {"tokenAddress": ZERO, "amount": "5"}},
    }


def alter_of(kind: str, *rest: int) -> Alter:
    """A mood by its name."""
    if kind == "repeating":
        return repeating
    moods: dict[str, Any] = {"deaf": deaf, "forgetful": forgetful, "numbering": numbering, "talking": talking}
    made: Alter = moods[kind](*rest)
    return made


@pytest.mark.parametrize("part", range(PARTS))
def test_any_history_of_runs_ends_with_the_tables_of_one(part: int) -> None:
    history = given(BLOCKS, STEPS, st.integers(0, 3), WANTED)(ends_as_by_one_run)
    drawn.examples(EXAMPLES, part)(history)()


def ends_as_by_one_run(first: list[Any], steps: list[Any], begin: int, wanted: tuple[str, ...]) -> None:
    """Hold what a history leaves to what one run over its chain gives, and owners to the chain's own account."""
    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        history = History(first, begin, wanted)
        for step in steps:
            history.act(patch, *step)
        index(node_of(history.chain), contracts=wanted, from_block=history.begin)
        if not any(history.files):
            of = None if EVERY in wanted else wanted
            held = history.chain.holders(history.begin)
            assert owners() == {key: who for key, who in held.items() if of is None or key[0] in of}
        found = tables()
        assert found == in_one_go(
            node_of(history.chain), contracts=wanted, from_block=history.begin, files=history.files
        )
