"""Trait entries of NFT records (specification, Trait entry): what the metadata states, completed by counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from core.db.statements import rows_where
from core.db.texts import storable
from core.rest.records import Record, number, present
from tokens.metadata.shortening import MAX_TRAITS, MAX_TRAITS_BYTES, Short, short_trait
from tokens.metadata.trait_texts import value_text
from tokens.models import NftTrait

Counts = Mapping[tuple[str, str], int]
"""How many NFTs of the contract have a trait, by type and text of the value."""


@dataclass(frozen=True, slots=True)
class Population:
    """The NFTs among which traits are counted.

    ``size`` is the number of the contract's known NFTs; ``computed`` tells that stated frequencies no longer hold;
    ``counts`` holds those of one NFT's traits, and nothing for an NFT of no collection, which has no population.
    """

    size: int
    computed: bool
    counts: Counts = field(default_factory=dict)


def trait_counts(nft_ids: Sequence[int]) -> dict[int, dict[tuple[str, str], int]]:
    """Return the counts of the traits that NFTs have, by NFT id."""
    counts: dict[int, dict[tuple[str, str], int]] = defaultdict(dict)
    for nft_id, kind, value, count in rows_where(_postings, ids=list(nft_ids)):
        counts[nft_id][kind, value] = count
    return counts


def _postings(ids: Sequence[int]) -> QuerySet[Any, Any]:
    rows = NftTrait.objects.filter(nft__id__in=ids, trait__contract__isnull=False)
    return rows.values_list("nft_id", "trait__type", "trait__value", "trait__count")


def trait_entries(stated: Any, population: Population) -> list[Record]:
    """Return the trait entries of a document's ``traits``, as far as shown (:mod:`tokens.metadata.shortening`)."""
    entries = stated if isinstance(stated, list) else []
    return [_entry(short, entry, population) for short, entry in readable(entries)]


def readable(entries: list[Any]) -> Iterator[tuple[Short, Record]]:
    """Yield what is shown of each entry that is one, and the whole of it."""
    left, size = MAX_TRAITS, 0
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("traitValue") is None:
            continue
        short = short_trait(type_text(entry.get("traitType")), entry["traitValue"])
        if short is None:
            continue
        left, size = left - 1, size + short.size
        if left < 0 or size > MAX_TRAITS_BYTES:
            return
        yield short, entry


def _entry(short: Short, entry: Record, population: Population) -> Record:
    # The trait's row has the whole texts, as a database can hold them.
    pair = storable(type_text(entry.get("traitType"))), storable(value_text(entry["traitValue"]))
    count = population.counts.get(pair)
    numbers = derived(count, population.size)
    if not population.computed:
        numbers = {name: _first_number(entry.get(name), numbers.get(name)) for name in DERIVED}
    record = {"traitType": short.kind} if short.kind else {}
    record["traitValue"] = short.value
    return present({**record, **numbers})


DERIVED = ("traitRarity", "traitFrequency", "traitPercentFrequency")
"""The numbers of an entry that follow from counts, unless they are stated."""


@lru_cache(maxsize=10_000)
def derived(count: int | None, size: int) -> Mapping[str, int | float | None]:
    """Return the numbers that follow from a count; none rather than a false 0 when the trait was not counted."""
    if not count or not size:
        return {}
    return {
        "traitRarity": number(size / count),
        "traitFrequency": count,
        "traitPercentFrequency": number(100 * count / size),
    }


def _first_number(stated: Any, otherwise: float | None) -> int | float | None:
    """Return a stated number, also one that cannot be shown (``None``); else the other one."""
    if isinstance(stated, int | float) and not isinstance(stated, bool):
        return number(stated)
    return otherwise


def type_text(kind: Any) -> str:
    """Return the text of an entry's ``traitType``."""
    return "" if kind is None else value_text(kind)
