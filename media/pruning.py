"""Takes away what nothing refers to: rows of images that no NFT has any more, and files that no row names."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from django.core.files.storage import default_storage
from django.utils import timezone

from core.batches import batched
from core.db.writing import writing
from media.models import CachedImage, DoomedFile
from media.serving import NAME
from media.uses import uses
from media.withholding import OLD_FILES, PATHS, TOGETHER, delete_doomed, doom, referred, take_away

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
    """Delete the rows that no NFT refers to, but those withheld by an operator; their files stay for a while."""
    count, last, known = 0, 0, uses()
    while True:
        with writing():
            ids = list(
                CachedImage.objects.filter(id__gt=last).order_by("id").values_list("id", flat=True)[:TOGETHER]
            )
            if not ids:
                return count
            last = ids[-1]
            unused = CachedImage.objects.filter(id__in=set(ids) - known.referred(ids), own_withheld=False)
            rows = list(unused.values_list("id", *PATHS))
            CachedImage.objects.filter(id__in=[row[0] for row in rows]).delete()
            doom((name for row in rows for name in row[1:] if name), timezone.now() + OLD_FILES)
            cached = CachedImage.objects.filter(id__in=ids, original_path__gt="")
            hidden = set(cached.values_list("id", flat=True))
            take_away(hidden - known.shown(hidden))  # what by now only NFTs show whose media is withheld
            count += len(rows)


def _prune_files() -> int:
    """Delete the files that no row names: what was stored just before a kill."""
    count = 0
    for folder in [first + second for first in _HEXADECIMAL for second in _HEXADECIMAL]:
        for names in batched(_names_in(folder), TOGETHER):
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
        with suppress(FileNotFoundError):  # finished, or taken away, in this very moment
            if default_storage.get_modified_time(name) < timezone.now() - YOUNG:
                default_storage.delete(name)
