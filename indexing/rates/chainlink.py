"""Rates from Chainlink's feeds, read from a node: rounds of ``AggregatorV3Interface``, found by their time.

A feed is a proxy. A round's id there is that of the aggregator behind it (from 1 on) with the number of the aggregator,
its phase, in the bits above 64 (https://docs.chain.link/data-feeds/historical-data). Rounds are yielded in the order of
time, so that a run that is cut short is finished by going on from the newest rate that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from core.net.rpc.abi import DECIMALS, as_bytes, as_number, as_text
from core.net.rpc.errors import RpcError
from core.net.rpc.jsonrpc import Node
from core.net.rpc.wording import is_of_contract
from core.values import WrongValueError
from indexing.rates.feeds import OLD_NAMES, Feed
from indexing.rates.points import point
from tokens.store.facts import RateFacts

# AggregatorV3Interface: latestRoundData(), getRoundData(uint80), description()
LATEST_ROUND_DATA, GET_ROUND_DATA, DESCRIPTION = "0xfeaf968c", "0x9a6fc8f5", "0x7284e416"
# EACAggregatorProxy: phaseAggregators(uint16); of the aggregator itself: latestRound()
PHASE_AGGREGATORS, LATEST_ROUND = "0xc1597304", "0x668a0f02"

AT_ONCE = 200
"""Rounds asked for together."""
MOST_ROUNDS = 1_000_000
"""Of one phase, from the first one wanted on: years of the liveliest feed."""
MOST_PHASES = 100
AHEAD = 3_600
"""Seconds that a round may be dated after now: clocks differ, but a rate must not lie in wait for its time."""
_NEIGHBOURS = 8
_PHASE_BITS = 64
_ROUND_BITS = (1 << _PHASE_BITS) - 1
_WORD = 32


class FeedError(Exception):
    """What is at the address is not the feed that it should be."""


class Round(NamedTuple):
    """A price as a feed had it from a moment on (Unix seconds)."""

    answer: int
    updated_at: int


class _Phase(NamedTuple):
    number: int
    last: int
    """Its newest round."""
    begins: int | None
    """When its first round was, ``None`` where that cannot be read."""

    def id_of(self, round_: int) -> int:
        return self.number << _PHASE_BITS | round_


class FeedReader:
    """A feed at a node."""

    def __init__(self, node: Node, feed: Feed, now: int, on_fault: Callable[[str], None]) -> None:
        """``now`` is in Unix seconds; ``on_fault`` is told what round cannot be used, and why."""
        self._node = node
        self._feed = feed
        self._now = now
        self._on_fault = on_fault

    def rates(self, since: int) -> Iterator[RateFacts]:
        """Yield the rates from a moment on (Unix seconds), in the order of time.

        Raises :class:`FeedError` where there is no feed of this currency in USD, and ``NodeError``.
        """
        decimals, latest = self._look()
        phases = self._phases(latest, since)
        for place, phase in enumerate(phases):
            # An aggregator that has been replaced may go on for a while; the proxy no longer listened to it.
            ends = min(
                (later.begins for later in phases[place + 1 :] if later.begins is not None), default=None
            )
            for number, one in self._rounds(phase, since):
                if ends is not None and one.updated_at >= ends:
                    continue
                if one.updated_at > self._now + AHEAD:
                    self._on_fault(f"{self._feed.currency}: Round {number} has a time that is still to come.")
                    continue
                try:
                    yield point(self._feed.currency, one.updated_at, one.answer, places=decimals)
                except WrongValueError as fault:
                    self._on_fault(f"{self._feed.currency}: Round {number} {fault}")

    def _look(self) -> tuple[int, int]:
        """Return how many decimals the feed has, and the id of its newest round."""
        address = self._feed.address
        answers = self._ask([(address, DECIMALS), (address, DESCRIPTION), (address, LATEST_ROUND_DATA)])
        decimals, text, latest = as_number(answers[0]), as_text(answers[1]), as_number(answers[2])
        if decimals is None or decimals > 77 or text is None or latest is None or latest >> 80:
            raise FeedError(f"There is no Chainlink feed at {address}.")
        base, _, quote = (part.strip().upper() for part in text.partition("/"))
        if quote != "USD" or base not in (self._feed.currency, OLD_NAMES.get(self._feed.currency)):
            raise FeedError(f"The feed at {address} is of {text!r}, not of {self._feed.currency} / USD.")
        return decimals, latest

    def _phases(self, latest: int, since: int) -> list[_Phase]:
        """Return the phases that have rounds from a moment on, the oldest first."""
        number, last = latest >> _PHASE_BITS, latest & _ROUND_BITS
        found = [self._phase(number, last)]
        while number > 1 and len(found) < MOST_PHASES:
            if found[-1].begins is not None and found[-1].begins <= since:
                break
            number -= 1
            last = self._last_of(number)
            if last:
                found.append(self._phase(number, last))
        return found[::-1]

    def _phase(self, number: int, last: int) -> _Phase:
        phase = _Phase(number, last, None)
        first = next((one for one in self._read(phase, range(1, min(last, _NEIGHBOURS) + 1)) if one), None)
        return phase._replace(begins=None if first is None else first.updated_at)

    def _last_of(self, number: int) -> int:
        """Return the newest round of an earlier phase; 0 where that cannot be read."""
        (answer,) = self._ask([(self._feed.address, f"{PHASE_AGGREGATORS}{number:064x}")])
        word = as_bytes(answer)[:_WORD]
        if len(word) < _WORD or not any(word):
            return 0
        (answer,) = self._ask([(f"0x{word[12:].hex()}", LATEST_ROUND)])
        last: int = as_number(answer) or 0
        return last & _ROUND_BITS

    def _rounds(self, phase: _Phase, since: int) -> Iterator[tuple[int, Round]]:
        first = self._first(phase, since)
        if phase.last - first >= MOST_ROUNDS:
            raise FeedError(f"The feed at {self._feed.address} claims {phase.last - first + 1:,} rounds.")
        for start in range(first, phase.last + 1, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, phase.last + 1))
            for number, one in zip(numbers, self._read(phase, numbers), strict=True):
                if one is not None and one.updated_at >= since:
                    yield number, one

    def _first(self, phase: _Phase, since: int) -> int:
        """Return a round of a phase before which all are older than a moment, by bisection.

        Where rounds are missing it may be earlier than need be.
        """
        low, high = 1, phase.last
        while low < high:
            middle = (low + high) // 2
            near = range(middle, min(middle + _NEIGHBOURS, high))
            found = next(
                ((number, one) for number, one in zip(near, self._read(phase, near), strict=True) if one),
                None,
            )
            if found is not None and found[1].updated_at < since:
                low = found[0] + 1
            else:
                high = middle
        return low

    def _read(self, phase: _Phase, numbers: Sequence[int]) -> list[Round | None]:
        """Return rounds of a phase; ``None`` for one that never was, or was not finished."""
        ids = [phase.id_of(number) for number in numbers]
        answers = self._ask([(self._feed.address, f"{GET_ROUND_DATA}{one:064x}") for one in ids])
        return [_round(as_bytes(answer), one) for answer, one in zip(answers, ids, strict=True)]

    def _ask(self, calls: Sequence[tuple[str, str]]) -> list[Any]:
        """Call contracts; nothing in place of an answer where the contract refuses."""
        answers = self._node.batch([("eth_call", [{"to": to, "data": data}, "latest"]) for to, data in calls])
        for answer in answers:
            if isinstance(answer, RpcError) and not is_of_contract(answer):
                raise answer
        return [None if isinstance(answer, RpcError) else answer for answer in answers]


def _round(data: bytes, id_: int) -> Round | None:
    """Read what ``getRoundData`` returns: round, answer (signed), started at, updated at, answered in round."""
    if len(data) < 5 * _WORD or int.from_bytes(data[:_WORD], "big") != id_:
        return None
    updated_at = int.from_bytes(data[3 * _WORD : 4 * _WORD], "big")
    answer = int.from_bytes(data[_WORD : 2 * _WORD], "big", signed=True)
    return Round(answer, updated_at) if updated_at else None
