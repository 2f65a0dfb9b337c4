"""What a vault of NFTX took and gave, and whether it made tokens of its own for it, by the logs of others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.judge.markets.reading import Around
from indexing.judge.money import MoneyMove


class Vault(NamedTuple):
    """One event of a vault: the tokens that it took and gave."""

    log_index: int
    vault: str
    taken: frozenset[int]
    given: frozenset[int]


class Places:
    """The moves of a transaction by who received and who sent them, its money by currency: places, in log order.

    Anybody can emit a vault's events, and as many as they like: none goes through what is not the vault's own.
    """

    def __init__(self, around: Around) -> None:
        self._around = around
        self._received: dict[str, list[int]] = defaultdict(list)
        self._sent: dict[str, list[int]] = defaultdict(list)
        self._money: dict[str, list[int]] = defaultdict(list)
        for place, move in enumerate(around.moves):
            self._received[move.receiver].append(place)
            self._sent[move.sender].append(place)
        for place, one in enumerate(around.money):
            self._money[one.currency].append(place)

    def moved(self, event: Vault, since: int) -> tuple[list[int], list[int]]:
        """Return the places of the moves by which a vault took and gave what its event names, after an earlier log."""
        moves = self._around.moves
        received = _within(self._received.get(event.vault, ()), moves, since, event.log_index)
        sent = _within(self._sent.get(event.vault, ()), moves, since, event.log_index)
        taken = [at for at in received if moves[at].token_id in event.taken]
        given = [
            at
            for at in sent
            if moves[at].token_id in event.given
            # What a vault moves to itself it took.
            and not (moves[at].receiver == event.vault and moves[at].token_id in event.taken)
        ]
        return taken, given

    def is_paid_in_own_token(self, event: Vault, since: int) -> bool:
        """Whether a contract made or burned tokens of its own meanwhile, as vaults do for what they take and give."""
        money = self._around.money
        own = _within(self._money.get(event.vault, ()), money, since, event.log_index)
        return any((money[at].sender if event.taken else money[at].receiver) == ZERO_ADDRESS for at in own)


def _within(
    places: Sequence[int], entries: Sequence[Move] | Sequence[MoneyMove], since: int, until: int
) -> Sequence[int]:
    """Return those places of entries whose log is after one index and before another."""

    def index(place: int) -> int:
        return entries[place].log_index

    return places[bisect_right(places, since, key=index) : bisect_left(places, until, key=index)]
