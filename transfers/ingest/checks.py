"""Whether the money of a transaction bears out the prices that market events tell (decisions, section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from transfers.ingest.markets.reading import Around
from transfers.ingest.matching import Match
from transfers.ingest.money import Purse, unwrapped
from transfers.ingest.moves import MAX_UINT256
from transfers.ingest.sales import NATIVE, Fill, Payment


def unpaid(matches: Sequence[Match], around: Around, purse: Purse) -> dict[int, str]:
    """Return the fills whose price the logs contradict, by place among ``matches``, each with the reason.

    A price in a token is drawn from what the buyer sent of it, or from what another sent in the buyer's place (a
    router, the market that wrapped the buyer's ether); each wei once. Each receiver that the event names must have
    got its part. Native money leaves no log: all that can be said is that a market called directly cannot have taken
    more than the transaction brought, since it holds no money of its own; and that a buyer whom most of a price goes
    back to must have brought it, whoever was called.
    """
    reasons: dict[int, str] = {}
    _check_drawn(matches, around, purse, reasons)
    _check_receivers(matches, purse, reasons)
    _check_native(matches, around, reasons)
    for place, matched in enumerate(matches):
        if matched.fill.price > MAX_UINT256:
            reasons.setdefault(place, "The price is more than 2^256, which no currency has.")
    return reasons


def _check_drawn(matches: Sequence[Match], around: Around, purse: Purse, reasons: dict[int, str]) -> None:
    others: list[int] = []
    for place, matched in enumerate(matches):
        fill = matched.fill
        if not fill.price or fill.currency == NATIVE or not matched.moves or fill.escrowed:
            continue
        if fill.buyer is None or not _is_drawn([fill.buyer], fill, purse):
            others.append(place)
    # Only then from others, so that no price is drawn from what the buyer of another one paid.
    likely = [one for one in (around.transaction.sender, around.transaction.target) if one is not None]
    for place in others:
        fill = matches[place].fill
        payers = chain(likely, purse.senders(fill.currency))
        if not _is_drawn((one for one in payers if one != fill.seller), fill, purse):
            reasons[place] = f"No one sent the {fill.price} of {fill.currency} that the event tells."


def _is_drawn(payers: Iterable[str], fill: Fill, purse: Purse) -> bool:
    """Draw a price from what one of these sent; ``False`` where each sent too little."""
    # What the buyer owes to themselves (a royalty, say) is a part of the price that a market need not move. It is
    # believed up to as much as moved: else anybody could be shown to have paid millions for something.
    least = fill.price if is_mostly_own(fill) else fill.price - _own(fill)
    sent = purse.senders(fill.currency)
    for payer in payers:
        if sent.get(payer, 0) >= least:
            amount = fill.price if sent[payer] >= fill.price else least
            receivers = dict.fromkeys(one.receiver for one in fill.payments)
            return purse.draw(fill.currency, payer, amount, (fill.seller or payer, *receivers))
    return False


def is_mostly_own(fill: Fill) -> bool:
    """Whether more than half of a price is what the buyer owes to themselves: then all of it must show."""
    return 2 * _own(fill) > fill.price


def _own(fill: Fill) -> int:
    return sum(one.amount for one in fill.payments if _is_own(one, fill) and one.currency == fill.currency)


def _is_own(payment: Payment, fill: Fill) -> bool:
    return payment.receiver == fill.buyer


def _check_receivers(matches: Sequence[Match], purse: Purse, reasons: dict[int, str]) -> None:
    told: dict[tuple[str, str], int] = defaultdict(int)
    concerned: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, matched in enumerate(matches):
        for one in matched.fill.payments if matched.moves else ():
            if one.currency != NATIVE and not _is_own(one, matched.fill):
                told[one.currency, one.receiver] += one.amount
                concerned[one.currency, one.receiver].append(place)
    for (currency, receiver), amount in told.items():
        received = purse.received(currency, receiver)
        if received < amount:
            for place in concerned[currency, receiver]:
                reasons.setdefault(
                    place, f"{receiver} was to get {amount} of {currency}, and got {received}."
                )


def _check_native(matches: Sequence[Match], around: Around, reasons: dict[int, str]) -> None:
    transaction = around.transaction
    direct = [
        place
        for place, matched in enumerate(matches)
        if matched.moves and matched.fill.currency == NATIVE and not matched.fill.escrowed
    ]
    if transaction.target not in around.registry.markets:
        # A router, or somebody's own contract, may pay with what it holds: but not any amount, and to itself.
        direct = [place for place in direct if is_mostly_own(matches[place].fill)]
    if not direct:
        return
    brought = transaction.value + unwrapped(transaction.logs, around.money, around.registry.wrapped_native)
    asked = sum(matches[place].fill.price for place in direct)
    if asked > brought:
        for place in direct:
            reasons.setdefault(place, f"The events tell {asked} wei, the transaction brought {brought}.")
