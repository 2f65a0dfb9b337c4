"""Up to where a chain is indexed, and how fresh asks are, for who asks the API of it (`API_FRESHNESS`)."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from core.db.each import rows_where
from core.db.keyset import Slot
from core.rest.freshness import Reach, Subject
from indexing.models import BookWalk, IndexedContract
from tokens.models import Contract

EVERY = ""
"""Address of the checkpoint of all contracts; it sorts before every other."""


def _read(rows: QuerySet[IndexedContract], *order: Any) -> QuerySet[Any, Any]:
    return rows.order_by(*order).values_list("first_block", "next_block", "reached_at")


def _of_chain(chain: Slot) -> QuerySet[Any, Any]:
    of_all_first = Case(When(address=EVERY, then=Value(0)), default=Value(1))
    return _read(IndexedContract.objects.filter(chain__slug=chain), of_all_first, "next_block")[:1]


def _by_contract(contract: Slot) -> QuerySet[IndexedContract]:
    return IndexedContract.objects.filter(Q(address=contract) | Q(address=EVERY))


def _of_contract_on_chain(chain: Slot, contract: Slot) -> QuerySet[Any, Any]:
    return _read(_by_contract(contract).filter(chain__slug=chain), "-address")


def _of_contract(contract: Slot) -> QuerySet[Any, Any]:
    return _read(_only_here(_by_contract(contract), contract), "-address")


def _only_here(rows: QuerySet[Any], contract: Slot) -> QuerySet[Any]:
    """Return the rows of the chain that alone has a contract."""
    named = Contract.objects.filter(address=contract)
    here = Exists(named.filter(chain=OuterRef("chain")))
    return rows.filter(here, ~Exists(named.exclude(chain=OuterRef("chain"))))


def _books(contract: Slot) -> QuerySet[BookWalk]:
    return BookWalk.objects.filter(address=contract, read_at__isnull=False)


def _asks_on_chain(chain: Slot, contract: Slot) -> QuerySet[Any, Any]:
    return _books(contract).filter(chain__slug=chain).order_by("read_at").values_list("read_at")[:1]


def _asks(contract: Slot) -> QuerySet[Any, Any]:
    return _only_here(_books(contract), contract).order_by("read_at").values_list("read_at")[:1]


def reach_of(subject: Subject) -> Reach:
    """Return up to where the data reaches that a query concerns: a query for its chain, one for its contract's asks.

    The block and its time are of the one chain. They are ``None`` when the query concerns several chains, or one that
    is not indexed from a node, or of which nothing is indexed yet. A contract that is indexed by itself counts by its
    own checkpoint, and where that of all contracts goes on from there, by that one, as does any other; a chain by that
    of all contracts, and where only some are indexed, by the one that has come least far. Asks are as fresh as the book
    that was read longest ago.
    """
    block, at = _indexed(subject)
    return Reach(block, at, _asks_at(subject))


def _asks_at(subject: Subject) -> int | None:
    if subject.contract is None:
        return None
    if subject.chain is None:
        rows = rows_where(_asks, contract=subject.contract)
    else:
        rows = rows_where(_asks_on_chain, chain=subject.chain, contract=subject.contract)
    return rows[0][0] if rows else None


def _indexed(subject: Subject) -> tuple[int | None, int | None]:
    if subject.contract is None:
        rows = rows_where(_of_chain, chain=subject.chain)
    elif subject.chain is not None:
        rows = rows_where(_of_contract_on_chain, chain=subject.chain, contract=subject.contract)
    else:
        rows = rows_where(_of_contract, contract=subject.contract)
    if not rows:
        return None, None
    first_block, next_block, reached_at = rows[0]
    for began, reached, at in rows[1:]:
        if began <= next_block < reached:
            next_block, reached_at = reached, at
    return (next_block - 1, reached_at) if next_block > first_block else (None, None)
