"""Blocks of any logs, drawn, and mined as contracts that keep accounts would have logged them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.ingestion.chain import COINS, FROGS, Chain, Emitted, Tx, batch, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.moods import PARCELS, parcel

KINDS = {"nft": APES, "frog": FROGS, "parcel": PARCELS}
"""Contracts whose NFTs have one owner."""
PEOPLE = st.sampled_from([ALICE, BOB, CAROL])
ANYBODY = st.sampled_from([ALICE, BOB, CAROL, ZERO])
LOGS = st.one_of(
    st.tuples(st.sampled_from(sorted(KINDS)), st.integers(1, 3), ANYBODY, st.just(1)),
    st.tuples(st.just("units"), st.integers(1, 2), ANYBODY, st.integers(0, 4)),
    st.tuples(st.just("batch"), st.integers(1, 2), ANYBODY, st.integers(0, 3)),
)
BLOCKS = st.lists(
    st.lists(st.lists(st.tuples(PEOPLE, LOGS), min_size=1, max_size=3), max_size=2), min_size=1, max_size=4
)
"""Blocks of transactions of some logs each: who gives, and what to whom."""


class Ledger:
    """Turns wishes into logs that a contract could have: nobody gives what it has not, an ERC-721 has one owner."""

    def __init__(self, chain: Chain) -> None:
        self._held = {key: dict(held) for key, held in chain.holders().items()}

    def log(self, giver: str, kind: str, token: int, receiver: str, amount: int) -> Emitted:
        if kind in KINDS:
            contract = KINDS[kind]
            sender = next(iter(self._held.get((contract, token), ())), ZERO)
            self._move(contract, token, sender, receiver, 1)
            return (
                parcel(token, sender, receiver)
                if kind == "parcel"
                else nft(token, sender, receiver, contract)
            )
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


def mine(chain: Chain, blocks: list[Any], *more: Tx) -> None:
    """Add blocks as drawn, with some more transactions in each."""
    ledger = Ledger(chain)
    for block in blocks:
        made = (tx(*(ledger.log(giver, *log) for giver, log in logs), sender=logs[0][0]) for logs in block)
        chain.mine(*made, *more)
