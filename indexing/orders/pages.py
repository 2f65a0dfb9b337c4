"""What a walk has shown so far, page by page: so at its end it is known what is gone, and nothing else is written."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from django.db.models import Q

from indexing.models import BookPage, BookWalk
from tokens.models import Ask, Contract

MOST_PAGES = 20_000
"""Of a walk; a source that shows more shows no end."""
_AT_ONCE = 5_000
_IDS = "Q"
"""Unsigned integers of eight bytes."""


def place_of(walk: BookWalk) -> str:
    """Return the name of the page that a walk reads next."""
    return hashlib.blake2b(f"{walk.collections[0]}\n{walk.cursor}".encode(), digest_size=16).hexdigest()


def is_read(walk: BookWalk, place: str) -> bool:
    """Tell whether a walk has read a page before, or so many that there is no end to them."""
    return walk.pages >= MOST_PAGES or BookPage.objects.filter(walk=walk, place=place).exists()


def keep(walk: BookWalk, place: str, asks: Iterable[int]) -> None:
    """Keep which asks, by their ids, a page showed."""
    BookPage.objects.create(walk=walk, place=place, asks=array(_IDS, sorted(set(asks))).tobytes())


def forget(walk: BookWalk) -> None:
    """Delete the pages of a walk that is over."""
    BookPage.objects.filter(walk=walk).delete()


def missing(walk: BookWalk) -> array[int]:
    """Return the ids of the source's asks of a contract that a walk did not show and that it ends.

    These are offered as far as is known, and nothing new was told of them since the walk began. One that a log opened
    stands whatever the source says, unless its zone has to agree to each purchase.
    Takes eight bytes for each order of the book.
    """
    shown = _shown(walk)
    return array(_IDS, (row_id for row_id in _candidates(walk) if not _holds(shown, row_id)))


def _shown(walk: BookWalk) -> array[int]:
    found = array(_IDS)
    for page in BookPage.objects.filter(walk=walk).values_list("asks", flat=True).iterator():
        found.frombytes(bytes(page))
    return array(_IDS, sorted(found))


def _candidates(walk: BookWalk) -> Iterator[int]:
    contracts = Contract.objects.filter(chain_id=walk.chain_id, address=walk.address)
    rows = Ask.objects.filter(
        contract_id__in=list(contracts.values_list("id", flat=True)),
        source=walk.source,
        status=Ask.Status.OPEN,
        seen_at__lt=walk.began_at,
        gone_at=None,
    )
    rows = rows.filter(Q(opened_block=None) | Q(wakes=False)).order_by("id")
    last = 0
    while part := list(rows.filter(id__gt=last).values_list("id", flat=True)[:_AT_ONCE]):
        yield from part
        last = part[-1]


def _holds(ids: array[int], row_id: int) -> bool:
    place = bisect_left(ids, row_id)
    return place < len(ids) and ids[place] == row_id
