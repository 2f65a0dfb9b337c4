"""What the admin's page on images shows, and its line on the index."""

from __future__ import annotations

import shutil
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.html import format_html

from core.backoffice import html, queues
from core.backoffice.site import Line
from media.models import CachedImage, DoomedFile
from media.usage import usage

State = CachedImage.State
MOST_FAILED = 3
"""Images of each failing state that the first page names."""
LATE = timedelta(hours=1)
"""For how long something has been due when that is worth a line."""
SHORT, FEW = 0.1, 5 * 2**30
"""Share of a disk, and bytes, of which no more are left when it is worth an operator's while: both."""


def context() -> dict[str, Any]:
    """Return the table of states, what is due, and the disk."""
    now = timezone.now()
    due = CachedImage.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
    first = due.values_list("next_attempt_at", flat=True).first()
    used, limit = usage()
    doomed = DoomedFile.objects.filter(deleted_at=None).count()
    return {
        "states": queues.states(CachedImage, CachedImage.State, "images"),
        "command": "cache_images --follow",
        "facts": (
            ("Due", html.together(queues.since(first, now), html.list_link(CachedImage, "list", show="due"))),
            ("On disk", filesizeformat(used)),
            ("Limit (MEDIA_MAX_BYTES)", filesizeformat(limit) if limit else "none"),
            ("Files to be deleted", html.together(f"{doomed:,}", html.list_link(DoomedFile, "list"))),
        ),
    }


def lines() -> list[Line]:
    """Return how many images are in which state, and why the newest failed."""
    failing = {state: partial(_newest, state) for state in (State.UNREACHABLE, State.FAILED)}
    found = queues.lines(CachedImage, State, failing, "fetch again")
    now = timezone.now()
    due = CachedImage.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
    first = due.values_list("next_attempt_at", flat=True).first()
    if first is not None and now - first > LATE:
        stands = f"images wait {queues.since(first, now)}: is cache_images --follow at work?"
        found.append(Line("due", stands, True, html.page_link("images", "images")))
    return found


def _newest(state: State) -> list[str]:
    """Return the last images in a state, each with the reason."""
    rows = CachedImage.objects.filter(state=state).order_by("-id")
    return [
        format_html(
            "{}: {}",
            html.row_link(CachedImage, row.pk, html.shortened(row.url, 60)),
            html.shortened(row.fault),
        )
        for row in rows[:MOST_FAILED]
    ]


def disk_lines() -> list[Line]:
    """Return how full the disk is that files are written to; nothing is read but what the system knows."""
    if settings.MEDIA_BUCKET:
        return []
    folder = Path(settings.MEDIA_ROOT)
    while not folder.exists():
        folder = folder.parent
    total, _, free = shutil.disk_usage(folder)
    stands = f"{filesizeformat(free)} free of {filesizeformat(total)}, at {settings.MEDIA_ROOT}"
    limit = settings.MEDIA_MAX_BYTES
    if limit:
        stands += f"; cached images may take {filesizeformat(limit)} of it"
    return [Line("disk", stands, free < min(total * SHORT, FEW), html.page_link("images", "images"))]
