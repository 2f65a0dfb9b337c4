"""Finds the moves that market events sold: each move once, each sale once (decisions, section 6)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import MAX_UINT256, Move
from indexing.judge.markets.reading import Registry
from indexing.judge.verdicts import Fill, Item, Match


class _Wanted(NamedTuple):
    """An item of a fill, for which moves are to be found."""

    fill: int
    """Place among the fills."""
    is_returned: bool
    token: tuple[str, int]
    """Contract, an adapter's replaced by the one it serves, and token."""
    amount: int
    seller: str | None
    buyer: str | None
    log_index: int
    """Of the event."""


_Parties = tuple[str | None, str | None]
"""Sender and receiver; ``None`` is anybody."""
_Key = tuple[tuple[str, int], str | None, str | None]
"""Token, sender and receiver."""

_FITS: tuple[Callable[[_Wanted], _Parties], ...] = (
    lambda one: (one.seller, one.buyer),
    lambda one: (one.seller, None),
    lambda one: (ZERO_ADDRESS, one.buyer),
    # The maker of an order may sell what another address holds, by a right that it was given.
    lambda one: (None, one.buyer),
)
"""Between whom an item can have moved, the surest first. A router, or who gets it as a gift, is neither seller nor
buyer; what leaves the seller is the sale, and what follows is passing it on."""


def match(fills: Sequence[Fill], moves: Sequence[Move], registry: Registry) -> list[Match]:
    """Give each fill its moves, the surest pairs first, each unit of a move to one fill.

    An item is found by contract, token, units and parties, nearest to the event; an adapter's contract stands for the
    one it serves. Where no single move has the units, several that leave the seller may add up to them. What was paid
    for goes before what was given for nothing. The time grows with moves and items, not with their product.
    """
    if not fills:
        return []
    search = _Search(moves, registry)
    for fill in fills:
        search.claim_all(fill.moves)
    in_turn = sorted(range(len(fills)), key=lambda place: not fills[place].is_paid)
    wanted = [one for place in in_turn for one in search.items(place, fills[place])]
    for fits in _FITS:
        search.look(wanted, fits)
    search.gather(wanted)
    return search.matches(fills, wanted)


