"""Why a transfer is what it is, in plain words: the event that sold it, what was held against the rest, what came out.

It tells what a verdict's own trace says, and judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from indexing.decode.moves import Move
from indexing.judge.classify import BURN, MINT, SALE, SWAP
from indexing.judge.legs import gives_nothing
from indexing.judge.trace import Written
from indexing.judge.verdicts import NATIVE, Judgement, Match, Verdict


@dataclass(frozen=True, slots=True)
class Explanation:
    """How type and value of one transfer follow from the evidence."""

    judgement: Judgement
    verdict: Verdict
    why_type: str
    why_price: str
    why_shares: str
    events: tuple[Match, ...]
    """Those by which it was sold, exchanged, or given for nothing; ``verdict`` has all of its transaction."""

    def delivered(self, event: Match) -> tuple[int, ...]:
        """Return the log indexes of the transfers that deliver what an event sold, and then of what was given back."""
        return tuple(self.verdict.moves[at].log_index for at in (*event.moves, *event.returned))


def explain(verdict: Verdict, place: int, written: Written) -> Explanation:
    """Explain what a verdict says of the move at a place, amounts being written as told."""
    events = tuple(one for one in verdict.trace.matches if place in one.moves or place in one.returned)
    return Explanation(
        verdict.judgements[place],
        verdict,
        _why_type(verdict, place, events),
        _why_price(verdict, place, written),
        _why_shares(verdict, place, written),
        events,
    )


def currencies(verdict: Verdict) -> set[str]:
    """Return the contracts of all money that the logs show or an event tells, and the native currency's."""
    told = {NATIVE, *(one.currency for one in verdict.fills), *(one.currency for one in verdict.faults)}
    told.update(one.currency for one in verdict.trace.money)
    return told.union(payment.currency for one in verdict.fills for payment in one.payments)


def _why_type(verdict: Verdict, place: int, events: Iterable[Match]) -> str:
    """Return the rule that gave the type."""
    kind, trace = verdict.judgements[place].transfer_type, verdict.trace
    by = _logs(trace.sold.get(place, ()))
    if by and kind == SALE:
        return f"The event in {by} sold it, and this is the transfer that delivers it."
    if by:
        return f"By the event in {by} NFTs went both ways."
    if place in trace.paid:
        # Such a payment counts only where no event was read.
        none = "of the transaction could be read" if verdict.faults else "sold anything in the transaction"
        return f"No market event {none}, but its receiver's side paid its sender in a token."
    given = " ".join(map(_beside, events))
    if kind == SWAP:
        before = f"{given} But" if given else "No market event sold it, but"
        return f"{before} NFTs went both ways between its parties."
    if kind == MINT:
        return f"It comes from the zero address. {given}".strip()
    if kind == BURN:
        return f"It goes to the zero address or to 0x…dEaD. {given}".strip()
    return given or _why_nothing(verdict, place)


def _beside(event: Match) -> str:
    """Return what an event says of a transfer that it neither sold nor exchanged."""
    log = f"The event in log {event.fill.log_index}"
    if not event.fill.returned:
        return f"{log} gave it for nothing, which is no sale."
    if event.moves:
        return f"{log} exchanged it, but a mint or a burn is that first."
    return f"{log} exchanged it for what no transfer delivers."


def _why_nothing(verdict: Verdict, place: int) -> str:
    """Return why a transfer that no event concerns is a plain one."""
    move, trace = verdict.moves[place], verdict.trace
    if gives_nothing(move):
        return "It gave nothing to anybody else."
    for one in trace.matches:
        if any(_is_of(verdict.moves[at], move) for at in one.moves):
            return f"What the event in log {one.fill.log_index} sold is delivered by another transfer of this NFT."
    if any(_is_of(verdict.moves[at], move) for at in trace.paid):
        return "What was paid for this NFT is told of another transfer of it."
    if any(fill.is_loan for fill in verdict.fills):
        return "A loan was taken, given back or sold on, which is no sale, and no other market event sold it."
    if verdict.fills:
        return "No market event of the transaction sold it; where there are any, payments beside them are no price."
    if (move.sender, move.receiver) in trace.payers:
        return (
            "Its receiver paid its sender in a token, but not for this: it was passed on, or only comes back."
        )
    none = "could be read" if verdict.faults else "sold it"
    return (
        f"Nothing was given for it that the logs tell: no market event {none}, and no token was paid for it."
    )


def _why_price(verdict: Verdict, place: int, written: Written) -> str:
    """Return where the price is from, or why there is none."""
    one, own = verdict.judgements[place], verdict.trace.sold.get(place, ())
    if one.currency is not None:
        price = written(one.currency, one.price)
        if own:
            told = "event tells" if len(own) == 1 else "events tell together"
            if any(event.fill.surcharges for event in own):
                told += ", with what came on top"
            return f"{price}: all that the buyer's side paid, as the {told}, fees included."
        if one.transfer_type == MINT:
            return f"{price}: the value of the transaction, in which nothing else was bought."
        return f"{price}: what its receiver's side paid for it."
    if one.transfer_type == MINT:
        return (
            "None: a mint has the value of its transaction, where that moved one NFT and bought nothing else."
        )
    if one.transfer_type != SALE:
        return "None: only sales and paid mints have one."
    texts = dict.fromkeys(reason.text(written) for event in own if (reason := event.no_price) is not None)
    return f"None. {' '.join(texts) or 'No one price can be told of what was given for it.'}"


def _why_shares(verdict: Verdict, place: int, written: Written) -> str:
    """Return how a price was split, or why that is not known."""
    one, shares = verdict.judgements[place], verdict.shares.get(place)
    if one.transfer_type != SALE or one.currency is None:
        return "None: only the price of a sale is split."
    if not shares:
        return "Not known: no event tells all of it."
    parts = (
        f"{share.role} {written(one.currency, share.amount)}"
        + (f" to {share.receiver}" if share.receiver else "")
        for share in shares
    )
    return f"{'; '.join(parts)}."


def _is_of(one: Move, other: Move) -> bool:
    return (one.contract, one.token_id) == (other.contract, other.token_id)


def _logs(events: Iterable[Match]) -> str:
    indexes = list(dict.fromkeys(str(one.fill.log_index) for one in events))
    return f"{'log' if len(indexes) == 1 else 'logs'} {', '.join(indexes)}" if indexes else ""
