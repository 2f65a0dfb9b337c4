"""Queries that are written once: the second request gets other rows by the same text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import QuerySet

from core.db.statements import Slot, rows_where
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
    assert rows_where(_chains, ids=[ids["base"]]) == [(ids["base"], "base")]
    assert rows_where(_chains, ids=[ids["zora"]]) == [(ids["zora"], "zora")]
    both = rows_where(_chains, ids=[ids["zora"], ids["ethereum"], ids["zora"]])
    assert sorted(slug for _, slug in both) == ["ethereum", "zora"]
    assert rows_where(_chains, ids=[]) == []
    assert _made == [1, 2]


def test_what_varies_beside_what_is_given_is_refused_rather_than_kept() -> None:
    """Else the next request would get the value of this one."""
    slug = "base"

    def chains(ids: Sequence[int]) -> QuerySet[Any, Any]:
        return Chain.objects.filter(pk__in=ids, slug=slug).values_list("id")

    with pytest.raises(AssertionError, match="nothing but what it is given varies"):
        rows_where(chains, ids=[1])


def test_ids_and_other_values_may_be_asked_for_together() -> None:
    base, zora = Chain.objects.get(slug="base").pk, Chain.objects.get(slug="zora").pk
    assert rows_where(_chains_named, ids=[base, zora, base], slug="base") == [("base",)]
    assert rows_where(_chains_named, ids=[zora], slug="base") == []


def _chains_named(ids: Sequence[int], slug: Slot) -> QuerySet[Any, Any]:
    return Chain.objects.filter(pk__in=ids, slug=slug).values_list("slug")
