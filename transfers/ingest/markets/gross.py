"""What a buyer paid in all, at markets whose events tell a price that fees come on top of.

A price in a token: what the buyer sent between the market event before and this one. A price in native money leaves no
log. It is certain where the transaction brought exactly what the events tell (then nothing was on top, and nothing was
handed back), or where the market was called directly and takes nothing but the exact sum. Everything else may as well
be money that was handed back: the price is then not told (``Fill.unpriced``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from transfers.ingest.markets.reading import Around
from transfers.ingest.money import unwrapped
from transfers.ingest.sales import NATIVE, Fill, Payment

_WHOLE = 10_000


def on_top(told: Sequence[Fill], around: Around, *, exact: bool = False) -> list[Fill]:
    """Return the fills of one market, in log order, with what their buyers paid in the place of what the events tell.

    ``exact``: the market takes the sum of price and fees from who calls it, not a wei more. Each event comes behind
    the payments that it tells of.
    """
    paid = [
        one._replace(price=max(one.price, sent(one, around, before=one.log_index)))
        if one.price and one.currency != NATIVE
        else one
        for one in told
    ]
    return natives(paid, around, exact=exact)


def natives(
    told: Sequence[Fill], around: Around, *, exact: bool = False, surcharges: Collection[int] = ()
) -> list[Fill]:
    """Return fills with the gross price of those in native money, or without a price where it is not certain.

    ``surcharges``: rates of the fee on top, in basis points, which are believed where the market was called directly.
    """
    places = [place for place, one in enumerate(told) if one.price and one.currency == NATIVE]
    if not places:
        return list(told)
    prices = _gross([told[place].price for place in places], told[places[0]], around, exact, surcharges)
    found = list(told)
    for number, place in enumerate(places):
        found[place] = unpriced(told[place]) if prices is None else told[place]._replace(price=prices[number])
    return found


def unpriced(fill: Fill) -> Fill:
    """Return a fill whose price is not certain: what the event tells stays as a payment to the seller."""
    legs = () if fill.seller is None else (Payment(fill.currency, fill.price, fill.seller),)
    return fill._replace(price=0, unpriced=True, payments=legs)


def sent(fill: Fill, around: Around, *, before: int) -> int:
    """Return what the buyer sent of the currency, between the market event before the fill and the log ``before``."""
    after = last_event(around, fill.log_index)
    return sum(
        one.amount
        for one in around.money
        if after < one.log_index < before and (one.currency, one.sender) == (fill.currency, fill.buyer)
    )


def sent_behind(fill: Fill, around: Around) -> int:
    """Return what the buyer sent of the currency between the fill's event and the next event of any market."""
    logs, markets = around.transaction.logs, around.registry.markets
    place = bisect_right(logs, fill.log_index, key=lambda log: log.log_index)
    end = next((log.log_index for log in logs[place:] if log.address in markets), logs[-1].log_index + 1)
    return sum(
        one.amount
        for one in around.money
        if fill.log_index < one.log_index < end and (one.currency, one.sender) == (fill.currency, fill.buyer)
    )


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


def _gross(
    prices: Sequence[int], first: Fill, around: Around, exact: bool, surcharges: Collection[int]
) -> list[int] | None:
    transaction, total = around.transaction, sum(prices)
    brought = transaction.value + unwrapped(transaction.logs, around.money, around.registry.wrapped_native)
    if total in (transaction.value, brought):
        return list(prices)
    called = None if transaction.target is None else around.registry.markets.get(transaction.target)
    if called is None or called.protocol != first.protocol:
        return None
    if exact and len(prices) == 1 and total <= transaction.value <= 2 * total:
        return [transaction.value]
    for rate in surcharges:
        if sum(added(price, rate) for price in prices) == transaction.value:
            return [added(price, rate) for price in prices]
    return None
