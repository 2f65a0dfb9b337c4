"""The cache of images, keyed by URL: what is known of the bytes behind a URL, and where the renditions lie."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.db import models

from nftsite.db.fields import KeyField


def url_key(url: str) -> str:
    """Return the key of a URL in the cache: 32 hexadecimal digits, however long the URL is."""
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class CachedImage(models.Model):
    """An image URL and its cached bytes.

    Paths are names in the file storage and are set only once the file is complete, so a path that is set can be
    served. Each rendition is optional by itself.
    """

    class State(models.TextChoices):
        """Where the work on this URL stands."""

        PENDING = "pending"
        READY = "ready"
        FAILED = "failed"

    key = KeyField(max_length=32, unique=True, help_text="digest of the URL")
    url = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fault = models.TextField(blank=True, default="", help_text="why the last attempt failed")
    media_type = models.CharField(
        max_length=100, blank=True, default="", help_text="sniffed, never as claimed"
    )
    content_hash = KeyField(
        max_length=64, blank=True, default="", help_text="SHA-256 of the original's bytes"
    )
    byte_size = models.PositiveBigIntegerField(null=True, blank=True)
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    original_path = models.CharField(max_length=200, blank=True, default="")
    preview_path = models.CharField(max_length=200, blank=True, default="", help_text="250 x 250")
    thumbnail_path = models.CharField(max_length=200, blank=True, default="", help_text="128 x 128")

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=models.Q(state="pending"), name="image_pending"
            ),
            models.Index(fields=["id"], condition=models.Q(state="failed"), name="image_failed"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state__in=["pending", "ready", "failed"]), name="image_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.url[:100]
