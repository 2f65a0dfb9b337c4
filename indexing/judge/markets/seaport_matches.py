"""Seaport orders that were matched with each other: which of them tells what was sold, to whom and for how much.

Whoever calls the market pairs orders that others made, or makes a *mirror* order only to fill another's. What an order
offers beyond what the others ask for goes to the caller's recipient from 1.2 on, and stays with who offered it in 1.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from indexing.judge.markets.seaport_orders import Order, ask, bid, caller_of, market, total
from indexing.judge.verdicts import Fill, Item, Side


def matched(orders: Sequence[Order]) -> Iterator[Fill]:
    """Yield the fills of orders that were matched with each other: each sale once, whatever the number of events."""
    for group in _connected(orders):
        exchanges = [one for one in group if one.gives and one.wants]
        asks = [one for one in group if one.gives and not one.wants]
        bids = [one for one in group if one.wants and not one.gives]
        if exchanges and not any(one.asked for one in asks) and not any(one.offered for one in bids):
            yield from _exchanged(exchanges, group)
        elif not bids or _told_by_asks(asks, bids):
            for one in asks:
                yield _sold(one, bids)
        else:
            for one in bids:
                yield _bought(one, asks, bids)


def _connected(orders: Sequence[Order]) -> list[list[Order]]:
    """Group orders that have an NFT in common, in log order; those without any only bring or take money."""
    groups: list[tuple[set[tuple[str, int]], list[Order]]] = []
    for one in orders:
        tokens, together = one.tokens, [one]
        if not tokens:
            continue
        apart = []
        for known in groups:
            if known[0] & tokens:
                tokens |= known[0]
                together = [*known[1], *together]
            else:
                apart.append(known)
        groups = [*apart, (tokens, together)]
    return [sorted(together, key=lambda one: one.log_index) for _, together in groups]


def _told_by_asks(asks: Sequence[Order], bids: Sequence[Order]) -> bool:
    """Whether the sellers' orders say what is paid for each NFT.

    They do where the buyers' offer nothing (another brings the money), and where one buyer's order fills several of
    them and pays exactly what they ask.
    """
    if not any(one.offered for one in bids):
        return any(one.asked for one in asks)
    if len(bids) > 1 or len(asks) < 2 or bids[0].asked:
        return False
    if _units(bids[0].wants) != _units([item for one in asks for item in one.gives]):
        return False
    if not all(one.asked for one in asks):
        return False
    currency, offered, several = total(bids[0].offered)
    asked = total([payment for one in asks for payment in one.asked])
    if several or asked[2] or asked[0] != currency:
        return False
    return asked[1] == offered or (asked[1] < offered and _keeps_rest(bids[0]))


def _units(items: Iterable[Item]) -> Counter[tuple[str, int]]:
    units: Counter[tuple[str, int]] = Counter()
    for item in items:
        units[item.contract, item.token_id] += item.amount
    return units


def _sold(one: Order, bids: Sequence[Order]) -> Fill:
    """Return what was sold by a seller's order."""
    buyers = {other.offerer for other in bids}
    buyer = caller_of(one) if not buyers else buyers.pop() if len(buyers) == 1 else None
    fill = ask(one, buyer)
    return fill._replace(
        market=market([one, *bids]), order_hashes=(one.hash, *(other.hash for other in bids))
    )


def _bought(one: Order, asks: Sequence[Order], bids: Sequence[Order]) -> Fill:
    """Return what was bought by a buyer's order, with what the sellers' orders say about the other side."""
    others = [other for other in asks if other.tokens & one.tokens]
    elsewhere = {token for other in bids if other is not one for token in other.tokens}
    own = [other for other in others if other.tokens <= one.tokens and not other.tokens & elsewhere]
    sellers = {other.offerer for other in others}
    fill = bid(one, sellers.pop() if len(sellers) == 1 else None)
    payments = (*fill.payments, *(payment for other in own for payment in other.asked))
    fill = fill._replace(
        market=market([one, *others]),
        payments=payments,
        order_hashes=(one.hash, *(other.hash for other in others)),
    )
    if len(own) == len(others) and _keeps_rest(one):
        paid = sum(payment.amount for payment in payments if payment.currency == fill.currency)
        fill = fill._replace(price=paid if 0 < paid < fill.price else fill.price)
    if len(own) == len(others) == 1 and _is_mirror(one):
        fill = fill._replace(side=Side.ASK, log_index=others[0].log_index)
    return fill


def _exchanged(exchanges: Sequence[Order], group: Sequence[Order]) -> Iterator[Fill]:
    """Yield NFTs that were given for NFTs, as the first of both orders tells it."""
    told: set[tuple[str, int]] = set()
    for one in exchanges:
        if {(item.contract, item.token_id) for item in one.gives} <= told:
            continue
        told |= {(item.contract, item.token_id) for item in one.wants}
        others = [other for other in group if other is not one and set(other.gives) & set(one.wants)]
        partners = {other.offerer for other in others}
        partner = partners.pop() if len(partners) == 1 else None
        fill = ask(one, partner or caller_of(one))
        payments = fill.payments
        if others:  # what it offers in money goes to those whom the other order names
            payments = (*one.asked, *(payment for other in others for payment in other.asked))
        yield fill._replace(
            market=market([one, *others]),
            payments=payments,
            order_hashes=(one.hash, *(other.hash for other in others)),
        )


def _is_mirror(one: Order) -> bool:
    """Whether who called the market made this order, only to fill another's."""
    return one.offerer in (one.told.around.transaction.sender, one.recipient)


def _keeps_rest(one: Order) -> bool:
    """Whether what an order offers beyond what is asked for is not paid."""
    return caller_of(one) is None or _is_mirror(one)
