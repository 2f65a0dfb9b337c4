"""Queries that are written once: the second request gets other rows by the same text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import QuerySet

from core.db.each import rows_of, rows_where
from core.db.keyset import Slot
from tokens.models import Chain

pytestmark = pytest.mark.django_db

_made: list[int] = []


def _by_slug(slug: Slot, kind: Slot) -> QuerySet[Any, Any]:
    _made.append(1)
    return Chain.objects.filter(slug=slug, kind=kind).values_list("slug", "chain_id")


def _chains(ids: Sequence[int]) -> QuerySet[Any, Any]:
    _made.append(len(ids))
    return Chain.objects.filter(pk__in=ids).values_list("id", "slug")


def test_a_query_is_made_once_and_filled_each_time() -> None:
    _made.clear()
    assert rows_where(_by_slug, slug="polygon", kind="evm") == [("polygon", 137)]
    assert rows_where(_by_slug, slug="solana", kind="mint") == [("solana", None)]
    assert rows_where(_by_slug, slug="solana", kind="evm") == []
    assert _made == [1]


def test_rows_of_ids_are_written_once_for_each_number_of_ids() -> None:
    _made.clear()
    ids = dict(Chain.objects.filter(slug__in=["base", "ethereum", "zora"]).values_list("slug", "id"))
    assert rows_of(_chains, [ids["base"]]) == [(ids["base"], "base")]
    assert rows_of(_chains, [ids["zora"]]) == [(ids["zora"], "zora")]
    both = rows_of(_chains, [ids["zora"], ids["ethereum"], ids["zora"]])
    assert sorted(slug for _, slug in both) == ["ethereum", "zora"]
    assert rows_of(_chains, []) == []
    assert _made == [1, 2]


def test_what_varies_beside_the_ids_is_refused_rather_than_kept() -> None:
    """Else the next request would get the value of this one."""

    def chains(ids: Sequence[int]) -> QuerySet[Any, Any]:
        return Chain.objects.filter(pk__in=ids, slug="base").values_list("id")

    with pytest.raises(AssertionError, match="nothing but the ids varies"):
        rows_of(chains, [1])
