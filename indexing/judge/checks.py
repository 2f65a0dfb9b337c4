"""Holds what market events tell against the NFT and money logs of their transaction (decisions, section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from indexing.decode.moves import MAX_UINT256
from indexing.judge.markets.reading import Around
from indexing.judge.money import Purse, unwrapped
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
)
from indexing.judge.verdicts import NATIVE, Fault, Fill, Match, Payment


def check(matches: Sequence[Match], around: Around, faults: Iterable[Fault] = ()) -> None:
    """Note what each fill is held against, in this order, and why not against the rest; ``faults`` are their readers'.

    A fill is borne out unless a check of it does not hold. A price in a token is drawn from what the buyer sent of it,
    or from what another sent in the buyer's place (a router, the market that wrapped the buyer's ether); each wei
    once. Each receiver that the event names must have got its part. Native money leaves no log: all that can be said
    is that a market called directly cannot have taken more than the transaction brought, since it holds no money of
    its own; and that a buyer whom most of a price goes back to must have brought it, whoever was called.
    """
    if not matches:
        return
    doubts: dict[int, list[Check]] = {}
    for fault in faults:
        doubts.setdefault(fault.log_index, []).append(Remark(fault.reason, False))
    for one in matches:
        one.checks += (*doubts.get(one.fill.log_index, ()), *_of_event(one))
    purse = Purse(around.money, around.registry.markets)
    _check_drawn(matches, around, purse)
    _check_native(matches, around)
    _check_receivers(matches, purse)
    for one in matches:
        if one.fill.price > MAX_UINT256:
            one.checks.append(TOO_MUCH)
        if one.fill.unpriced and one.moves:
            one.checks.append(PRICELESS if one.fault is None else UNPRICED)


def _of_event(matched: Match) -> Iterator[Check]:
    """Yield what is known of a fill before any money is looked for."""
    fill = matched.fill
    items = len(fill.items) + len(fill.returned)
    if items and not fill.moves:  # else the market's own rules told what delivers it
        yield Delivered(items, matched.missing, fill.is_paid or bool(fill.returned))
    if not matched.moves:
        if fill.price or fill.payments:
            yield UNDELIVERED
    elif fill.price and fill.escrowed:
        yield ESCROWED


def _has_price(one: Match) -> bool:
    """Whether a price is to be found among what moved in the transaction."""
    return bool(one.fill.price and one.moves) and not one.fill.escrowed


def _check_drawn(matches: Sequence[Match], around: Around, purse: Purse) -> None:
    others: list[Match] = []
    drawn_from: set[str] = set()
    for one in matches:
        fill = one.fill
        if fill.currency == NATIVE or not _has_price(one):
            continue
        drawn = None if fill.buyer is None else _drawn([fill.buyer], fill, purse)
        if drawn is None:
            others.append(one)
        else:
            one.checks.append(drawn)
            drawn_from.add(fill.currency)
    # Only then from others, so that no price is drawn from what the buyer of another one paid.
    likely = [who for who in (around.transaction.sender, around.transaction.target) if who is not None]
    for one in others:
        fill = one.fill
        payers = chain(likely, purse.senders(fill.currency))
        drawn = _drawn((who for who in payers if who != fill.seller), fill, purse)
        if drawn is None:
            rest = _rest(fill, purse, is_drawn=fill.currency in drawn_from)
            drawn = Drawn(fill.currency, fill.price, None, rest=rest)
        else:
            drawn_from.add(fill.currency)
        one.checks.append(drawn)


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


def _check_native(matches: Sequence[Match], around: Around) -> None:
    transaction = around.transaction
    is_market = transaction.target in around.registry.markets
    bounded: list[Match] = []
    for one in matches:
        if one.fill.currency != NATIVE or not _has_price(one):
            continue
        # A router, or somebody's own contract, may pay with what it holds: but not any amount, and to itself.
        if is_market or _is_mostly_own(one.fill):
            bounded.append(one)
        else:
            one.checks.append(UNBOUND)
    if bounded:
        more = unwrapped(transaction.logs, around.money, around.registry.wrapped_native)
        brought = Brought(is_market, transaction.value, more, sum(one.fill.price for one in bounded))
        for one in bounded:
            one.checks.append(brought)


def _check_receivers(matches: Sequence[Match], purse: Purse) -> None:
    told: dict[tuple[str, str], int] = defaultdict(int)
    parts: list[tuple[Match, tuple[str, str], int]] = []
    for one in matches:
        own: dict[tuple[str, str], int] = defaultdict(int)
        for payment in one.fill.payments if one.moves else ():
            if payment.currency == NATIVE:
                one.checks.append(Unlogged(payment.receiver, payment.amount))
            elif not _is_own(payment, one.fill):
                own[payment.currency, payment.receiver] += payment.amount
        for key, amount in own.items():
            told[key] += amount
            parts.append((one, key, amount))
    for one, key, amount in parts:
        one.checks.append(Received(*key, amount, told[key], purse.received(*key)))
