"""The cache of images, keyed by URL: what is known of the bytes behind a URL, where the renditions lie, takedowns."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.db import models
from django.utils import timezone

from core.db.faults import FaultField
from core.db.fields import KeyField


def url_key(url: str) -> str:
    """Return the key of a URL in the cache: 32 hexadecimal digits, however long the URL is."""
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class CachedImage(models.Model):
    """A URL of an image, video or sound, and what is cached of its bytes.

    Paths are names in the file storage and are set only once the file is complete: a path that is set can be served,
    whatever the state, so that what was good stays while it is fetched again. Each rendition is optional by itself.
    A row is due once ``next_attempt_at`` has come (``core.db.leases``); none: it is not tried again by itself.
    """

    class State(models.TextChoices):
        """What the last attempt came to."""

        PENDING = "pending", "not fetched yet, or asked for again"
        READY = "ready", "cached, or recognised as what has no picture"
        UNREACHABLE = "unreachable", "its server does not answer, or not yet"
        FAILED = "failed", "nothing usable is there, and trying again would not change that"
        WITHHELD = "withheld", "an operator keeps it from being served"

    key = KeyField(max_length=32, unique=True, help_text="digest of the URL")
    url = models.TextField()
    is_picture = models.BooleanField(
        default=True, db_default=True, help_text="or an animation, of which only the type is wanted"
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="in a row that failed")
    next_attempt_at = models.DateTimeField(null=True, blank=True, default=timezone.now)
    lease = KeyField(max_length=32, blank=True, default="", help_text="token of the worker that is at it")
    fault = FaultField(blank=True, default="", help_text="why the last attempt failed")
    tried_at = models.DateTimeField(null=True, blank=True, help_text="end of the last attempt")
    media_type = models.CharField(
        max_length=100, blank=True, default="", help_text="of the fetched bytes, never as claimed"
    )
    own_withheld = models.BooleanField(
        default=False,
        help_text="an operator withholds what is at this URL, whatever it is and whoever shows it",
    )
    withheld_reason = models.TextField(null=True, blank=True, help_text="why, as the operator said")
    source_hash = KeyField(max_length=64, blank=True, default="", help_text="SHA-256 of the fetched bytes")
    content_hash = KeyField(
        max_length=64, blank=True, default="", help_text="SHA-256 of the cached original's bytes"
    )
    byte_size = models.PositiveBigIntegerField(null=True, blank=True, help_text="of the cached original")
    disk_size = models.PositiveBigIntegerField(default=0, help_text="bytes of all its files")
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    original_path = models.CharField(max_length=200, blank=True, default="")
    preview_path = models.CharField(max_length=200, blank=True, default="", help_text="250 x 250")
    thumbnail_path = models.CharField(max_length=200, blank=True, default="", help_text="128 x 128")

    class Meta:
        verbose_name = "cached image"
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at", "id"],
                condition=models.Q(next_attempt_at__isnull=False),
                name="image_due",
            ),
            models.Index(fields=["state", "id"], name="image_state"),
            *(
                models.Index(
                    fields=[column, *also], condition=models.Q((f"{column}__gt", "")), name=f"image_{name}"
                )
                for name, column, *also in (
                    ("source", "source_hash"),
                    ("content", "content_hash"),
                    ("original", "original_path", "disk_size"),  # read whole for what is used of the disk
                    ("preview", "preview_path"),
                    ("thumbnail", "thumbnail_path"),
                )
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state__in=["pending", "ready", "unreachable", "failed", "withheld"]),
                name="image_state_known",
            )
        ]

    def __str__(self) -> str:
        return self.url[:100]


class WithheldContent(models.Model):
    """Bytes that an operator keeps from being served, wherever they are found again."""

    hash = KeyField(
        max_length=64,
        primary_key=True,
        help_text="SHA-256 of the bytes as fetched, or of the cached original",
    )
    reason = models.TextField(blank=True, default="")
    withheld_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = "content taken down"
        verbose_name_plural = "contents taken down"

    def __str__(self) -> str:
        return str(self.hash)


class DoomedFile(models.Model):
    """A file in the storage that nothing refers to any more, to be deleted.

    Written in the transaction that takes the last reference away, so that a kill before the deletion loses nothing. A
    deleted one is remembered for a day: who stored it shortly before, and now comes to refer to it, stores it again.
    """

    name = models.CharField(max_length=200, primary_key=True)
    due_at = models.DateTimeField(
        default=timezone.now, help_text="not before: pages that link to it are still out"
    )
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "file to be deleted"
        verbose_name_plural = "files to be deleted"
        indexes: ClassVar = [
            models.Index(
                fields=["due_at", "name"], condition=models.Q(deleted_at__isnull=True), name="doomed_due"
            ),
            models.Index(
                fields=["deleted_at"], condition=models.Q(deleted_at__isnull=False), name="doomed_deleted"
            ),
        ]

    def __str__(self) -> str:
        return self.name
