"""How much of the disk cached images take, and how much they may."""

from __future__ import annotations

import logging
import time
from typing import NamedTuple

from django.conf import settings
from django.db.models import Max, Sum

from media.models import CachedImage

LOOK_SECONDS = 600.0
"""Between two looks at how much is used; meanwhile a worker may go beyond the limit by as much as it stores."""

log = logging.getLogger(__name__)


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


class DiskLimit:
    """Whether the limit on the disk is reached, looked at every ten minutes, as that reads a whole index."""

    def __init__(self) -> None:
        self._looked_at: float | None = None
        self._is_reached = False

    def is_reached(self) -> bool:
        """Tell whether nothing more may be stored; the log says so whenever it was found anew."""
        now = time.monotonic()
        if settings.MEDIA_MAX_BYTES and (self._looked_at is None or now - self._looked_at >= LOOK_SECONDS):
            self._looked_at = now
            found = usage()
            self._is_reached = found.is_full
            if found.is_full:
                log.warning("Cached images take %s of %s bytes: no more are fetched", *found)
        return self._is_reached
