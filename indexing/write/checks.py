"""Checks asks at the contracts that they rest on: at their birth, when they wake, and again in turn.

Fills, cancellations and approvals from before indexing began are in no window, and much is told by no log at all
(``questions``). All is asked in batches, as of one block, each call with bounded gas: a contract that burns all of it
costs nobody else. What a node does not tell is not known, and never "no".
"""

from __future__ import annotations

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key
from core.db.writing import writing
from indexing.node.asking import Ask
from indexing.node.logs import MOST_LOG_INDEX
from indexing.write import checkpoints
from indexing.write.judging import markets_of
from indexing.write.orders import next_place
from indexing.write.questions import Asked, Told, answers
from tokens.models import Ask as AskRow
from tokens.models import Contract, Nft
from tokens.models.ask import CHECKED, FOREVER
from tokens.store.chains import ChainRow
from transfers.ledger import factset, orders
from transfers.ledger.order_facts import OrderEvent, OrderKind
from transfers.ledger.orders import Placed, Row

AT_ONCE = 200
"""Asks that are checked in a round: six calls each at most."""
AGAIN = 86_400
"""Seconds after which an ask is checked again, by the time of blocks."""
SOON = 600
"""The same where the answer may become another without a log that is read, or there was none."""
_IN_TURN = 3_600
"""Of asks that come due within as many seconds the cheapest are checked first."""
_SEAPORT = "seaport-"
Key = tuple[str | None, ...]


class AsOf(NamedTuple):
    """A block as of which contracts are asked."""

    number: int
    timestamp: int


def check(chain: ChainRow, ask: Ask, as_of: AsOf, most: int = AT_ONCE) -> int:
    """Check asks that are due, and return how many they were. Opens its own transactions.

    ``as_of`` is the newest indexed block, where there is one: once indexing has gone on nothing is kept of it, and
    whoever indexes checks them. Raises ``NodeError`` while the node does not answer.
    """
    asked = due(chain, as_of.timestamp, most)
    books = markets_of(chain).books.items() if asked else ()
    seaports = {address for address, one in books if one.protocol.startswith(_SEAPORT)}
    told = list(zip(asked, answers(ask, asked, seaports, as_of.number), strict=True))
    with writing():
        if not told or checkpoints.newest(chain) not in (None, as_of.number):
            return 0
        kept = _Kept(chain, asked)
        said = [event for one, of_it in told for event in kept.said(one, of_it)]
        place = next_place(chain, as_of.number)
        placed = [Placed(one._replace(place=place + at), *as_of, "") for at, one in enumerate(said)]
        factset.rewrite_orders(chain, kept.outdated, placed)
        times = [
            (one.id, as_of.timestamp + (SOON if of_it.is_of_one or not of_it.is_whole else AGAIN))
            for one, of_it in told
        ]
        bulk.update_rows(AskRow, ("id", "check_at"), times)
    return len(told)


def is_any_due(chain: ChainRow, now: int) -> bool:
    """Tell whether there may be asks to check by now, in Unix seconds, of which no block is later."""
    return AskRow.objects.filter(CHECKED, chain_id=chain.id, check_at__lte=now).exists()


def due(chain: ChainRow, now: int, most: int) -> list[Asked]:
    """Return asks that are to be checked at a moment in Unix seconds; one that is over never is again."""
    table = AskRow._meta.db_table
    pending = "chain_id = %s AND check_at <= %s AND (active OR reason IN ('no-approval', 'transfer-refused'))"
    over = f"{pending} AND (valid_until <= %s OR maker IS NULL)"
    if bulk.fetch(f"SELECT 1 FROM {table} WHERE {over} LIMIT 1", [chain.id, now, now]):
        with writing():
            bulk.run(f"UPDATE {table} SET check_at = %s WHERE {over}", [FOREVER, chain.id, now, now])
    rows = bulk.fetch(
        "SELECT a.id, a.order_hash, a.maker, a.operator, a.exchange, a.nonce, a.lot, c.address, c.standard, "
        f"n.token_key FROM (SELECT * FROM {table} WHERE {pending} ORDER BY check_at / {_IN_TURN}, price_key, id "
        f"LIMIT %s) a JOIN {Contract._meta.db_table} c ON c.id = a.contract_id "
        f"JOIN {Nft._meta.db_table} n ON n.id = a.nft_id ORDER BY a.id",
        [chain.id, now, most],
    )
    return list(map(Asked._make, rows))


class _Kept:
    """What was told about asks before; what is no longer to be kept of it goes to ``outdated``."""

    def __init__(self, chain: ChainRow, asked: Sequence[Asked]) -> None:
        self.outdated: list[Row] = []
        self._anew: set[Key] = set()
        self._of_all: dict[Key, bool | None] = {}
        self._called: dict[Key, list[Row]] = defaultdict(list)
        approvals = {
            (*approval_of(one), str(OrderKind.APPROVED)) for one in asked if one.operator is not None
        }
        found = orders.events_by(chain.id, ("maker", "operator", "contract", "kind"), approvals)
        for row in sorted(found, key=lambda row: (row.block_number, row.log_index, row.place)):
            approval = row.maker, row.operator, row.contract
            if row.token_key is not None:
                self._called[*approval, row.token_key].append(row)
            elif (is_approved := orders.detail_of(row).get("is_approved")) is not None:
                self._of_all[approval] = is_approved
        for row in orders.events_by(chain.id, ("order_hash",), {(one.order_hash,) for one in asked}):
            if row.kind == OrderKind.STATUS:
                self._called[row.order_hash,].append(row)

    def said(self, one: Asked, told: Told) -> Iterator[OrderEvent]:
        """Yield what was told of an ask, as far as it is not kept, once however many asks rest on it."""
        approval = approval_of(one)
        about = OrderEvent(
            *(OrderKind.APPROVED, "", "", MOST_LOG_INDEX),
            contract=one.contract,
            maker=one.maker,
            operator=one.operator,
        )
        if told.of_all is not None and told.of_all != self._of_all.get(approval):
            self._of_all[approval] = told.of_all
            yield about._replace(is_approved=told.of_all)
        # That all are approved says that this one is, and that it can be moved, unless something else was told.
        is_particular = told.of_one or told.delivers not in (None, told.of_all)
        if told.is_whole and self._is_first((*approval, one.token_key)) and is_particular:
            token_id = uint_from_key(one.token_key)
            yield about._replace(token_id=token_id, is_approved=told.of_one, delivers=told.delivers)
        if told.is_cancelled is not None and self._is_first((one.order_hash,)):
            nonce = None if one.nonce is None else uint_from_key(one.nonce)
            is_other = None not in (nonce, told.counter) and nonce != told.counter
            if told.is_cancelled or told.taken or is_other:
                yield OrderEvent(
                    *(OrderKind.STATUS, "", one.exchange or "", MOST_LOG_INDEX),
                    order_hash=one.order_hash,
                    nonce=told.counter,
                    outcome=AskRow.Status.CANCELLED if told.is_cancelled else None,
                    taken=told.taken,
                )

    def _is_first(self, key: Key) -> bool:
        """Tell whether something is told anew for the first time, and have what was kept of it before go."""
        is_first = key not in self._anew
        self._anew.add(key)
        self.outdated += self._called.pop(key, ())
        return is_first


def approval_of(one: Asked) -> Key:
    """Return by what an approval for all is known: maker, operator, contract."""
    return one.maker, one.operator, one.contract
