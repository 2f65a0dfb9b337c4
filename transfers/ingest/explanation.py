"""Why a transfer is what it is, in plain words: the event that sold it, what was held against the rest, what came out.

Nothing of it is stored: the same rules are applied to the same evidence once more, so that what is told is what they
do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from transfers.ingest.checks import unpaid
from transfers.ingest.classify import BURN, MINT, SALE, SWAP, classify
from transfers.ingest.markets.reading import Around
from transfers.ingest.markets.registry import Registry
from transfers.ingest.matching import Match, match
from transfers.ingest.money import MoneyMove, Purse, money_moves, unwrapped
from transfers.ingest.moves import Move
from transfers.ingest.punk_bids import PunkBids
from transfers.ingest.sales import NATIVE, Fill, Judgement, Verdict
from transfers.ingest.transactions import ChainTransaction

Written = Callable[[str, int], str]
"""Writes an amount: contract of the currency, base units."""

MOST_CHECKS = 20
"""Receivers of parts of a price that are told; a sweep's fees may go to hundreds."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was held against the transaction; ``holds`` is ``None`` where nothing in it could tell."""

    text: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Event:
    """A market's event that this transfer was sold or exchanged by, or given for nothing."""

    fill: Fill
    delivered: tuple[int, ...]
    """Log indexes of the transfers that deliver what it sold, and then what was given back for it."""
    checks: tuple[Check, ...]
    fault: str | None
    """Why its price is not believed."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How type and value of one transfer follow from the evidence."""

    judgement: Judgement
    verdict: Verdict
    why_type: str
    why_price: str
    events: tuple[Event, ...]
    """Those that concern it; ``verdict`` has all of its transaction."""


class _WatchedPurse(Purse):
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


def explain(
    transaction: ChainTransaction,
    moves: Sequence[Move],
    place: int,
    registry: Registry,
    bids: PunkBids,
    written: Written,
) -> Explanation:
    """Explain the move at a place among those of a transaction, which are in log order."""
    verdict = classify(transaction, moves, registry, bids)
    money = money_moves(transaction.logs, {move.log_index for move in moves})
    around = Around(transaction, moves, money, registry, bids=bids)
    matches = match([fill for fill in verdict.fills if not fill.is_loan], moves, registry)
    purse = _WatchedPurse(money, registry)
    unsound = unpaid(matches, around, purse)
    concerned = [at for at, one in enumerate(matches) if place in one.moves or place in one.returned]
    checking = _Checking(around, matches, purse, written)
    events = tuple(
        Event(
            matches[at].fill,
            tuple(moves[there].log_index for there in (*matches[at].moves, *matches[at].returned)),
            tuple(checking.of(at)),
            unsound.get(at),
        )
        for at in concerned
    )
    judgement = verdict.judgements[place]
    own = [matches[at] for at in concerned]
    return Explanation(
        judgement,
        verdict,
        _why_type(judgement, own, moves[place], verdict, matches, moves),
        _why_price(judgement, own, [one.fault for one in events], written),
        events,
    )


