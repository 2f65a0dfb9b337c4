"""Takedowns: images that operators keep from being served, and the files that go with them.

What is taken away is first written down (:class:`DoomedFile`), in the transaction that takes the last reference to it
away, and then deleted: a kill in between leaves a file for the next run, never a reference to a missing one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.utils import timezone

from core.batches import batched
from core.db.writing import writing
from media.models import CachedImage, DoomedFile, WithheldContent, url_key

PATHS = ("original_path", "preview_path", "thumbnail_path")
OLD_FILES = timedelta(days=7)
"""How long files stay that were replaced or are no longer shown: clients may keep answers that link to them."""
TOGETHER = 50
"""Files deleted, and names looked up, at once."""
REMEMBERED = timedelta(days=1)
"""How long a deleted file is remembered: longer than any image is worked on."""


def withhold_content(image_ids: Iterable[int], reason: str) -> int:
    """Keep images from being served: their URLs, and their bytes under whatever URL they are or will be found.

    Bytes are withheld as they were fetched and as they are cached: two SVGs can be drawn as one picture. Returns how
    many images that are. Called within ``writing()``; :func:`delete_doomed` must follow.
    """
    chosen = list(
        CachedImage.objects.filter(id__in=image_ids).values_list("id", "source_hash", "content_hash")
    )
    ids = {row[0] for row in chosen}
    CachedImage.objects.filter(id__in=ids).update(own_withheld=True, withheld_reason=reason)
    take_away(ids)
    return len(ids | withhold_hashes(dict.fromkeys(_hashes(chosen), reason)))


def withhold_hashes(reasons: Mapping[str, str]) -> set[int]:
    """Keep contents from being served, by the SHA-256 of their bytes; return the images that have one of them.

    Within ``writing()``; :func:`delete_doomed` must follow.
    """
    now = timezone.now()
    WithheldContent.objects.bulk_create(
        [WithheldContent(hash=one, reason=reasons[one], withheld_at=now) for one in sorted(reasons)],
        update_conflicts=True,
        unique_fields=["hash"],
        update_fields=["reason"],
    )
    ids = _with(reasons)
    take_away(ids)
    return ids


def withhold_urls(reasons: Mapping[str, str]) -> None:
    """Keep what is at some URLs from being served, whatever it is and whoever comes to show it.

    Within ``writing()``; :func:`delete_doomed` must follow.
    """
    urls = {url_key(url): url for url in reasons}
    stored = dict(CachedImage.objects.filter(key__in=urls).values_list("key", "id"))
    CachedImage.objects.bulk_create(
        [
            CachedImage(
                key=key,
                url=url,
                own_withheld=True,
                withheld_reason=reasons[url],
                state=CachedImage.State.WITHHELD,
                next_attempt_at=None,
            )
            for key, url in urls.items()
            if key not in stored
        ]
    )
    for key, row_id in stored.items():
        CachedImage.objects.filter(id=row_id).update(own_withheld=True, withheld_reason=reasons[urls[key]])
    take_away(stored.values())


def release_content(image_ids: Iterable[int]) -> int:
    """Let images be served again, and their bytes wherever they are; they are fetched anew. Within ``writing()``."""
    chosen = CachedImage.objects.filter(id__in=image_ids, state=CachedImage.State.WITHHELD)
    rows = list(chosen.values_list("id", "source_hash", "content_hash"))
    chosen.update(own_withheld=False, withheld_reason=None)
    hashes = _hashes(rows)
    WithheldContent.objects.filter(hash__in=hashes).delete()
    return put_back({row[0] for row in rows} | _with(hashes))


def release_hashes(hashes: Collection[str]) -> None:
    """Let contents be served again wherever they are; they are fetched anew. Within ``writing()``."""
    WithheldContent.objects.filter(hash__in=hashes).delete()
    put_back(_with(hashes))


def release_urls(urls: Iterable[str]) -> None:
    """Let what is at some URLs be served again, unless its bytes are withheld. Within ``writing()``."""
    chosen = CachedImage.objects.filter(key__in=[url_key(url) for url in urls], own_withheld=True)
    ids = list(chosen.values_list("id", flat=True))
    CachedImage.objects.filter(id__in=ids).update(own_withheld=False, withheld_reason=None)
    put_back(ids)


def is_withheld(hashes: Iterable[str]) -> bool:
    """Tell whether an operator withholds one of these contents."""
    return WithheldContent.objects.filter(hash__in=[one for one in hashes if one]).exists()


def _hashes(rows: Iterable[tuple[int, str, str]]) -> set[str]:
    return {one for row in rows for one in row[1:] if one}


def _with(hashes: Collection[str]) -> set[int]:
    """Return the images that have one of these contents."""
    found: set[int] = set()
    for column in ("source_hash", "content_hash"):
        rows = CachedImage.objects.filter(**{f"{column}__in": list(hashes), f"{column}__gt": ""})
        found.update(rows.values_list("id", flat=True))
    return found


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
    """Have withheld images fetched again, but those that are withheld themselves or whose bytes are.

    Also those that waited for somebody to show them. Returns how many. Called within ``writing()``.
    """
    count = 0
    withheld = WithheldContent.objects.values("hash")
    for ids in batched(sorted(image_ids), TOGETHER):
        rows = CachedImage.objects.filter(id__in=ids, next_attempt_at=None, own_withheld=False)
        rows = rows.filter(state__in=[CachedImage.State.WITHHELD, CachedImage.State.PENDING])
        count += (
            rows.exclude(source_hash__in=withheld)
            .exclude(content_hash__in=withheld)
            .update(state=CachedImage.State.PENDING, attempts=0, next_attempt_at=timezone.now(), fault="")
        )
    return count


def doom(names: Iterable[str], due_at: datetime | None = None) -> None:
    """Write down that files are to be deleted (by default now) unless something refers to them. In ``writing()``."""
    due_at = due_at or timezone.now()
    DoomedFile.objects.bulk_create(
        [DoomedFile(name=name, due_at=due_at) for name in sorted(set(names))],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["due_at", "deleted_at"],
    )


def spare(names: Collection[str]) -> bool:
    """Have files kept that are about to be referred to; return whether one has been deleted already.

    Called within ``writing()``, in the transaction that refers to them.
    """
    rows = DoomedFile.objects.filter(name__in=names)
    is_gone = rows.filter(deleted_at__isnull=False).exists()
    rows.delete()
    return is_gone


def delete_doomed() -> int:
    """Delete the files that are due for it and that nothing refers to; return how many are gone.

    Who makes an image ready does so within ``writing()`` too and :func:`spare` s its files, so that none is deleted
    under a new reference.
    """
    now, count = timezone.now(), 0
    DoomedFile.objects.filter(deleted_at__lt=now - REMEMBERED).delete()
    while True:
        due = DoomedFile.objects.filter(due_at__lte=now, deleted_at=None).order_by("due_at", "name")
        if not due.exists():
            return count
        with writing():
            names = list(due.values_list("name", flat=True)[:TOGETHER])
            unused = set(names) - referred(names)
            for name in sorted(unused):
                default_storage.delete(name)  # of one that is not there, it tells nothing
            count += len(unused)
            DoomedFile.objects.filter(name__in=unused).update(deleted_at=now)
            DoomedFile.objects.filter(name__in=set(names) - unused).delete()


def referred(names: Sequence[str]) -> set[str]:
    """Return which of these files some image still has."""
    found: set[str] = set()
    for path in PATHS:
        rows = CachedImage.objects.filter(**{f"{path}__in": names, f"{path}__gt": ""})
        found.update(rows.values_list(path, flat=True).distinct())
    return found
