"""Why a transfer is what it is, in plain words: the event that sold it, what was held against the rest, what came out.

Nothing of it is stored: the same rules are applied to the same evidence once more, so that what is told is what they
do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transfers.ingest.audit import Check, Checking, WatchedPurse, Written
from transfers.ingest.checks import unpaid
from transfers.ingest.classify import BURN, MINT, SALE, SWAP, classify
from transfers.ingest.markets.reading import Around
from transfers.ingest.markets.registry import Registry
from transfers.ingest.matching import Match, match
from transfers.ingest.money import money_moves
from transfers.ingest.moves import Move
from transfers.ingest.punk_bids import PunkBids
from transfers.ingest.sales import Fill, Judgement, Verdict
from transfers.ingest.transactions import ChainTransaction


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
    purse = WatchedPurse(money, registry)
    unsound = unpaid(matches, around, purse)
    concerned = [at for at, one in enumerate(matches) if place in one.moves or place in one.returned]
    checking = Checking(around, matches, purse, written)
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
        # Such a payment counts only where no event was read.
        none = "of the transaction could be read" if verdict.faults else "is in the transaction"
        return f"No market event {none}, but its receiver's side paid its sender in a token."
    if kind == SWAP:
        return "No market event sold it, but NFTs went both ways between its parties."
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
            reasons.append("The event tells no one sum that was paid for it alone.")
        if one.fill.unpriced:
            reasons.append("No log tells what was paid.")
    return "None. " + " ".join(
        dict.fromkeys(reasons or ["No one price can be told of what was given for it."])
    )