class _Checking:
    """What the rules hold events against, told of one event after another."""

    def __init__(
        self, around: Around, matches: Sequence[Match], purse: _WatchedPurse, written: Written
    ) -> None:
        self._around = around
        self._matches = matches
        self._purse = purse
        self._written = written

    def of(self, place: int) -> Iterator[Check]:
        """Yield the checks of a fill, by its place among the matches."""
        matched = self._matches[place]
        fill = matched.fill
        named = len(fill.items) + len(fill.returned)
        if named:
            yield Check(f"{named - matched.missing} of {named} items are delivered.", not matched.missing)
        if fill.price and not fill.escrowed:
            yield self._native(fill) if fill.currency == NATIVE else self._drawn(fill)
        elif fill.price:
            yield Check(
                "The market held the money since before this transaction: no payment shows in it.", None
            )
        yield from self._receivers(fill)

    def _drawn(self, fill: Fill) -> Check:
        own = sum(
            one.amount
            for one in fill.payments
            if one.receiver == fill.buyer and one.currency == fill.currency
        )
        fitting = [
            one
            for one in self._purse.drawn
            if one[0] == fill.currency and one[2] in (fill.price, fill.price - own)
        ]
        if not fitting:
            return Check(f"Nobody sent {self._written(fill.currency, fill.price)}.", False)
        _, payer, amount = min(fitting, key=lambda one: one[1] != fill.buyer)
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
        if transaction.target not in registry.markets:
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
        )
        return Check(
            f"The market was called with {self._written(NATIVE, brought)}; its events tell "
            f"{self._written(NATIVE, asked)} together.",
            asked <= brought,
        )

    def _receivers(self, fill: Fill) -> Iterator[Check]:
        for one in fill.payments[:MOST_CHECKS]:
            part = self._written(one.currency, one.amount)
            if one.currency == NATIVE:
                yield Check(f"{one.receiver} was to get {part}, which leaves no log.", None)
            elif one.receiver != fill.buyer:
                got = self._purse.received(one.currency, one.receiver)
                yield Check(
                    f"{one.receiver} was to get {part}, and got {self._written(one.currency, got)} in all.",
                    got >= one.amount,
                )


def _why_type(
    judgement: Judgement,
    own: Sequence[Match],
    move: Move,
    verdict: Verdict,
    matches: Sequence[Match],
    moves: Sequence[Move],
) -> str:
    """Return the rule that gave the type."""
    kind = judgement.transfer_type
    logs = ", ".join(str(one.fill.log_index) for one in own)
    if own and kind == SALE:
        return f"The event in log {logs} sold it, and this is the transfer that delivers it."
    if own and kind == SWAP:
        return f"By the event in log {logs} NFTs went both ways."
    given = f" The event in log {logs} gave it for nothing, which is no sale." if own else ""
    if kind == SALE:
        return "No market event is in the transaction, but its receiver paid for it in a token."
    if kind == SWAP:
        return "No market event sold it, but its parties gave each other NFTs."
    if kind == MINT:
        return f"It comes from the zero address.{given}"
    if kind == BURN:
        return f"It goes to the zero address or to 0x…dEaD.{given}"
    if given:
        return given.strip()
    elsewhere = [
        one
        for one in matches
        for at in one.moves
        if (moves[at].contract, moves[at].token_id) == (move.contract, move.token_id)
    ]
    if elsewhere:
        return f"What the event in log {elsewhere[0].fill.log_index} sold is delivered by another transfer of this NFT."
    if any(fill.is_loan for fill in verdict.fills):
        return "A loan was taken, given back or sold on, which is no sale."
    if any(one.fill.is_paid for one in matches):
        return "The market events of the transaction sold other NFTs."
    return (
        "Nothing was given for it that the logs tell: no market event sold it, and no token was paid for it."
    )


def _why_price(
    judgement: Judgement, own: Sequence[Match], faults: Sequence[str | None], written: Written
) -> str:
    """Return where the price is from, or why there is none."""
    if judgement.currency is not None:
        price = written(judgement.currency, judgement.price)
        if own:
            return f"{price}: all that the buyer's side paid, as the event tells, fees included."
        if judgement.transfer_type == MINT:
            return f"{price}: the value of the transaction, in which nothing else was bought."
        return f"{price}: what its receiver's side paid for it."
    if judgement.transfer_type != SALE:
        return "None: only sales and paid mints have one."
    reasons = [fault for fault in faults if fault is not None]
    for one in own:
        if one.missing:
            reasons.append("Not all that the event sold was delivered.")
        if len(one.moves) > 1:
            reasons.append(f"One price for {len(one.moves)} transfers is not split.")
        if one.fill.mixed:
            reasons.append("It was paid in more than one currency.")
        if one.fill.unpriced:
            reasons.append("No log tells what was paid.")
    return "None. " + " ".join(
        dict.fromkeys(reasons or ["No one price can be told of what was given for it."])
    )
