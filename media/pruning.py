"""Takes away what nothing refers to: rows of images that no NFT has any more, and files that no row names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from django.core.files.storage import default_storage
from django.utils import timezone

from media.models import CachedImage, DoomedFile
from media.serving import NAME
from media.withholding import PATHS, delete_doomed, doom, referred
from nftsite.db.writing import writing

TOGETHER = 100
YOUNG = timedelta(hours=1)
"""Half-written files are left alone for so long: somebody may be writing them."""
_HEXADECIMAL = "0123456789abcdef"


class Pruned(NamedTuple):
    """How many rows and files were taken away."""

    rows: int
    files: int


def prune() -> Pruned:
    """Prune, in transactions of a few hundred rows or files each; may be killed at any moment and run again."""
    return Pruned(_prune_rows(), delete_doomed() + _prune_files())


def _prune_rows() -> int:
    """Delete the rows that no NFT refers to. What an operator withholds stays known by its bytes."""
    count, last = 0, 0
    while True:
        with writing():
            # By the names of the relations: this app knows no NFTs, they know it.
            ids = list(
                CachedImage.objects.filter(id__gt=last).order_by("id").values_list("id", flat=True)[:TOGETHER]
            )
            if not ids:
                return count
            last = ids[-1]
            unused = CachedImage.objects.filter(id__in=ids, nfts__isnull=True, animated__isnull=True)
            rows = list(unused.values_list("id", *PATHS))
            CachedImage.objects.filter(id__in=[row[0] for row in rows]).delete()
            doom(name for row in rows for name in row[1:] if name)
            count += len(rows)


def _prune_files() -> int:
    """Delete the files that no row names: what was stored just before a kill."""
    count = 0
    for folder in [first + second for first in _HEXADECIMAL for second in _HEXADECIMAL]:
        for names in _parts(_names_in(folder)):
            with writing():
                doom(set(names) - _named(names))
            count += delete_doomed()
        _delete_drafts(folder)
    return count


def _names_in(folder: str) -> list[str]:
    try:
        files = default_storage.listdir(folder)[1]
    except FileNotFoundError:
        return []
    return [name for name in (f"{folder}/{file}" for file in files) if NAME.fullmatch(name)]


def _named(names: list[str]) -> set[str]:
    """Return which files a row names, or are waiting for their deletion already."""
    waiting = DoomedFile.objects.filter(name__in=names).values_list("name", flat=True)
    return referred(names) | set(waiting)


def _delete_drafts(folder: str) -> None:
    """Delete what a killed process left half-written (``media.cache``), once it is old."""
    try:
        files = default_storage.listdir(folder)[1]
    except FileNotFoundError:
        return
    for name in (f"{folder}/{file}" for file in files if file.startswith(".")):
        if default_storage.get_modified_time(name) < timezone.now() - YOUNG:
            default_storage.delete(name)


def _parts(names: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(names), TOGETHER):
        yield names[start : start + TOGETHER]
