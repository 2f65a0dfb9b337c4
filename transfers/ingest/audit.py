"""What the rules hold a market's event against, one after another, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from transfers.ingest.checks import is_mostly_own
from transfers.ingest.markets.reading import Around
from transfers.ingest.markets.registry import Registry
from transfers.ingest.matching import Match
from transfers.ingest.money import MoneyMove, Purse, unwrapped
from transfers.ingest.sales import NATIVE, Fill

Written = Callable[[str, int], str]
"""Writes an amount: contract of the currency, base units."""

MOST_CHECKS = 20
"""Receivers of parts of a price that are told; a sweep's fees may go to hundreds."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was held against the transaction; ``holds`` is ``None`` where nothing in it could tell."""

    text: str
    holds: bool | None


class WatchedPurse(Purse):
    """A purse that keeps what was drawn from it: currency, payer and amount, in order."""

    def __init__(self, moves: Iterable[MoneyMove], registry: Registry) -> None:
        super().__init__(moves, registry.markets)
        self.drawn: list[tuple[str, str, int]] = []

    def draw(self, currency: str, sender: str, amount: int, *rest: object) -> bool:
        """Take an amount, as a purse does, and note it."""
        done = super().draw(currency, sender, amount, *rest)  # type: ignore[arg-type]  # passed on as it came
        if done:
            self.drawn.append((currency, sender, amount))
        return done


class Checking:
    """The checks of a transaction's events; its ``purse`` is the one that their prices were drawn from."""

    def __init__(
        self, around: Around, matches: Sequence[Match], purse: WatchedPurse, written: Written
    ) -> None:
        self._around = around
        self._matches = matches
        self._purse = purse
        self._written = written
        self._draws = _draws(matches, purse.drawn)
        self._told = _told(matches)

    def of(self, place: int) -> Iterator[Check]:
        """Yield the checks of a fill, by its place among the matches."""
        matched = self._matches[place]
        fill = matched.fill
        named = len(fill.items) + len(fill.returned)
        if named:
            yield Check(f"{named - matched.missing} of {named} items are delivered.", not matched.missing)
        if fill.price and not fill.escrowed:
            yield self._native(fill) if fill.currency == NATIVE else self._drawn(place, fill)
        elif fill.price:
            yield Check(
                "The market held the money since before this transaction: no payment shows in it.", None
            )
        yield from self._receivers(fill)

    def _drawn(self, place: int, fill: Fill) -> Check:
        if place not in self._draws:
            return Check(f"Nobody sent {self._written(fill.currency, fill.price)}.", False)
        payer, amount = self._draws[place]
        logs = [
            str(one.log_index)
            for one in self._around.money
            if one.currency == fill.currency and one.sender == payer
        ]
        return Check(
            f"{self._written(fill.currency, amount)} was drawn from what {payer} sent in "
            f"{'log' if len(logs) == 1 else 'logs'} {', '.join(logs[:MOST_CHECKS])}.",
            True,
        )

    def _native(self, fill: Fill) -> Check:
        transaction, registry = self._around.transaction, self._around.registry
        is_market = transaction.target in registry.markets
        if not is_market and not is_mostly_own(fill):
            return Check(
                "Native money leaves no log, and the transaction was sent to another contract than a market, which may "
                "pay with what it holds: nothing bounds the price.",
                None,
            )
        brought = transaction.value + unwrapped(transaction.logs, self._around.money, registry.wrapped_native)
        asked = sum(
            one.fill.price
            for one in self._matches
            if one.moves and one.fill.currency == NATIVE and not one.fill.escrowed
            if is_market or is_mostly_own(one.fill)
        )
        told = (
            "its events tell"
            if is_market
            else "events by which the buyer gets back more than half of it tell"
        )
        return Check(
            f"{'The market' if is_market else 'Another contract'} was called with "
            f"{self._written(NATIVE, brought)}; {told} {self._written(NATIVE, asked)} together.",
            asked <= brought,
        )

    def _receivers(self, fill: Fill) -> Iterator[Check]:
        for one in fill.payments[:MOST_CHECKS]:
            part = self._written(one.currency, one.amount)
            if one.currency == NATIVE:
                yield Check(f"{one.receiver} was to get {part}, which leaves no log.", None)
            elif one.receiver != fill.buyer:
                told = self._told[one.currency, one.receiver]
                among = "" if told == one.amount else f" of {self._written(one.currency, told)} by all events"
                got = self._purse.received(one.currency, one.receiver)
                yield Check(
                    f"{one.receiver} was to get {part}{among}, and got {self._written(one.currency, got)} in all.",
                    got >= told,
                )


def _told(matches: Sequence[Match]) -> dict[tuple[str, str], int]:
    """Return what each receiver was to get of a currency by all events together."""
    told: dict[tuple[str, str], int] = defaultdict(int)
    for matched in matches:
        for one in matched.fill.payments if matched.moves else ():
            if one.receiver != matched.fill.buyer:
                told[one.currency, one.receiver] += one.amount
    return told


def _draws(matches: Sequence[Match], drawn: Sequence[tuple[str, str, int]]) -> dict[int, tuple[str, int]]:
    """Return payer and amount of each fill whose price was drawn, by place: buyers' own first, as they are drawn."""
    left = list(drawn)
    found: dict[int, tuple[str, int]] = {}
    for by_buyer in (True, False):
        for place, matched in enumerate(matches):
            fill = matched.fill
            own = sum(
                one.amount
                for one in fill.payments
                if one.receiver == fill.buyer and one.currency == fill.currency
            )
            for one in left if place not in found else ():
                currency, payer, amount = one
                fits = currency == fill.currency and amount in (fill.price, fill.price - own)
                if fits and (payer == fill.buyer or not by_buyer):
                    found[place] = payer, amount
                    left.remove(one)
                    break
    return found
