"""What the rules hold a market's event against, and what comes out: plain values, noted as each check is made.

Their words are here alone: the reason why a price is not believed, and the line that an operator's page shows of it,
are one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from core.addresses import ZERO_ADDRESS

Written = Callable[[str, int], str]
"""Writes an amount: contract of the currency (the zero address: the native one), base units."""

MOST_LOGS = 20
"""Logs of one payment that are told; a sweep's money may have come in hundreds."""


def plain(currency: str, amount: int) -> str:
    """Write an amount as it is where nothing is known of currencies: base units, and the contract."""
    return f"{amount} wei" if currency == ZERO_ADDRESS else f"{amount} of {currency}"


class Remark(NamedTuple):
    """What needs no values: a doubt of whoever read the event, or why something was not checked."""

    words: str
    holds: bool | None
    """``None``, here and in all others: it was not checked, and the text says why."""

    def text(self, written: Written) -> str:
        return self.words


UNDELIVERED = Remark("No transfer delivers what it sold, so that no money was looked for.", None)
ESCROWED = Remark("The market held the money since before this transaction: no payment shows in it.", None)
UNBOUND = Remark(
    "Native money leaves no log, and the transaction was sent to another contract than a market, which may pay with "
    "what it holds: nothing bounds the price.",
    None,
)
UNPRICED = Remark("No log tells what was paid, so that no money was looked for.", None)
PRICELESS = Remark("It was sold, but nothing in the transaction tells the price.", False)
MIXED = Remark("The event tells no one sum that was paid for it alone.", None)
TOO_MUCH = Remark("The price is more than 2^256, which no currency has.", False)
TOO_MUCH_TOGETHER = Remark("The prices of what one transfer delivers are together more than 2^256.", False)


class Delivered(NamedTuple):
    """Whether transfers deliver what an event says was sold, and given in return."""

    items: int
    missing: int
    is_asked: bool
    """Something was given for it; else nobody asks whether all was delivered."""

    @property
    def holds(self) -> bool | None:
        """Whether nothing is missing."""
        return True if not self.missing else False if self.is_asked else None

    def text(self, written: Written) -> str:
        if self.holds is False:
            return f"No NFT log delivers {self.missing} of the {self.items} items that the event names."
        gift = "" if self.holds else " It was given for nothing, so that no more is asked."
        return f"{self.items - self.missing} of {self.items} items are delivered.{gift}"


class Drawn(NamedTuple):
    """Out of whose payments a price in a token was taken."""

    currency: str
    price: int
    payer: str | None
    """``None``: nobody sent as much."""
    amount: int = 0
    """What was taken; less than the price where the buyer owed a part to themselves."""
    logs: tuple[int, ...] = ()
    """Indexes of the logs that it was taken from."""
    rest: str = ""
    """Who did send as much, which does not count; blank where nobody did."""

    @property
    def holds(self) -> bool:
        """Whether somebody sent it."""
        return self.payer is not None

    def text(self, written: Written) -> str:
        price = written(self.currency, self.price)
        if self.payer is None:
            return f"Nobody sent {price}{self.rest}."
        taken = f"{written(self.currency, self.amount)} was drawn from what {self.payer} sent in {_logs(self.logs)}."
        own = self.price - self.amount
        if not own:
            return taken
        return f"{taken} The buyer owed the other {written(self.currency, own)} of the price to themselves."


class Received(NamedTuple):
    """Whether somebody got all of a token that the events of the transaction say."""

    currency: str
    receiver: str
    part: int
    """What this event says."""
    told: int
    """What all say."""
    got: int

    @property
    def holds(self) -> bool:
        """Whether it was as much."""
        return self.got >= self.told

    def text(self, written: Written) -> str:
        told = "" if self.told == self.part else f" of {written(self.currency, self.told)} by all events"
        return (
            f"{self.receiver} was to get {written(self.currency, self.part)}{told}, "
            f"and got {written(self.currency, self.got)} in all."
        )


class Unlogged(NamedTuple):
    """A payment in native money, which nothing shows."""

    receiver: str
    amount: int

    @property
    def holds(self) -> None:
        """It cannot be checked."""

    def text(self, written: Written) -> str:
        return f"{self.receiver} was to get {written(ZERO_ADDRESS, self.amount)}, which leaves no log."


class Brought(NamedTuple):
    """Whether a transaction brought the native money that its events say was paid, in wei."""

    is_market: bool
    """A market was called; else only such prices are bounded as go back to the buyer for the most part."""
    value: int
    unwrapped: int
    asked: int
    """By all events that this bounds."""

    @property
    def holds(self) -> bool:
        """Whether it brought as much."""
        return self.asked <= self.value + self.unwrapped

    def text(self, written: Written) -> str:
        called, whose = "Another contract", "events by which the buyer gets back more than half of it tell"
        if self.is_market:
            called, whose = "The market", "its events tell"
        more = f", and {written(ZERO_ADDRESS, self.unwrapped)} was unwrapped" if self.unwrapped else ""
        asked = written(ZERO_ADDRESS, self.asked)
        return (
            f"{called} was called with {written(ZERO_ADDRESS, self.value)}{more}; {whose} {asked} together."
        )


Check: TypeAlias = Remark | Delivered | Drawn | Received | Unlogged | Brought
"""One thing that was held against the transaction: ``holds``, and its ``text``."""


def failed(checks: Iterable[Check]) -> Check | None:
    """Return the first check that does not hold: why an event is not believed."""
    for one in checks:
        if one.holds is False:
            return one
    return None


def _logs(indexes: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, sorted(indexes)[:MOST_LOGS]))
    more = f" and {len(indexes) - MOST_LOGS:,} more" if len(indexes) > MOST_LOGS else ""
    return f"{'log' if len(indexes) == 1 else 'logs'} {shown}{more}"
