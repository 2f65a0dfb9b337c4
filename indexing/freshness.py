"""Up to where a chain is indexed, and how fresh asks are, for who asks the API of it (`API_FRESHNESS`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import BigIntegerField, Case, Exists, OuterRef, Q, QuerySet, Value, When

from core.db.each import rows_where
from core.db.keyset import Slot
from core.rest.freshness import Reach, Subject
from indexing.models import BookWalk, IndexedContract
from tokens.models import Contract

EVERY = ""
"""Address of the checkpoint of all contracts; it sorts before every other."""


def _read(rows: QuerySet[IndexedContract]) -> QuerySet[Any, Any]:
    return rows.values_list(Value(0), "address", "first_block", "next_block", "reached_at")


def _of_chain(chain: Slot) -> QuerySet[Any, Any]:
    of_all_first = Case(When(address=EVERY, then=Value(0)), default=Value(1))
    return _read(IndexedContract.objects.filter(chain__slug=chain)).order_by(of_all_first, "next_block")[:1]


def _of_contract_on_chain(chain: Slot, contract: Slot) -> QuerySet[Any, Any]:
    on_chain = Q(chain__slug=chain)
    return _of_both(*(rows.filter(on_chain) for rows in _by_contract(contract)))


def _of_contract(contract: Slot) -> QuerySet[Any, Any]:
    return _of_both(*(_only_here(rows, contract) for rows in _by_contract(contract)))


def _by_contract(contract: Slot) -> tuple[QuerySet[Any], QuerySet[Any]]:
    """Return the checkpoints that a contract may count by, and the readings of its books."""
    indexed = IndexedContract.objects.filter(Q(address=contract) | Q(address=EVERY))
    return indexed, BookWalk.objects.filter(address=contract, read_at__isnull=False)


def _of_both(indexed: QuerySet[IndexedContract], books: QuerySet[BookWalk]) -> QuerySet[Any, Any]:
    none = Value(None, output_field=BigIntegerField())
    walks: QuerySet[Any, Any] = books.order_by().values_list(Value(1), "address", "read_at", none, none)
    union: QuerySet[Any, Any] = _read(indexed.order_by()).union(walks, all=True)
    return union


def _only_here(rows: QuerySet[Any], contract: Slot) -> QuerySet[Any]:
    """Return the rows of the chain that alone has a contract."""
    named = Contract.objects.filter(address=contract)
    here = Exists(named.filter(chain=OuterRef("chain")))
    return rows.filter(here, ~Exists(named.exclude(chain=OuterRef("chain"))))


def reach_of(subject: Subject) -> Reach:
    """Return up to where the data reaches that a query concerns, by one query.

    The block and its time are of the one chain. They are ``None`` when the query concerns several chains, or one that
    is not indexed from a node, or of which nothing is indexed yet. A contract that is indexed by itself counts by its
    own checkpoint, and where that of all contracts goes on from there, by that one, as does any other; a chain by that
    of all contracts, and where only some are indexed, by the one that has come least far. Asks are as fresh as the book
    that was read longest ago.
    """
    if subject.contract is None:
        rows = rows_where(_of_chain, chain=subject.chain)
    elif subject.chain is not None:
        rows = rows_where(_of_contract_on_chain, chain=subject.chain, contract=subject.contract)
    else:
        rows = rows_where(_of_contract, contract=subject.contract)
    indexed = sorted((row[1:] for row in rows if row[0] == 0), reverse=True)  # its own before that of all
    asks_at = min((row[2] for row in rows if row[0] == 1), default=None)
    return Reach(*_reached([row[1:] for row in indexed]), asks_at)


def _reached(checkpoints: Sequence[tuple[int, int, int]]) -> tuple[int | None, int | None]:
    """Return the last block that is indexed and its time, by the first of the checkpoints and those that go on."""
    if not checkpoints:
        return None, None
    first_block, next_block, reached_at = checkpoints[0]
    for began, reached, at in checkpoints[1:]:
        if began <= next_block < reached:
            next_block, reached_at = reached, at
    return (next_block - 1, reached_at) if next_block > first_block else (None, None)
