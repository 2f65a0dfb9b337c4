"""Finds the moves that market events sold: each move once, each sale once (decisions, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nftsite.net.addresses import ZERO_ADDRESS
from transfers.ingest.markets.registry import Registry
from transfers.ingest.moves import Move
from transfers.ingest.sales import Fill, Item

Fits = Callable[[Move, Fill], bool]


class Match(NamedTuple):
    """A fill with the places of the moves that delivered what it sold, and what it got for them in NFTs."""

    fill: Fill
    moves: tuple[int, ...]
    returned: tuple[int, ...]
    missing: int
    """Items that no move delivered."""


def _from_seller_to_buyer(move: Move, fill: Fill) -> bool:
    return _is(fill.seller, move.sender) and _is(fill.buyer, move.receiver)


def _from_seller(move: Move, fill: Fill) -> bool:
    return _is(fill.seller, move.sender)


def _minted_to_buyer(move: Move, fill: Fill) -> bool:
    return move.sender == ZERO_ADDRESS and _is(fill.buyer, move.receiver)


def _to_buyer(move: Move, fill: Fill) -> bool:
    # The maker of an order may sell what another address holds, by a right that it was given.
    return _is(fill.buyer, move.receiver)


_FITS: tuple[Fits, ...] = (_from_seller_to_buyer, _from_seller, _minted_to_buyer, _to_buyer)
"""Which move an item can be, the surest first. A router, or who gets it as a gift, is neither seller nor buyer; what
leaves the seller is the sale, and what follows is passing it on."""


def match(fills: Sequence[Fill], moves: Sequence[Move], registry: Registry) -> list[Match]:
    """Give each fill its moves, the surest pairs first, each unit of a move to one fill.

    An item is found by contract, token, units and parties, nearest to the event; an adapter's contract stands for the
    one it serves. Where no single move has the units, several that leave the seller may add up to them.
    """
    search = _Search(moves, registry)
    for place, fill in enumerate(fills):
        if fill.moves:
            search.claim_all(place, fill.moves)
    for fits in _FITS:
        for place, fill in enumerate(fills):
            if not fill.moves:
                search.look(place, fill, fill.items, fits)
                search.look(place, _turned(fill), fill.returned, fits)
    for place, fill in enumerate(fills):
        if not fill.moves:
            search.gather(place, fill)
    return [search.result(place, fill) for place, fill in enumerate(fills)]


def _is(party: str | None, address: str) -> bool:
    return party is None or party == address


def _turned(fill: Fill) -> Fill:
    """Return an exchange seen from its other side."""
    return fill._replace(seller=fill.buyer, buyer=fill.seller)


class _Search:
    """Moves by what they moved, with the units of each that are not yet sold."""

    def __init__(self, moves: Sequence[Move], registry: Registry) -> None:
        self._moves = moves
        self._left = [move.amount for move in moves]
        self._registry = registry
        self._by_token: dict[tuple[str, int], list[int]] = {}
        for place, move in enumerate(moves):
            self._by_token.setdefault((move.contract, move.token_id), []).append(place)
        self._found: dict[tuple[int, Item, int], tuple[int, ...]] = {}
        """Moves by fill, item and which one of equal items it is."""

    def claim_all(self, place: int, moves: Sequence[int]) -> None:
        """Give a fill the moves that it names."""
        for number, at in enumerate(moves):
            move = self._moves[at]
            self._left[at] = 0
            self._found[place, Item(move.contract, move.token_id, move.amount), -1 - number] = (at,)

    def look(self, place: int, fill: Fill, items: Sequence[Item], fits: Fits) -> None:
        """Find a move for each item of a fill that has none yet."""
        if fill.seller is None and fill.buyer is None:
            return
        for key, item in self._open(place, items):
            candidates = [
                at
                for at in self._places(item)
                if self._left[at] >= item.amount and fits(self._moves[at], fill)
            ]
            if candidates:
                best = min(candidates, key=lambda at: self._rank(at, item, fill))
                self._left[best] -= item.amount
                self._found[key] = (best,)

    def gather(self, place: int, fill: Fill) -> None:
        """Let several moves from the seller add up to an item's units."""
        for key, item in self._open(place, fill.items):
            taken, wanted = [], item.amount
            for at in self._places(item):
                if wanted and self._left[at] and _from_seller(self._moves[at], fill):
                    taken.append((at, min(wanted, self._left[at])))
                    wanted -= taken[-1][1]
            if taken and not wanted:
                for at, units in taken:
                    self._left[at] -= units
                self._found[key] = tuple(at for at, _ in taken)

    def result(self, place: int, fill: Fill) -> Match:
        if fill.moves:
            return Match(fill, fill.moves, (), 0)
        sold = [self._found.get(key) for key, _ in _numbered(place, fill.items)]
        given = [self._found.get(key) for key, _ in _numbered(place, fill.returned)]
        return Match(
            fill,
            tuple(dict.fromkeys(at for some in sold if some for at in some)),
            tuple(dict.fromkeys(at for some in given if some for at in some)),
            sum(some is None for some in (*sold, *given)),
        )

    def _open(self, place: int, items: Sequence[Item]) -> Iterator[tuple[tuple[int, Item, int], Item]]:
        for key, item in _numbered(place, items):
            if key not in self._found:
                yield key, item

    def _places(self, item: Item) -> Sequence[int]:
        own = self._by_token.get((item.contract, item.token_id))
        if own is not None:
            return own
        adapted = self._registry.adapters.get(item.contract)
        return () if adapted is None else self._by_token.get((adapted, item.token_id), ())

    def _rank(self, at: int, item: Item, fill: Fill) -> tuple[bool, int, int]:
        move = self._moves[at]
        return self._left[at] != item.amount, abs(move.log_index - fill.log_index), at


def _numbered(place: int, items: Sequence[Item]) -> Iterator[tuple[tuple[int, Item, int], Item]]:
    """Yield the items of a fill with a key each; one item named twice is two."""
    seen: dict[Item, int] = {}
    for item in items:
        seen[item] = seen.get(item, 0) + 1
        yield (place, item, seen[item]), item
