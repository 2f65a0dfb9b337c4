"""Takedowns: images that operators keep from being served, and the files that go with them.

What is taken away is first written down (:class:`DoomedFile`), in the transaction that takes the last reference to it
away, and then deleted: a kill in between leaves a file for the next run, never a reference to a missing one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.core.files.storage import default_storage
from django.utils import timezone

from media.models import CachedImage, DoomedFile, WithheldContent
from nftsite.batches import batched
from nftsite.db.writing import writing

PATHS = ("original_path", "preview_path", "thumbnail_path")
TOGETHER = 100
"""Files deleted, and names looked up, at once."""


def withhold_content(image_ids: Iterable[int], reason: str) -> int:
    """Keep the bytes of images from being served, under whatever URL they are or will be found; return how many images.

    Called within ``writing()``; :func:`delete_doomed` must follow. An image that was never fetched is withheld by its
    URL alone.
    """
    chosen = list(CachedImage.objects.filter(id__in=image_ids).values_list("id", "source_hash"))
    hashes = {source for _, source in chosen if source}
    now = timezone.now()
    WithheldContent.objects.bulk_create(
        [WithheldContent(source_hash=source, reason=reason, withheld_at=now) for source in sorted(hashes)],
        ignore_conflicts=True,
    )
    same = CachedImage.objects.filter(source_hash__in=hashes, source_hash__gt="").values_list("id", flat=True)
    ids = {row_id for row_id, _ in chosen} | set(same)
    take_away(ids)
    return len(ids)


def release_content(image_ids: Iterable[int]) -> int:
    """Let the bytes of images be served again; they are fetched anew. Called within ``writing()``."""
    chosen = CachedImage.objects.filter(id__in=image_ids, state=CachedImage.State.WITHHELD)
    hashes = [source for source in chosen.values_list("source_hash", flat=True) if source]
    WithheldContent.objects.filter(source_hash__in=hashes).delete()
    same = CachedImage.objects.filter(source_hash__in=hashes, source_hash__gt="").values_list("id", flat=True)
    return put_back({*chosen.values_list("id", flat=True), *same})


def take_away(image_ids: Collection[int]) -> None:
    """Have nothing of these images served, until :func:`put_back`. Within ``writing()``; see :func:`delete_doomed`."""
    for ids in batched(sorted(image_ids), TOGETHER):
        rows = CachedImage.objects.filter(id__in=ids)
        names = {name for row in rows.values_list(*PATHS) for name in row if name}
        rows.update(
            state=CachedImage.State.WITHHELD,
            next_attempt_at=None,
            lease="",
            disk_size=0,
            **dict.fromkeys(PATHS, ""),
        )
        doom(names)


def put_back(image_ids: Collection[int]) -> int:
    """Have withheld images fetched again, but those whose bytes are withheld; return how many. Within ``writing()``."""
    count = 0
    for ids in batched(sorted(image_ids), TOGETHER):
        rows = CachedImage.objects.filter(id__in=ids, state=CachedImage.State.WITHHELD)
        count += rows.exclude(source_hash__in=WithheldContent.objects.values("source_hash")).update(
            state=CachedImage.State.PENDING, attempts=0, next_attempt_at=timezone.now(), fault=""
        )
    return count


def doom(names: Iterable[str], due_at: datetime | None = None) -> None:
    """Write down that files are to be deleted (by default now) unless something refers to them. In ``writing()``."""
    due_at = due_at or timezone.now()
    DoomedFile.objects.bulk_create(
        [DoomedFile(name=name, due_at=due_at) for name in sorted(set(names))],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["due_at"],
    )


def delete_doomed() -> int:
    """Delete the files that are written down for it and that nothing refers to; return how many are gone.

    Whoever makes an image ready does so within ``writing()`` too and looks whether its files are there, so that none is
    deleted under a new reference.
    """
    count = 0
    while True:
        with writing():
            due = DoomedFile.objects.filter(due_at__lte=timezone.now()).order_by("name")
            names = list(due.values_list("name", flat=True)[:TOGETHER])
            if not names:
                return count
            unused = set(names) - referred(names)
            for name in sorted(unused):
                default_storage.delete(name)  # of one that is not there, it tells nothing
            count += len(unused)
            DoomedFile.objects.filter(name__in=names).delete()


def referred(names: Sequence[str]) -> set[str]:
    """Return which of these files some image still has."""
    found: set[str] = set()
    for path in PATHS:
        rows = CachedImage.objects.filter(**{f"{path}__in": names, f"{path}__gt": ""})
        found.update(rows.values_list(path, flat=True).distinct())
    return found
