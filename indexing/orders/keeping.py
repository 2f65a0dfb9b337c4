"""Writes what is new of orders that a source shows, and nothing of the others."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence

from django.db.models import Exists, OuterRef, Q

from core.db.writing import writing
from indexing.freshness import EVERY
from indexing.models import IndexedContract
from indexing.orders.seaport import Shown
from tokens.models import Ask
from tokens.store import asks
from tokens.store.chains import ChainRow
from tokens.store.facts import UNSET, AskFacts
from transfers.ledger import factset
from transfers.ledger.factset import FactSet
from transfers.models import OrderEvent, Transfer

logger = logging.getLogger(__name__)


def keep(
    chain: ChainRow, source: str, shown: Sequence[Shown], refused: Iterable[str] = ()
) -> tuple[set[int], int]:
    """Write what is new of orders; return the ids of the asks of all that are stored, and how many were written.

    One that is ``refused``, by the hash that was stated, counts as shown where it is known. Called within
    ``writing()``.
    """
    facts = _facts(chain, shown)
    same = asks.unchanged(facts)
    again = _left_meanwhile(same.values())
    new = [one for place, one in enumerate(facts) if same.get(place) in again | {None}]
    write(new)
    hashes = {*refused, *(one.order_hash for one in new)}
    rows = Ask.objects.filter(chain_id=chain.id, source=source, order_hash__in=list(hashes))
    return {*same.values(), *(rows.values_list("id", flat=True) if hashes else ())}, len(new)


def write(found: Sequence[AskFacts]) -> None:
    """Write asks; one that cannot be written is left out. Called within ``writing()``."""
    left = list(found)
    while left:
        facts = FactSet()
        for one in left:
            facts.take(one)
        try:
            with writing():
                factset.write(facts)
            return
        except factset.RefusedError as fault:
            faults = [*fault.faults, *fault.waiting]
            for one, reason in faults:
                logger.warning("The ask %s cannot be written: %s", one.order_hash, reason)
            refused = {id(one) for one, _ in faults}
            left = [one for one in left if id(one) not in refused]


def _facts(chain: ChainRow, shown: Sequence[Shown]) -> list[AskFacts]:
    """Return what orders state. What fills have taken of one is known by the chain, where it is indexed."""
    hashes = {one.facts.order_hash for one in shown}
    rows = Ask.objects.filter(chain_id=chain.id, order_hash__in=list(hashes))
    columns = rows.values_list("order_hash", "market__slug", "stated_amount")
    stored = {(order_hash, market): amount for order_hash, market, amount in columns}
    addresses = {EVERY, *(str(one.facts.address) for one in shown)}
    indexed = set(
        IndexedContract.objects.filter(chain_id=chain.id, address__in=addresses).values_list(
            "address", flat=True
        )
    )
    for one in shown:
        amount = stored.get((one.facts.order_hash, one.facts.marketplace))
        is_indexed = not indexed.isdisjoint({EVERY, str(one.facts.address)})
        if amount is not None and (is_indexed or amount == one.facts.amount):
            one.facts.amount = UNSET
    return [one.facts for one in shown]


def _left_meanwhile(ids: Collection[int]) -> set[int]:
    """Return the asks that sleep since their NFT or its approval was away, and that only a source's showing wakes."""
    rows = Ask.objects.filter(id__in=list(ids), active=False, wakes=False)
    since = Q(timestamp__gt=OuterRef("seen_at"))
    moved = Transfer.objects.filter(since, nft_id=OuterRef("nft_id"))
    approved = OrderEvent.objects.filter(
        since, maker=OuterRef("maker"), operator=OuterRef("operator"), contract=OuterRef("contract__address")
    )
    asleep = Q(Exists(moved), reason=Ask.Reason.NOT_OWNER) | Q(
        Exists(approved), reason=Ask.Reason.NO_APPROVAL
    )
    return set(rows.filter(asleep).values_list("id", flat=True)) if ids else set()
