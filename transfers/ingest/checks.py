"""Whether the money of a transaction bears out the prices that market events tell (decisions, section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from transfers.ingest.markets.reading import Around
from transfers.ingest.matching import Match
from transfers.ingest.money import Purse, unwrapped
from transfers.ingest.sales import NATIVE, Fill, Payment


def unpaid(matches: Sequence[Match], around: Around, purse: Purse) -> dict[int, str]:
    """Return the fills whose price the logs contradict, by place among ``matches``, each with the reason.

    A price in a token is drawn from what the buyer sent of it, or from what another sent in the buyer's place (a
    router, the market that wrapped the buyer's ether); each wei once. Each receiver that the event names must have
    got its part. Native money leaves no log: all that can be said is that a market called directly cannot have taken
    more than the transaction brought, since it holds no money of its own.
    """
    reasons: dict[int, str] = {}
    for place, matched in enumerate(matches):
        fill = matched.fill
        if fill.price and fill.currency != NATIVE and matched.moves and not fill.escrowed:
            reason = _drawn(fill, around, purse)
            if reason is not None:
                reasons[place] = reason
    _check_receivers(matches, purse, reasons)
    _check_native(matches, around, reasons)
    return reasons


def _drawn(fill: Fill, around: Around, purse: Purse) -> str | None:
    first = {fill.seller, *(one.receiver for one in fill.payments)}
    likely = [fill.buyer, around.transaction.sender, around.transaction.target]
    others = [one for one in purse.senders(fill.currency) if one not in likely and one != fill.seller]
    # What the buyer owes to themselves (a royalty, say) is a part of the price that a market need not move.
    own = sum(one.amount for one in _to_buyer(fill) if one.currency == fill.currency)
    for payer in (*likely, *others):
        for amount in (fill.price, fill.price - own):
            if payer is not None and amount and purse.draw(fill.currency, payer, amount, first):
                return None
    return f"No one sent the {fill.price} of {fill.currency} that the event tells."


def _to_buyer(fill: Fill) -> list[Payment]:
    return [one for one in fill.payments if one.receiver == fill.buyer]


def _check_receivers(matches: Sequence[Match], purse: Purse, reasons: dict[int, str]) -> None:
    told: dict[tuple[str, str], int] = defaultdict(int)
    concerned: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, matched in enumerate(matches):
        own = _to_buyer(matched.fill)
        for one in matched.fill.payments if matched.moves else ():
            if one.currency != NATIVE and one not in own:
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
    if transaction.target not in around.registry.markets:
        return  # a router, or somebody's own contract, may pay with what it holds
    direct = [
        place
        for place, matched in enumerate(matches)
        if matched.moves and matched.fill.currency == NATIVE and not matched.fill.escrowed
    ]
    brought = transaction.value + unwrapped(transaction.logs, around.money, around.registry.wrapped_native)
    asked = sum(matches[place].fill.price for place in direct)
    if asked > brought:
        for place in direct:
            reasons.setdefault(place, f"The events tell {asked} wei, the transaction brought {brought}.")
