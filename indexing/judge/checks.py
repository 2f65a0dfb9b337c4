"""Holds what market events tell against the NFT and money logs of their transaction (decisions, section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from indexing.decode.moves import MAX_UINT256
from indexing.judge.markets.reading import Around
from indexing.judge.money import Purse, unwrapped
from indexing.judge.sales import NATIVE, Fault, Fill, Match, Payment
from indexing.judge.trace import (
    ESCROWED,
    PRICELESS,
    TOO_MUCH,
    UNBOUND,
    UNDELIVERED,
    UNPRICED,
    Brought,
    Check,
    Delivered,
    Drawn,
    Received,
    Remark,
    Unlogged,
    failed,
)

_Noted = list[list[Check]]
"""What was checked of each fill, by its place among the matches."""


def checked(matches: Sequence[Match], around: Around, faults: Iterable[Fault] = ()) -> _Noted:
    """Return what was checked of each fill, in this order, and why some of it was not; ``faults`` are their readers'.

    A fill is borne out unless a check of it does not hold. A price in a token is drawn from what the buyer sent of it,
    or from what another sent in the buyer's place (a router, the market that wrapped the buyer's ether); each wei
    once. Each receiver that the event names must have got its part. Native money leaves no log: all that can be said
    is that a market called directly cannot have taken more than the transaction brought, since it holds no money of
    its own; and that a buyer whom most of a price goes back to must have brought it, whoever was called.
    """
    if not matches:
        return []
    doubts: dict[int, list[Check]] = {}
    for fault in faults:
        doubts.setdefault(fault.log_index, []).append(Remark(fault.reason, False))
    noted = [[*doubts.get(one.fill.log_index, ()), *_of_event(one)] for one in matches]
    purse = Purse(around.money, around.registry.markets)
    _check_drawn(matches, around, purse, noted)
    _check_native(matches, around, noted)
    _check_receivers(matches, purse, noted)
    for one, checks in zip(matches, noted, strict=True):
        if one.fill.price > MAX_UINT256:
            checks.append(TOO_MUCH)
        if one.fill.unpriced and one.moves:
            checks.append(PRICELESS if failed(checks) is None else UNPRICED)
    return noted


def _of_event(matched: Match) -> list[Check]:
    """Return what is known of a fill before any money is looked for."""
    fill, checks = matched.fill, list[Check]()
    items = len(fill.items) + len(fill.returned)
    if items and not fill.moves:  # else the market's own rules told what delivers it
        checks.append(Delivered(items, matched.missing, fill.is_paid or bool(fill.returned)))
    if not matched.moves:
        if fill.price or fill.payments:
            checks.append(UNDELIVERED)
    elif fill.price and fill.escrowed:
        checks.append(ESCROWED)
    return checks


def _check_drawn(matches: Sequence[Match], around: Around, purse: Purse, noted: _Noted) -> None:
    others: list[int] = []
    drawn_from: set[str] = set()
    for place, matched in enumerate(matches):
        fill = matched.fill
        if not fill.price or fill.currency == NATIVE or not matched.moves or fill.escrowed:
            continue
        one = None if fill.buyer is None else _drawn([fill.buyer], fill, purse)
        if one is None:
            others.append(place)
        else:
            noted[place].append(one)
            drawn_from.add(fill.currency)
    # Only then from others, so that no price is drawn from what the buyer of another one paid.
    likely = [one for one in (around.transaction.sender, around.transaction.target) if one is not None]
    for place in others:
        fill = matches[place].fill
        payers = chain(likely, purse.senders(fill.currency))
        one = _drawn((one for one in payers if one != fill.seller), fill, purse)
        if one is None:
            one = Drawn(
                fill.currency, fill.price, None, rest=_rest(fill, purse, is_drawn=fill.currency in drawn_from)
            )
        else:
            drawn_from.add(fill.currency)
        noted[place].append(one)


def _drawn(payers: Iterable[str], fill: Fill, purse: Purse) -> Drawn | None:
    """Draw a price from what one of these sent; ``None`` where each sent too little."""
    least = _least(fill)
    sent = purse.senders(fill.currency)
    for payer in payers:
        if sent.get(payer, 0) >= least:
            amount = fill.price if sent[payer] >= fill.price else least
            receivers = dict.fromkeys(one.receiver for one in fill.payments)
            logs = purse.draw(fill.currency, payer, amount, (fill.seller or payer, *receivers))
            return None if logs is None else Drawn(fill.currency, fill.price, payer, amount, logs)
    return None


def _rest(fill: Fill, purse: Purse, *, is_drawn: bool) -> str:
    """Return what of a currency was sent that does not count for a price; blank where nobody sent as much."""
    if fill.seller is not None and purse.senders(fill.currency).get(fill.seller, 0) >= _least(fill):
        return ", its seller apart"
    return " besides what other prices took" if is_drawn else ""


def _least(fill: Fill) -> int:
    """Return how much of a price must show.

    What the buyer owes to themselves (a royalty, say) is a part of it that a market need not move. It is believed up to
    as much as moved: else anybody could be shown to have paid millions for something.
    """
    return fill.price if _is_mostly_own(fill) else fill.price - _own(fill)


def _is_mostly_own(fill: Fill) -> bool:
    """Whether more than half of a price is what the buyer owes to themselves: then all of it must show."""
    return 2 * _own(fill) > fill.price


def _own(fill: Fill) -> int:
    return sum(one.amount for one in fill.payments if _is_own(one, fill) and one.currency == fill.currency)


def _is_own(payment: Payment, fill: Fill) -> bool:
    return payment.receiver == fill.buyer


def _check_native(matches: Sequence[Match], around: Around, noted: _Noted) -> None:
    transaction = around.transaction
    is_market = transaction.target in around.registry.markets
    bounded: list[int] = []
    for place, matched in enumerate(matches):
        fill = matched.fill
        if not fill.price or fill.currency != NATIVE or not matched.moves or fill.escrowed:
            continue
        # A router, or somebody's own contract, may pay with what it holds: but not any amount, and to itself.
        if is_market or _is_mostly_own(fill):
            bounded.append(place)
        else:
            noted[place].append(UNBOUND)
    if bounded:
        more = unwrapped(transaction.logs, around.money, around.registry.wrapped_native)
        asked = sum(matches[place].fill.price for place in bounded)
        one = Brought(is_market, transaction.value, more, asked)
        for place in bounded:
            noted[place].append(one)


def _check_receivers(matches: Sequence[Match], purse: Purse, noted: _Noted) -> None:
    told: dict[tuple[str, str], int] = defaultdict(int)
    parts: list[tuple[int, tuple[str, str], int]] = []
    for place, matched in enumerate(matches):
        own: dict[tuple[str, str], int] = defaultdict(int)
        for one in matched.fill.payments if matched.moves else ():
            if one.currency == NATIVE:
                noted[place].append(Unlogged(one.receiver, one.amount))
            elif not _is_own(one, matched.fill):
                own[one.currency, one.receiver] += one.amount
        for key, amount in own.items():
            told[key] += amount
            parts.append((place, key, amount))
    for place, key, amount in parts:
        noted[place].append(Received(*key, amount, told[key], purse.received(*key)))
