"""The queue of metadata in tests: work it off as if all had been read, and see what waits in it."""

from __future__ import annotations

from django.utils import timezone

from tokens.models import MetadataFetch, MetadataRefresh
from tokens.store import fetches


def all_read() -> None:
    """Have all metadata that waits read, none of it to be read again by itself."""
    fetches.expand(10**6, timezone.now())
    now = timezone.now()
    MetadataFetch.objects.update(
        state=MetadataFetch.State.READY, attempts=0, next_attempt_at=None, lease="", tried_at=now
    )


def waits(address: str | None = None) -> set[int]:
    """The token ids, of a contract or of all, whose metadata is to be read now."""
    fetches.expand(10**6, timezone.now())
    assert not MetadataRefresh.objects.exists()
    due = MetadataFetch.objects.filter(
        state=MetadataFetch.State.PENDING, next_attempt_at__lte=timezone.now(), lease=""
    )
    rows = due if address is None else due.filter(contract__address=address)
    return {int(key[2:]) for key in rows.values_list("nft__token_key", flat=True)}
