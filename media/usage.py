"""How much of the disk cached images take, and how much they may."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.db.models import Max, Sum

from media.models import CachedImage


class Usage(NamedTuple):
    """Bytes of all cached files, and the limit (``MEDIA_MAX_BYTES``; 0: none)."""

    used: int
    limit: int

    @property
    def is_full(self) -> bool:
        """Whether nothing more may be stored."""
        return bool(self.limit) and self.used >= self.limit


def usage() -> Usage:
    """Return what the files of all rows take; the same bytes count once. Reads the whole table."""
    contents = (
        CachedImage.objects.filter(original_path__gt="")
        .order_by()
        .values("original_path")
        .annotate(size=Max("disk_size"))
    )
    return Usage(contents.aggregate(total=Sum("size"))["total"] or 0, settings.MEDIA_MAX_BYTES)
