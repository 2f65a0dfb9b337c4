"""NFTs by Token as a walk that a page is cut from."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from core.rest.cursors import Position
from core.rest.pagination import Entry
from core.rest.shares import one_of_few
from tokens.engine import bounds
from tokens.engine.postings import Place, walk
from tokens.prices.currency_worths import NOTHING_DUE, DueRates
from tokens.query.ordering import Order
from tokens.query.resolving import resolve
from tokens.query.selection import Selection


class NftWalk:
    """The NFTs that match a selection, in one order; a position is (phase, key, NFT id).

    Raises ``ValidationError`` for a selection whose pages may be too expensive.
    """

    def __init__(self, selection: Selection, order: Order, now: int) -> None:
        self.selection = selection
        self.order = order
        self.resolved = resolve(selection, now)
        self._passed = 0 if self.resolved is None else bounds.check(self.resolved, order)

    @property
    def due(self) -> DueRates:
        """Rates that have come due since the keys of asks were written."""
        return NOTHING_DUE if self.resolved is None else self.resolved.due

    def __call__(self, start: Position | None, size: int) -> Sequence[Entry]:
        """Read at most ``size`` NFTs behind ``start``."""
        if self.resolved is None:
            return []
        place = None if start is None else Place(int(start[0]), start[1], int(start[2]))
        with one_of_few() if self._passed > bounds.CHEAP else nullcontext():
            found = walk(self.resolved, self.order, place, size)
        return [Entry(tuple(entry), entry.nft_id) for entry in found]