class _Search:
    """The moves of a transaction, with the units of each that are not yet sold."""

    def __init__(self, moves: Sequence[Move], registry: Registry) -> None:
        self._moves = moves
        self._left = [move.amount for move in moves]
        self._adapters = registry.adapters
        self._adapted = {
            (move.contract, move.token_id) for move in moves if move.contract in registry.adapters
        }
        """What adapters moved of their own."""
        self._found: dict[int, list[int]] = {}
        """Places of moves by the place of what was wanted."""

    def claim_all(self, places: Iterable[int]) -> None:
        """Take the moves that a fill names itself."""
        for at in places:
            self._left[at] = 0

    def items(self, place: int, fill: Fill) -> Iterator[_Wanted]:
        """Yield what moves are to be found for; nothing where the fill names them, or nobody at all."""
        if fill.moves or (fill.seller is None and fill.buyer is None):
            return
        for item in fill.items:
            token = self._token(item)
            yield _Wanted(place, False, token, item.amount, fill.seller, fill.buyer, fill.log_index)
        for item in fill.returned:  # an exchange, seen from its other side
            token = self._token(item)
            yield _Wanted(place, True, token, item.amount, fill.buyer, fill.seller, fill.log_index)

    def look(self, wanted: Sequence[_Wanted], fits: Callable[[_Wanted], _Parties]) -> None:
        """Find one move with all the units of each item that has none yet."""
        shelves: dict[_Key, _Shelf] = {}
        keys = self._open(wanted, fits)
        if not keys:
            return
        by_key = self._by_key(keys.values())
        for number, key in keys.items():
            places = by_key.get(key)
            if not places:
                continue
            if key not in shelves:
                shelves[key] = _Shelf(places, self._moves, self._left)
            one = wanted[number]
            at = shelves[key].take(one.amount, one.log_index)
            if at is not None:
                self._found[number] = [at]

    def gather(self, wanted: Sequence[_Wanted]) -> None:
        """Let several moves from the seller add up to an item's units."""
        keys = self._open(wanted, lambda one: (one.seller, None))
        if not keys:
            return
        by_key = self._by_key(keys.values())
        enough = dict.fromkeys(by_key, MAX_UINT256)
        """What the moves of a key come to, at most."""
        for number, key in keys.items():
            amount, taken = wanted[number].amount, []
            if amount > enough[key] or wanted[number].is_returned:
                continue
            for at in by_key[key]:
                if amount and self._left[at]:
                    taken.append((at, min(amount, self._left[at])))
                    amount -= taken[-1][1]
                elif not amount:
                    break
            if amount:
                enough[key] = wanted[number].amount - amount
                continue
            for at, units in taken:
                self._left[at] -= units
            self._found[number] = [at for at, _ in taken]
            while by_key[key] and not self._left[by_key[key][0]]:
                by_key[key].popleft()

    def _given_back(self, fill: Fill) -> list[int]:
        """Return the moves that a fill names which are the buyer's part of an exchange."""
        back = {(item.contract, item.token_id) for item in fill.returned}
        back -= {(item.contract, item.token_id) for item in fill.items}
        return [at for at in fill.moves if (self._moves[at].contract, self._moves[at].token_id) in back]

    def matches(self, fills: Sequence[Fill], wanted: Sequence[_Wanted]) -> list[Match]:
        """Return what was found for each fill."""
        returned = [dict.fromkeys(self._given_back(fill)) for fill in fills]
        sold = [
            dict.fromkeys(at for at in fill.moves if at not in back)
            for fill, back in zip(fills, returned, strict=True)
        ]
        missing = [0 if fill.moves else len(fill.items) + len(fill.returned) for fill in fills]
        for number, one in enumerate(wanted):
            if number in self._found:
                missing[one.fill] -= 1
                side = returned if one.is_returned else sold
                side[one.fill] |= dict.fromkeys(self._found[number])
        return [
            Match(fill, tuple(sold[place]), tuple(returned[place]), missing[place])
            for place, fill in enumerate(fills)
        ]

    def _token(self, item: Item) -> tuple[str, int]:
        own = item.contract, item.token_id
        if item.contract not in self._adapters or own in self._adapted:
            return own
        return self._adapters[item.contract], item.token_id

    def _open(self, wanted: Sequence[_Wanted], fits: Callable[[_Wanted], _Parties]) -> dict[int, _Key]:
        """Return the keys of what has no move yet, by its place. An order of no units is delivered by nothing."""
        return {
            number: (one.token, *fits(one))
            for number, one in enumerate(wanted)
            if number not in self._found and one.amount
        }

    def _by_key(self, keys: Iterable[_Key]) -> dict[_Key, deque[int]]:
        """Return the moves that have units left by those of the keys that are theirs."""
        found: dict[_Key, deque[int]] = {key: deque() for key in keys}
        shapes = {(key[1] is None, key[2] is None) for key in found}
        for at, move in enumerate(self._moves):
            for any_sender, any_receiver in shapes if self._left[at] else ():
                sender = None if any_sender else move.sender
                receiver = None if any_receiver else move.receiver
                places = found.get(((move.contract, move.token_id), sender, receiver))
                if places is not None:
                    places.append(at)
        return found


class _Shelf:
    """Moves of one token between the same parties, by the units that are left of them."""

    def __init__(self, places: Iterable[int], moves: Sequence[Move], left: list[int]) -> None:
        self._moves = moves
        self._left = left
        self._places: dict[int, list[int]] = {}
        for at in places:
            self._places.setdefault(left[at], []).append(at)
        self._units = sorted(self._places)

    def take(self, amount: int, log_index: int) -> int | None:
        """Take so many units of the move that has them with the least to spare, the nearest one to a log."""
        first = bisect_left(self._units, amount)
        while first < len(self._units):
            units = self._units[first]
            at = self._nearest(units, log_index)
            if at is not None:
                self._left[at] -= amount
                self._put(at)
                return at
            del self._places[units], self._units[first]
        return None

    def _nearest(self, units: int, log_index: int) -> int | None:
        """Remove and return the move nearest to a log, of those with so many units left; of a batch, the first."""
        places, near = self._places[units], []
        at = self._first(units, log_index)
        if at < len(places):
            near.append(places[at])
        while at and self._left[places[at - 1]] != units:
            at -= 1
            del places[at]
        if at:
            near.append(places[self._first(units, self._index(places[at - 1]))])
        if not near:
            return None
        best = min(near, key=lambda one: (abs(self._index(one) - log_index), one))
        del places[bisect_left(places, best)]
        return best

    def _first(self, units: int, log_index: int) -> int:
        """Find the first move at a log or behind it; drop those that another shelf's item took from."""
        places = self._places[units]
        at = bisect_left(places, log_index, key=self._index)
        while at < len(places) and self._left[places[at]] != units:
            del places[at]
        return at

    def _put(self, at: int) -> None:
        units = self._left[at]
        if not units:
            return
        if units not in self._places:
            self._places[units] = []
            insort(self._units, units)
        insort(self._places[units], at)

    def _index(self, at: int) -> int:
        return self._moves[at].log_index
