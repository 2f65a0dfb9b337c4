"""What a buyer paid in all, at markets whose events tell a price that fees come on top of.

A price in a token: what the buyer sent between the market event before and this one. A price in native money leaves no
log: it is certain where all that the events of a transaction tell is what it brought. Then nothing was on top, and
nothing was handed back. With a fee that is published it is believed where it adds up to the wei, and where the market,
or an aggregator that takes nothing for itself, was called. Everything else may as well be money that was handed back:
the price is then not told (``Fill.unpriced``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from indexing.judge.markets.reading import Around
from indexing.judge.money import unwrapped
from indexing.judge.verdicts import NATIVE, Fill, Payment

_WHOLE = 10_000


def on_top(told: Sequence[Fill], around: Around) -> list[Fill]:
    """Return fills with what their buyers sent of a token in the place of what the events tell.

    Each event comes behind the payments that it tells of.
    """
    return [
        one._replace(price=max(one.price, sent(one, around, before=one.log_index)))
        if one.price and one.currency != NATIVE
        else one
        for one in told
    ]


def settled(fills: Sequence[Fill], around: Around) -> list[Fill]:
    """Return all fills of a transaction with the gross price of those in native money, or none where it is not certain.

    It is one fee for all that may have one.
    """
    first = next((one for one in fills if _is_open(one)), None)
    if first is None:
        return list(fills)
    transaction = around.transaction
    brought = transaction.value + unwrapped(transaction.logs, around.money, around.registry.wrapped_native)
    rates = {rate for one in fills if _is_open(one) for rate in one.surcharges}
    for rate in sorted(rates) if _is_plain(first.protocol, around) else [0]:
        prices = [_with(one, rate) for one in fills]
        asked = sum(
            price
            for one, price in zip(fills, prices, strict=True)
            if one.currency == NATIVE and not (one.escrowed or one.is_loan)
        )
        if asked in (transaction.value, brought):
            return [one._replace(price=price) for one, price in zip(fills, prices, strict=True)]
    return [unpriced(one) if _is_open(one) else one for one in fills]


def unpriced(fill: Fill) -> Fill:
    """Return a fill whose price is not certain: what the event tells stays as a payment to the seller."""
    legs = () if fill.seller is None else (Payment(fill.currency, fill.price, fill.seller),)
    return fill._replace(price=0, unpriced=True, payments=legs)


def sent(fill: Fill, around: Around, *, before: int) -> int:
    """Return what the buyer sent of the currency for a fill, up to the log ``before``.

    Most markets move the NFT first and the money behind it. Where that is too little, the money came first: then it is
    what the buyer sent since the market event before the fill.
    """
    after = last_event(around, fill.log_index)
    items = {(item.contract, item.token_id) for item in fill.items}
    moved = max(
        (
            move.log_index
            for move in around.moves
            if after < move.log_index < before and (move.contract, move.token_id) in items
        ),
        default=after,
    )
    behind = _sent_between(fill, around, moved, before)
    return behind if behind >= fill.price else _sent_between(fill, around, after, before)


def sent_behind(fill: Fill, around: Around) -> int:
    """Return what the buyer sent of the currency between the fill's event and the next event of any market."""
    logs, markets = around.transaction.logs, around.registry.markets
    place = bisect_right(logs, fill.log_index, key=lambda log: log.log_index)
    end = next((log.log_index for log in logs[place:] if log.address in markets), logs[-1].log_index + 1)
    return _sent_between(fill, around, fill.log_index, end)


def last_event(around: Around, event: int) -> int:
    """Return the index of the last log of any market before an event; -1 where there is none.

    What the same contract says right before, with nothing in between, is a part of the event.
    """
    logs, markets = around.transaction.logs, around.registry.markets
    place = bisect_left(logs, event, key=lambda log: log.log_index)
    own = logs[place].address
    while place and logs[place - 1].address == own:
        place -= 1
    return next((log.log_index for log in reversed(logs[:place]) if log.address in markets), -1)


def added(price: int, rate: int) -> int:
    """Return a price with a fee of so many basis points on top, rounded down as the contracts do."""
    return price + price * rate // _WHOLE


def _sent_between(fill: Fill, around: Around, after: int, before: int) -> int:
    return sum(
        one.amount
        for one in around.money
        if after < one.log_index < before and (one.currency, one.sender) == (fill.currency, fill.buyer)
    )


def _is_open(fill: Fill) -> bool:
    """Whether something may have come on top of a price that no log shows."""
    return bool(fill.surcharges and fill.price) and fill.currency == NATIVE


def _with(fill: Fill, rate: int) -> int:
    return added(fill.price, rate) if _is_open(fill) and rate in fill.surcharges else fill.price


def _is_plain(protocol: str, around: Around) -> bool:
    """Whether what was called takes no fee but the market's: the market itself, or a known aggregator."""
    target = around.transaction.target
    called = around.registry.markets.get(target or "")
    return target in around.registry.targets or (called is not None and called.protocol == protocol)
