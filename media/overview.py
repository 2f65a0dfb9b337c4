"""What the admin's page on images shows, and its line on the index."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from media.models import CachedImage, DoomedFile
from media.usage import usage
from nftsite.backoffice import html, work


def context() -> dict[str, Any]:
    """Return the table of states, what is due, and the disk."""
    now = timezone.now()
    due = CachedImage.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
    first = due.values_list("next_attempt_at", flat=True).first()
    used, limit = usage()
    return {
        "states": work.states(CachedImage, CachedImage.State, "images"),
        "command": "cache_images --follow",
        "facts": (
            ("Due", html.together(work.since(first, now), html.list_link(CachedImage, "list", show="due"))),
            ("On disk", filesizeformat(used)),
            ("Limit (MEDIA_MAX_BYTES)", filesizeformat(limit) if limit else "none"),
            (
                "Files to be deleted",
                html.together(f"{DoomedFile.objects.count():,}", html.list_link(DoomedFile, "list")),
            ),
        ),
    }


def summary() -> str:
    """Return how many images are in which state, in a line; empty where there are none."""
    return work.summary(CachedImage, CachedImage.State)
