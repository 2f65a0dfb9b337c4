"""How the price of a sale was split: what its seller got, the market, whoever gets royalties, and others. Pure.

Only what an event tells counts, held against its price: where the parts that are told do not come to it, to the wei,
and the market's rules do not say whose the rest is, how it was split is not known.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from indexing.judge.verdicts import Fill, Judgement, Match, Role, Share


def shares(
    sold: Mapping[int, Sequence[Match]], judged: Mapping[int, Judgement], fees: Container[str]
) -> dict[int, tuple[Share, ...]]:
    """Return the parts of the prices of moves that fills sold, by their places, of those of which all is known.

    ``fees`` are the receivers that markets declare to be theirs.
    """
    found = {}
    for place, own in sold.items():
        parts = [_shares_of(one.fill, fees) for one in own]
        if judged[place].price and all(parts):
            found[place] = tuple(share for some in parts for share in some)
    return found


def _shares_of(fill: Fill, fees: Container[str]) -> tuple[Share, ...]:
    """Return the parts of a fill's price, which are all of it; empty where that is not known.

    A receiver is to the sale what the event says, or a fee's receiver, or the seller; one of whom nothing tells is just
    another.
    """
    if fill.unpriced or fill.mixed or not fill.price:
        return ()
    if any(payment.currency != fill.currency for payment in fill.payments):
        return ()
    told = [*fill.shares, *_paid(fill, fees)]
    rest = fill.price - sum(share.amount for share in told)
    if rest < 0 or (rest and fill.rest is None):
        return ()
    if rest and fill.rest is not None:
        told.append(Share(fill.rest, rest, fill.seller if fill.rest is Role.SELLER else None))
    return tuple(share for share in told if share.amount)


def _paid(fill: Fill, fees: Container[str]) -> Iterator[Share]:
    roles = dict(fill.roles)
    for payment in fill.payments:
        role = roles.get(payment.receiver)
        if payment.receiver == fill.seller:
            role = Role.SELLER
        elif payment.receiver in fees:
            role = Role.PROTOCOL
        yield Share(role or Role.OTHER, payment.amount, payment.receiver)
