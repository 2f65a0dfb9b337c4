"""Sales without a market's event: an NFT one way, a token payment the other (decisions, section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from indexing.decode.moves import MAX_UINT256, Move
from indexing.judge.legs import chains, ends, nft_leg, unjudged
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import Judgement, Leg

_Pair = tuple[str, str]
"""Seller and buyer."""


class _Paid(NamedTuple):
    """What a buyer sent to a seller."""

    currencies: frozenset[str]
    total: int
    first: int
    """Index of its first log."""
    legs: tuple[Leg, ...]


def payments(moves: Sequence[Move], money: Sequence[MoneyMove]) -> dict[_Pair, _Paid]:
    """Return what was paid to senders of NFTs, which need not have been for these, by seller and buyer.

    Native money proves nothing: it may be a fee, a deposit or a refund. What the contract of an NFT calls money
    (ERC-404) is its NFTs once more.
    """
    sellers, contracts = {moves[at].sender for at in unjudged(moves, ())}, {move.contract for move in moves}
    by_pair: dict[_Pair, list[MoneyMove]] = defaultdict(list)
    for one in money:
        if one.receiver in sellers and one.currency not in contracts:
            by_pair[one.receiver, one.sender].append(one)
    return {
        pair: _Paid(
            frozenset(one.currency for one in some),
            sum(one.amount for one in some),
            some[0].log_index,
            tuple(Leg(one.currency, None, one.sender, one.receiver, one.amount) for one in some),
        )
        for pair, some in by_pair.items()
    }


def bought(moves: Sequence[Move], paid: Mapping[_Pair, _Paid]) -> dict[int, Judgement]:
    """Return the moves whose receiver paid their sender, in one token or several, by their places.

    One NFT for one token is a sale at that price; more of either is a sale without a price of its own, with all legs.
    Mints and burns have no other side. An NFT that passes through several hands may be paid for at each, but a router
    that passes on NFT and money has neither bought nor sold: the sale is the leg that leaves the seller, its price
    what the buyer paid.
    """
    if not paid:
        return {}
    places = unjudged(moves, ())
    flows = chains(moves, places)
    through = {
        pair: some for pair, some in _sold(moves, flows, paid).items() if any(len(one) > 1 for one in some)
    }
    passed_on = {at for some in through.values() for chain in some for at in chain}
    sold = {
        pair: some
        for pair, some in _sold(moves, [[at] for at in places if at not in passed_on], paid).items()
        if pair not in through
    }
    judged: dict[int, Judgement] = {}
    for pair, price in _without_routers(moves, flows, sold, paid).items():
        judged |= _judged(moves, sold[pair], price)
    for pair, some in through.items():
        judged |= _judged(moves, some, paid[pair])
    return judged


def _sold(
    moves: Sequence[Move], flows: Sequence[list[int]], paid: Mapping[_Pair, _Paid]
) -> dict[_Pair, list[list[int]]]:
    """Return what went from sellers to buyers that paid them."""
    by_pair: dict[_Pair, list[list[int]]] = defaultdict(list)
    for chain in flows:
        by_pair[ends(moves, chain)].append(chain)
    return {
        (seller, buyer): some
        for (seller, buyer), some in by_pair.items()
        if (seller, buyer) in paid and (buyer, seller) not in by_pair  # NFTs both ways are an exchange
    }


def _without_routers(
    moves: Sequence[Move],
    flows: Sequence[list[int]],
    sold: Mapping[_Pair, list[list[int]]],
    paid: Mapping[_Pair, _Paid],
) -> dict[_Pair, _Paid]:
    """Return what was paid for what sellers sold, without what routers passed on.

    A router gets the money before it pays any of it, and gives what it gets for that at once.
    """
    before = {at: earlier for chain in flows for earlier, at in pairwise(chain)}
    prices = {pair: paid[pair] for pair in sold}
    for pair, some in sorted(sold.items(), key=lambda item: -item[1][0][0]):  # the last hand first
        sources = {(moves[before[at]].sender, pair[0]) for (at,) in some if at in before}
        mine = prices[pair]
        if not all(at in before for (at,) in some) or not all(
            source in sold and paid[source].currencies == mine.currencies and paid[source].first > mine.first
            for source in sources
        ):
            continue
        del prices[pair]
        (source, *others) = sources
        if source in prices and not others and len(some) == len(sold[source]) == 1:
            prices[source] = max(mine, prices[source], key=lambda one: one.total)
    return prices


def _judged(moves: Sequence[Move], some: Sequence[list[int]], paid: _Paid) -> dict[int, Judgement]:
    if len(paid.currencies) == len(some) == 1 and paid.total <= MAX_UINT256:
        (currency,) = paid.currencies
        return {some[0][0]: Judgement("sale", currency, paid.total)}
    legs = (*(nft_leg(moves[chain[0]]) for chain in some), *paid.legs)
    return {chain[0]: Judgement("sale", swaps=legs) for chain in some}
