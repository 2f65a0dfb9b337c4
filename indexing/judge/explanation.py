"""Why a transfer is what it is, in plain words: the event that sold it, what was held against the rest, what came out.

It tells what a verdict's own trace says, and judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexing.decode.moves import Move
from indexing.judge.classify import BURN, MINT, SALE, SWAP, why_no_price
from indexing.judge.sales import Fill, Judgement, Match, Trace, Verdict
from indexing.judge.trace import Check, Written, failed


@dataclass(frozen=True, slots=True)
class Event:
    """A market's event that this transfer was sold or exchanged by, or given for nothing."""

    fill: Fill
    delivered: tuple[int, ...]
    """Log indexes of the transfers that deliver what it sold, and then what was given back for it."""
    checks: Sequence[Check]
    """What the rules checked of it, and why they did not check the rest."""

    @property
    def fault(self) -> Check | None:
        """The check for which it is not believed."""
        return failed(self.checks)


@dataclass(frozen=True, slots=True)
class Explanation:
    """How type and value of one transfer follow from the evidence."""

    judgement: Judgement
    verdict: Verdict
    why_type: str
    why_price: str
    events: tuple[Event, ...]
    """Those that concern it; ``verdict`` has all of its transaction."""


def explain(verdict: Verdict, moves: Sequence[Move], place: int, written: Written) -> Explanation:
    """Explain what a verdict on these moves says of the one at a place, amounts being written as told."""
    matches, checks = verdict.trace.matches, verdict.trace.checks
    events = tuple(
        Event(one.fill, tuple(moves[at].log_index for at in (*one.moves, *one.returned)), checks[number])
        for number, one in enumerate(matches)
        if place in one.moves or place in one.returned
    )
    return Explanation(
        verdict.judgements[place],
        verdict,
        _why_type(verdict, moves, place),
        _why_price(verdict, place, written),
        events,
    )


def _why_type(verdict: Verdict, moves: Sequence[Move], place: int) -> str:
    """Return the rule that gave the type."""
    kind, trace = verdict.judgements[place].transfer_type, verdict.trace
    by = _logs(trace.matches[number] for number in trace.sold.get(place, ()))
    if by and kind == SALE:
        return f"The event in {by} sold it, and this is the transfer that delivers it."
    if by:
        return f"By the event in {by} NFTs went both ways."
    if place in trace.paid:
        # Such a payment counts only where no event was read.
        none = "of the transaction could be read" if verdict.faults else "sold anything in the transaction"
        return f"No market event {none}, but its receiver's side paid its sender in a token."
    given = " ".join(_beside(trace, place))
    if kind == SWAP:
        before = f"{given} But" if given else "No market event sold it, but"
        return f"{before} NFTs went both ways between its parties."
    if kind == MINT:
        return f"It comes from the zero address. {given}".strip()
    if kind == BURN:
        return f"It goes to the zero address or to 0x…dEaD. {given}".strip()
    return given or _why_nothing(verdict, moves, place)


def _beside(trace: Trace, place: int) -> Iterator[str]:
    """Yield what events say of a transfer that they neither sold nor exchanged."""
    for one in trace.matches:
        if place in one.moves or place in one.returned:
            log = f"The event in log {one.fill.log_index}"
            if not one.fill.returned:
                yield f"{log} gave it for nothing, which is no sale."
            elif one.moves:
                yield f"{log} exchanged it, but a mint or a burn is that first."
            else:
                yield f"{log} exchanged it for what no transfer delivers."


def _why_nothing(verdict: Verdict, moves: Sequence[Move], place: int) -> str:
    """Return why a transfer that no event concerns is a plain one."""
    move, trace = moves[place], verdict.trace
    if move.sender == move.receiver or not move.amount:
        return "It gave nothing to anybody else."
    for one in trace.matches:
        if any(_is_of(moves[at], move) for at in one.moves):
            return f"What the event in log {one.fill.log_index} sold is delivered by another transfer of this NFT."
    if any(at in trace.paid for at, other in enumerate(moves) if _is_of(other, move)):
        return "What was paid for this NFT is told of another transfer of it."
    if any(fill.is_loan for fill in verdict.fills):
        return "A loan was taken, given back or sold on, which is no sale, and no other market event sold it."
    if verdict.fills:
        return "No market event of the transaction sold it; where there are any, payments beside them are no price."
    if any((one.sender, one.receiver) == (move.receiver, move.sender) for one in trace.money):
        return (
            "Its receiver paid its sender in a token, but not for this: it was passed on, or only comes back."
        )
    none = "could be read" if verdict.faults else "sold it"
    return (
        f"Nothing was given for it that the logs tell: no market event {none}, and no token was paid for it."
    )


def _why_price(verdict: Verdict, place: int, written: Written) -> str:
    """Return where the price is from, or why there is none."""
    one, trace = verdict.judgements[place], verdict.trace
    own = trace.sold.get(place, ())
    if one.currency is not None:
        price = written(one.currency, one.price)
        if own:
            fills = [trace.matches[number].fill for number in own]
            told = "event tells" if len(fills) == 1 else "events tell together"
            if any(fill.surcharges for fill in fills):
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
    reasons = [why_no_price(trace.matches[number], trace.checks[number]) for number in own]
    texts = dict.fromkeys(reason.text(written) for reason in reasons if reason is not None)
    return f"None. {' '.join(texts) or 'No one price can be told of what was given for it.'}"


def _is_of(one: Move, other: Move) -> bool:
    return (one.contract, one.token_id) == (other.contract, other.token_id)


def _logs(matches: Iterator[Match]) -> str:
    indexes = list(dict.fromkeys(str(one.fill.log_index) for one in matches))
    return f"{'log' if len(indexes) == 1 else 'logs'} {', '.join(indexes)}" if indexes else ""
