"""What the admin's page on images shows, and its line on the index."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from core.backoffice import html, queues
from media.models import CachedImage, DoomedFile
from media.usage import usage


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
            (
                "Files to be deleted",
                html.together(f"{doomed:,}", html.list_link(DoomedFile, "list")),
            ),
        ),
    }


def summary() -> str:
    """Return how many images are in which state, in a line; empty where there are none."""
    return queues.summary(CachedImage, CachedImage.State)
