"""The orders of a window, with all that the node is asked about them, and what is asked once they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.batches import batched
from core.db.writing import writing
from indexing.decode.moves import Undecoded
from indexing.node.asking import Ask
from indexing.node.transactions import Header
from indexing.write import approvals
from indexing.write.orders import Resolved
from indexing.write.pools import Pools
from indexing.write.window import Window
from tokens.store.chains import ChainRow
from transfers.ledger import factset
from transfers.ledger.orders import Placed


class Found(NamedTuple):
    """What blocks say of orders, in the order of the chain, and the logs that nobody can make sense of."""

    placed: Sequence[Placed] = ()
    undecoded: Sequence[Undecoded] = ()


NO_ORDERS = Found()


class OrderBooks:
    """The order books of one chain, as far as what its contracts answer goes."""

    def __init__(self, chain: ChainRow, ask: Ask) -> None:
        self._chain = chain
        self._ask = ask
        self._pools = Pools(chain, ask)
        self._unsure_since = 0
        """Block of an opening from which on approvals may not have been asked for."""

    def found(self, window: Window) -> Found:
        """Return what a window says of orders. Raises ``NodeError`` while the node does not answer."""
        resolved = Resolved(self._chain, self._ask, self._pools.believed(window.orders))
        moves, times = window.moves, {one.number: one.timestamp for one in window.headers}
        pools = self._pools.touched(resolved.placed, moves, window.last)
        times |= {
            one.transaction.block_number: one.transaction.timestamp
            for one in window.readings
            if one.transaction is not None
        }
        placed = [*resolved.placed, *self._pools.moved(moves, times)]
        placed += self._pools.quoted(pools, window.last, window.headers[-1].timestamp)
        return Found(placed, [*window.order_faults, *resolved.undecoded])

    def held(self, window: Window) -> list[Placed]:
        """Return what pools hold that were made before indexing began, and what they ask as of a window's end."""
        held = self._pools.held()
        pools = {one.told.exchange for one in held}
        return [*held, *self._pools.quoted(pools, window.last, window.headers[-1].timestamp)]

    def quote_again(self, header: Header) -> None:
        """Have pools quoted again, as of an indexed block, whose price goes with time. Opens its own transaction."""
        if placed := self._pools.quoted_again(header.number, header.timestamp):
            with writing():
                factset.write_orders(self._chain, placed)

    def written(self, window: Window) -> None:
        """Ask whether the makers of asks that were opened have approved their markets, and keep what is answered.

        To be called once the window is written, with the quotes of its pools. Whoever is killed before it has asked
        them is made good by the next run, whose first window asks for all.
        """
        unsure = approvals.unsure(self._chain, self._unsure_since, window.last)
        for some in batched(unsure, approvals.AT_ONCE):
            placed = approvals.asked(self._chain, self._ask, some, window.last, window.headers[-1].timestamp)
            with writing():
                factset.write_orders(self._chain, placed)
        self._unsure_since = window.last + 1
        later = {pool: block for pool, block in self._pools.unquoted.items() if block > window.last}
        self._pools.unquoted = later
