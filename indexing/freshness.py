"""Up to where a chain is indexed, for who asks the API about it (`API_FRESHNESS` in the settings)."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from core.db.keyset import Slot
from core.db.written import Written
from core.rest.freshness import Reach, Subject
from indexing.models import IndexedContract
from tokens.models import Contract

EVERY = ""
"""Address of the checkpoint of all contracts; it sorts before every other."""


def _read(rows: QuerySet[IndexedContract], *order: Any) -> QuerySet[Any, Any]:
    return rows.order_by(*order).values_list("first_block", "next_block", "reached_at")


def _of_contract() -> QuerySet[IndexedContract]:
    return IndexedContract.objects.filter(Q(address=Slot("contract")) | Q(address=EVERY))


def _on_its_one_chain() -> QuerySet[IndexedContract]:
    named = Contract.objects.filter(address=Slot("contract"))
    here = Exists(named.filter(chain=OuterRef("chain")))
    return _of_contract().filter(here, ~Exists(named.exclude(chain=OuterRef("chain"))))


_OF_CHAIN = Written(
    lambda: _read(
        IndexedContract.objects.filter(chain__slug=Slot("chain")),
        Case(When(address=EVERY, then=Value(0)), default=Value(1)),
        "next_block",
    )[:1]
)
_OF_CONTRACT_ON_CHAIN = Written(lambda: _read(_of_contract().filter(chain__slug=Slot("chain")), "-address"))
_OF_CONTRACT = Written(lambda: _read(_on_its_one_chain(), "-address"))


def reach_of(subject: Subject) -> Reach | None:
    """Return the last indexed block of the one chain that a query concerns, in one query.

    ``None`` when it concerns several chains, or one that is not indexed from a node, or of which nothing is indexed
    yet. A contract that is indexed by itself counts by its own checkpoint, and where that of all contracts goes on from
    there, by that one, as does any other; a chain by that of all contracts, and where only some are indexed, by the one
    that has come least far.
    """
    if subject.contract is None:
        rows = _OF_CHAIN.rows(chain=subject.chain)
    elif subject.chain is not None:
        rows = _OF_CONTRACT_ON_CHAIN.rows(chain=subject.chain, contract=subject.contract)
    else:
        rows = _OF_CONTRACT.rows(contract=subject.contract)
    if not rows:
        return None
    first_block, next_block, reached_at = rows[0]
    for began, reached, at in rows[1:]:
        if began <= next_block < reached:
            next_block, reached_at = reached, at
    return Reach(next_block - 1, reached_at) if next_block > first_block else None
