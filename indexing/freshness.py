"""Up to where a chain is indexed, and how fresh asks are, for who asks the API of it (`API_FRESHNESS`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import BigIntegerField, Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When

from core.db.statements import Slot, rows_where
from core.rest.freshness import Reach, Subject
from indexing.models import BookWalk, IndexedContract
from tokens.models import Chain, Contract

EVERY = ""
"""Address of the checkpoint of all contracts; it sorts before every other."""

_COLUMNS = ("address", "first_block", "next_block", "reached_at")


def _of_chain(chain: Slot) -> QuerySet[Any, Any]:
    of_all_first = Case(When(address=EVERY, then=Value(0)), default=Value(1))
    rows = IndexedContract.objects.filter(chain__slug=chain)
    return rows.order_by(of_all_first, "next_block").values_list(*_COLUMNS)[:1]


def _by_contract(contract: Slot) -> QuerySet[IndexedContract]:
    return IndexedContract.objects.filter(Q(address=contract) | Q(address=EVERY))


def _of_contract_on_chain(chain: Slot, contract: Slot) -> QuerySet[Any, Any]:
    return _together(
        _by_contract(contract).filter(chain__slug=chain), _books(contract).filter(chain__slug=chain)
    )


def _of_contract(contract: Slot) -> QuerySet[Any, Any]:
    return _together(_only_here(_by_contract(contract), contract), _only_here(_books(contract), contract))


def _together(indexed: QuerySet[IndexedContract], books: QuerySet[BookWalk]) -> QuerySet[Any, Any]:
    """Return the rows of both in one query; those of books have no blocks, and the time when the reading began."""
    no_block = Value(None, output_field=BigIntegerField())
    read = books.annotate(first_block=no_block, next_block=no_block)
    return indexed.values_list(*_COLUMNS).union(read.values_list(*_COLUMNS[:3], "read_at"), all=True)


def _only_here(rows: QuerySet[Any], contract: Slot) -> QuerySet[Any]:
    """Return the rows of the chain that alone has a contract."""
    named = Contract.objects.filter(address=contract)
    here = Exists(named.filter(chain=OuterRef("chain")))
    return rows.filter(here, ~Exists(named.exclude(chain=OuterRef("chain"))))


def _books(contract: Slot) -> QuerySet[BookWalk]:
    return BookWalk.objects.filter(address=contract, read_at__isnull=False)


def reach_of(subject: Subject) -> Reach:
    """Return up to where the data reaches that a query concerns, by one query of the database.

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
    indexed = sorted((row for row in rows if row[1] is not None), reverse=True)
    asks_at = min((row[3] for row in rows if row[1] is None), default=None)
    return Reach(*_reached([row[1:] for row in indexed]), asks_at)


def reaches_of_chains() -> dict[int, Reach]:
    """Return up to where each chain is indexed from a node, by its row, as :func:`reach_of` has it; one query."""
    of_all_first = Case(When(address=EVERY, then=Value(0)), default=Value(1))
    own = IndexedContract.objects.filter(chain=OuterRef("pk")).order_by(of_all_first, "next_block")
    rows = Chain.objects.annotate(first=Subquery(own.values("pk")[:1])).values("first")
    found = IndexedContract.objects.filter(pk__in=rows).values_list("chain_id", *_COLUMNS)
    return {chain_id: Reach(*_reached([row[1:]])) for chain_id, *row in found}


def _reached(rows: Sequence[tuple[int, int, int | None]]) -> tuple[int | None, int | None]:
    """Return the last block and its time, by checkpoints: that of a contract itself before that of all."""
    if not rows:
        return None, None
    first_block, next_block, reached_at = rows[0]
    for began, reached, at in rows[1:]:
        if began <= next_block < reached:
            next_block, reached_at = reached, at
    return (next_block - 1, reached_at) if next_block > first_block else (None, None)
