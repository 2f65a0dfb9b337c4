"""Up to where a chain is indexed, for who asks the API about it (`API_FRESHNESS` in the settings)."""

from __future__ import annotations

from django.db.models import Case, Exists, OuterRef, QuerySet, When

from nftsite.rest.freshness import Reach, Subject
from tokens.models import Contract
from transfers.models import IndexedContract


def reach_of(subject: Subject) -> Reach | None:
    """Return the last indexed block of the one chain that a query concerns, in one query.

    ``None`` when it concerns several chains, or one that is not indexed from a node, or of which nothing is indexed
    yet. A contract that is indexed by itself counts by its own checkpoint, any other by that of all contracts; a chain
    by that of all contracts, and where only some are indexed, by the one that has come least far.
    """
    rows = _of_contract(subject) if subject.contract is not None else _of_chain(subject)
    found = rows.values_list("first_block", "next_block", "reached_at").first()
    if found is None:
        return None
    first, following, at = found
    return Reach(following - 1, at) if following > first else None


def _of_contract(subject: Subject) -> QuerySet[IndexedContract]:
    """Return the checkpoints that may stand for a contract, the fitting one first."""
    rows = IndexedContract.objects.filter(address__in=[subject.contract, ""]).order_by("-address")
    if subject.chain is not None:
        return rows.filter(chain__slug=subject.chain)
    homes = Contract.objects.filter(address=subject.contract)
    return rows.filter(
        Exists(homes.filter(chain=OuterRef("chain"))),
        ~Exists(homes.exclude(chain=OuterRef("chain"))),
    )


def _of_chain(subject: Subject) -> QuerySet[IndexedContract]:
    """Return the checkpoints of a chain, the one of all contracts first, then the least far."""
    rows = IndexedContract.objects.filter(chain__slug=subject.chain)
    return rows.order_by(Case(When(address="", then=0), default=1), "next_block")
