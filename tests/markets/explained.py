"""Holds what is told of a verdict against the verdict, and against the logs: they may never contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from indexing.decode.moves import Move
from indexing.judge.explanation import Explanation, explain
from indexing.judge.money import money_moves
from indexing.judge.trace import (
    TOO_MUCH_TOGETHER,
    Brought,
    Delivered,
    Drawn,
    Received,
    Unlogged,
    failed,
    plain,
)
from indexing.judge.verdicts import Fill, Match, Verdict
from indexing.node.transactions import ChainTransaction

MOST = 12
"""Transfers of a transaction that are explained; a large one is explained at its ends."""

_OF_MONEY = (Drawn, Received, Brought, Unlogged)
_BEGINNINGS = {
    "sale": ("The event in log", "No market event"),
    "swap": ("By the event in log", "No market event sold it, but NFTs", "The event in log"),
    "mint": ("It comes from the zero address.",),
    "burn": ("It goes to the zero address or to 0x…dEaD.",),
}


def hold_together(transaction: ChainTransaction, moves: Sequence[Move], found: Verdict) -> None:
    """Assert that a verdict, its trace and what is told of each transfer say one thing."""
    _faults_are_those_of_the_checks(found)
    for match in found.trace.matches:
        assert not match.fill.is_loan
        made = [one for one in match.checks if isinstance(one, _OF_MONEY)]
        if not match.moves:
            assert not made, "no money is looked for where nothing is delivered"
        if match.fill.escrowed or match.fill.unpriced:
            assert not any(isinstance(one, Drawn | Brought) for one in made)
        assert sum(isinstance(one, Drawn | Brought) for one in made) <= 1
        for one in match.checks:
            if isinstance(one, Delivered):
                assert one.missing == match.missing
            assert one.text(plain).endswith(".")
    _money_is_that_of_the_logs(transaction, moves, found)
    places = range(len(moves))
    for place in [*places[:MOST], *places[MOST:][-1:]]:
        _explained(explain(found, place, plain), found, moves, place)


def _faults_are_those_of_the_checks(found: Verdict) -> None:
    """What the operator's list has of a fill is a check that does not hold, and each such check is in the list."""
    reasons: dict[int, set[str]] = {}
    for fault in found.faults:
        reasons.setdefault(fault.log_index, set()).add(fault.reason)
    by_log: dict[int, set[str]] = {}
    for match in found.trace.matches:
        by_log.setdefault(match.fill.log_index, set()).update(
            one.text(plain) for one in match.checks if one.holds is False
        )
    for log, texts in by_log.items():
        assert reasons.get(log, set()) <= texts, "the list and the page give one reason"
        if texts - {TOO_MUCH_TOGETHER.text(plain)}:
            assert log in reasons, "what does not hold is in the list"


def _money_is_that_of_the_logs(transaction: ChainTransaction, moves: Sequence[Move], found: Verdict) -> None:
    money = money_moves(transaction.logs, {move.log_index for move in moves})
    senders = {(one.log_index, one.currency): one.sender for one in money}
    sent: Counter[tuple[str, str]] = Counter()
    got: Counter[tuple[str, str]] = Counter()
    for one in money:
        sent[one.currency, one.sender] += one.amount
        got[one.currency, one.receiver] += one.amount
    drawn: Counter[tuple[str, str]] = Counter()
    told: Counter[tuple[str, str]] = Counter()
    bounded: Counter[Brought] = Counter()
    for match, check in _each(found):
        if isinstance(check, Drawn) and check.payer is not None:
            drawn[check.currency, check.payer] += check.amount
            assert {senders[log, check.currency] for log in check.logs} == {check.payer}
            assert check.amount <= check.price == match.fill.price
        elif isinstance(check, Received):
            told[check.currency, check.receiver] += check.part
            assert check.got == got[check.currency, check.receiver]
        elif isinstance(check, Brought):
            assert check.value == transaction.value
            bounded[check] += match.fill.price
    assert drawn <= sent, "each wei is drawn once"
    assert all(
        one.told == told[one.currency, one.receiver] for _, one in _each(found) if isinstance(one, Received)
    )
    assert all(one.asked == price for one, price in bounded.items())


def _each(found: Verdict) -> Iterator[tuple[Match, object]]:
    for match in found.trace.matches:
        for check in match.checks:
            yield match, check


def _explained(told: Explanation, found: Verdict, moves: Sequence[Move], place: int) -> None:
    one = found.judgements[place]
    assert told.judgement == one
    assert told.why_price.startswith("None") == (one.currency is None)
    if one.transfer_type in _BEGINNINGS:
        assert told.why_type.startswith(_BEGINNINGS[one.transfer_type]), (one.transfer_type, told.why_type)
    assert (" sold it, and this is " in told.why_type) == (one.transfer_type == "sale" and bool(told.events))
    assert ("both ways" in told.why_type) == (one.transfer_type == "swap")
    if "No market event sold anything" in told.why_type:
        assert not found.fills
    for event in told.events:
        assert moves[place].log_index in told.delivered(event)
        assert event.fault == failed(event.checks)
        assert (event.fault is None) == all(check.holds is not False for check in event.checks)
    if one.currency is None:
        if one.transfer_type == "sale" and told.events:
            _priceless(told)
        return
    assert told.why_price.startswith(plain(one.currency, one.price))
    if told.events:
        sold = [event.fill for event in _paid(told.events)]
        assert [event.fault for event in _paid(told.events)] == [None] * len(sold)
        assert {fill.currency for fill in sold} == {one.currency}
        assert sum(fill.price for fill in sold) == one.price


def _paid(events: Sequence[Match]) -> list[Match]:
    return [event for event in events if event.fill.is_paid]


def _priceless(told: Explanation) -> None:
    """A sale without a price says which check failed, or why the price is not the transfer's own."""
    faults = [event.fault.text(plain) for event in told.events if event.fault is not None]
    assert all(fault in told.why_price for fault in faults if fault)
    if not faults:
        fills: list[Fill] = [event.fill for event in told.events]
        split = any(len(told.delivered(event)) > 1 for event in told.events)
        several = len({fill.currency for fill in fills}) > 1
        assert split or several or any(fill.mixed or fill.returned for fill in fills), told.why_price
