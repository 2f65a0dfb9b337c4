"""The orders of a window, with all that the node is asked about them, and what is asked once they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.db.writing import writing
from indexing.decode.moves import Undecoded
from indexing.node.asking import Ask
from indexing.node.transactions import Header
from indexing.write import checks
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
        """Forget which pools a window has quoted. To be called once it is written."""
        later = {pool: block for pool, block in self._pools.unquoted.items() if block > window.last}
        self._pools.unquoted = later

    def check(self, header: Header, *, all_of_them: bool = False) -> None:
        """Check a round of asks that are due, or all, as of the newest indexed block. Opens its own transactions."""
        as_of = checks.AsOf(header.number, header.timestamp)
        while checks.check(self._chain, self._ask, as_of) == checks.AT_ONCE and all_of_them:
            pass
