"""However a chain is indexed (in windows, killed, reorganised), the tables are those of the final chain in one go."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nftsite.db import bulk
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import COINS, Chain, Emitted, FakeNode, batch, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import in_one_go, index, narrow, owners, tables

pytestmark = pytest.mark.django_db

PEOPLE = st.sampled_from([ALICE, BOB, CAROL])
ANYBODY = st.sampled_from([ALICE, BOB, CAROL, ZERO])
LOGS = st.one_of(
    st.tuples(st.just("nft"), st.integers(1, 3), ANYBODY, st.just(1)),
    st.tuples(st.just("units"), st.integers(1, 2), ANYBODY, st.integers(0, 4)),
    st.tuples(st.just("batch"), st.integers(1, 2), ANYBODY, st.integers(0, 3)),
)
BLOCKS = st.lists(st.lists(st.tuples(PEOPLE, LOGS), max_size=3), min_size=1, max_size=4)
"""Blocks of transactions of one log each: who gives, and what to whom."""


class KilledError(BaseException):
    """Ends a run where a kill would."""


class Ledger:
    """Turns wishes into logs that a contract could have: nobody gives what it has not, an ERC-721 has one owner."""

    def __init__(self, chain: Chain) -> None:
        self._held = {key: dict(held) for key, held in chain.holders().items()}

    def log(self, giver: str, kind: str, token: int, receiver: str, amount: int) -> Emitted:
        if kind == "nft":
            sender = next(iter(self._held.get((APES, token), ())), ZERO)
            self._move(APES, token, sender, receiver, 1)
            return nft(token, sender, receiver)
        held = self._held.get((COINS, token), {}).get(giver, 0)
        sender = giver if held else ZERO  # who has nothing is minted some
        if sender == ZERO and receiver == ZERO:
            receiver = giver
        given = amount if sender == ZERO else min(amount, held)
        self._move(COINS, token, sender, receiver, given)
        if kind == "units":
            return units(token, sender, receiver, given)
        return batch([(token, given), (token, 0)], sender, receiver)

    def _move(self, contract: str, token: int, sender: str, receiver: str, amount: int) -> None:
        held = self._held.setdefault((contract, token), {})
        if sender != ZERO:
            held[sender] -= amount
        if receiver != ZERO:
            held[receiver] = held.get(receiver, 0) + amount
        for who in [who for who, left in held.items() if not left]:
            del held[who]


def mine(chain: Chain, blocks: list[Any]) -> None:
    """Add blocks as drawn."""
    ledger = Ledger(chain)
    for block in blocks:
        chain.mine(*(tx(ledger.log(giver, *log), sender=giver) for giver, log in block))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("mine"), BLOCKS),
        st.tuples(st.just("fork"), st.integers(1, 4), BLOCKS),
        st.tuples(st.just("index"), st.integers(1, 5)),
        st.tuples(st.just("kill"), st.integers(1, 5), st.integers(1, 60)),
    ),
    min_size=2,
    max_size=7,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BLOCKS, STEPS, st.integers(0, 3))
def test_any_history_of_runs_ends_with_the_tables_of_one(
    first: list[Any], steps: list[Any], begin: int
) -> None:
    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        chain = Chain()
        mine(chain, [[], *first, [], []])
        begin = min(
            begin, len(first)
        )  # blocks before it may be forked away, but never the one indexing begins with
        for step in steps:
            act(chain, step, patch, begin)
        index(FakeNode(chain), from_block=begin)
        assert owners() == chain.holders(begin)
        found = tables()
        assert found == in_one_go(FakeNode(chain), from_block=begin)


def act(chain: Chain, step: tuple[Any, ...], patch: pytest.MonkeyPatch, begin: int) -> None:
    """Do one step of a history."""
    kind, *rest = step
    if kind == "mine":
        mine(chain, rest[0])
    elif kind == "fork":
        chain.fork(back=min(rest[0], chain.head - begin - 1))
        mine(chain, rest[1])
    elif kind == "index":
        narrow(patch, rest[0])
        index(FakeNode(chain), from_block=begin)
    else:
        narrow(patch, rest[0])
        killed(chain, rest[1], begin)


def killed(chain: Chain, moment: int, begin: int) -> None:
    """Index, and end at a statement that writes."""
    count = 0

    def kill(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal count
        count += 1
        if count == moment:
            raise KilledError
        return execute(sql, *rest)

    try:
        with connection.execute_wrapper(kill):
            index(FakeNode(chain), from_block=begin)
    except KilledError:
        if connection.vendor == "postgresql":  # the lock goes with a session that is killed
            bulk.fetch("SELECT pg_advisory_unlock_all()")
