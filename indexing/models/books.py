"""Order books that are read from their sources: how far each has been read, and when it is read next."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.faults import FaultField
from core.db.fields import KeyField
from tokens.models import Chain


class BookWalk(models.Model):
    """A contract's order book at a source: the walk that is at work, the last that came to its end, and the next.

    Times are Unix seconds. ``began_at`` is empty where no walk is at work; ``collections`` and ``cursor`` say where it
    goes on. It is due once ``next_at`` has come, unless it is stopped.
    """

    class State(models.TextChoices):
        """What is being done about it."""

        WAITING = "waiting", "waits until it is due"
        WALKING = "walking", "is being read, or goes on with the next run"
        FAILED = "failed", "something went wrong; it is tried again, later each time"
        STOPPED = "stopped", "an operator does not want it to be read"

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="book_walks")
    source = models.CharField(max_length=40, help_text="who keeps the book")
    address = KeyField(max_length=64, help_text="of the contract")
    named = models.JSONField(default=list, blank=True, help_text="collections that an operator named for it")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    requested_at = models.BigIntegerField(
        null=True, blank=True, help_text="when an operator asked for it, until it is read"
    )
    next_at = models.BigIntegerField(default=0, help_text="when it is due")
    attempts = models.PositiveIntegerField(default=0, help_text="in a row that failed")
    sales = models.PositiveSmallIntegerField(
        default=0, help_text="in the last days, among the contract's newest transfers"
    )
    began_at = models.BigIntegerField(null=True, blank=True, help_text="of the walk at work")
    collections = models.JSONField(
        default=list, blank=True, help_text="left to be walked, as the source names them"
    )
    cursor = models.TextField(default="", blank=True, help_text="of the next page in the first of them")
    pages = models.PositiveBigIntegerField(default=0, help_text="read in this walk, or the last")
    shown = models.PositiveBigIntegerField(
        default=0, help_text="orders of the contract that were taken in it"
    )
    shown_of = models.JSONField(default=dict, blank=True, help_text="the same by collection")
    refused = models.PositiveBigIntegerField(default=0, help_text="orders that were not, in it")
    refusals = models.JSONField(default=dict, blank=True, help_text="why, and of how many orders each")
    differing = models.PositiveBigIntegerField(
        default=0, help_text="orders of which the source states another price, in it"
    )
    read_at = models.BigIntegerField(null=True, blank=True, help_text="when the last whole walk began")
    completed_at = models.BigIntegerField(null=True, blank=True, help_text="when it ended")
    last_shown = models.PositiveBigIntegerField(default=0, help_text="orders that were taken in it")
    last_shown_of = models.JSONField(default=dict, blank=True, help_text="the same by collection")
    empty_since = models.BigIntegerField(
        null=True, blank=True, help_text="when a collection first showed nothing where it had shown orders"
    )
    ended = models.PositiveBigIntegerField(
        default=0, help_text="asks that were gone from the source after it"
    )
    changes_at = models.BigIntegerField(
        null=True, blank=True, help_text="up to when it is known what was listed since"
    )
    fault = FaultField(blank=True, default="", help_text="what last went wrong")
    fault_at = models.BigIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = "order book"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "source", "address"], name="book_walk_unique")
        ]
        indexes: ClassVar = [models.Index(fields=["address", "read_at"], name="book_walk_address")]

    def __str__(self) -> str:
        return f"{self.address} at {self.source}"


class BookPage(models.Model):
    """A page that a walk at work has read: the asks that it showed. It goes with the walk's end."""

    walk = models.ForeignKey(BookWalk, on_delete=models.CASCADE, db_index=False, related_name="+")
    place = KeyField(max_length=32, help_text="digest of the collection and the cursor that it was asked by")
    asks = models.BinaryField(help_text="ids, of eight bytes each")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["walk", "place"], name="book_page_unique")]

    def __str__(self) -> str:
        return f"page {self.place} of {self.walk}"


class BookSource(models.Model):
    """A source that order books of a chain are read from: the reader at work, and the limits that it was told of."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=40)
    beat_at = models.BigIntegerField(null=True, blank=True, help_text="when a reader last told of itself")
    pages_total = models.PositiveBigIntegerField(default=0, help_text="read over all runs")
    faults_total = models.PositiveBigIntegerField(default=0, help_text="over all runs")
    limit_most = models.PositiveBigIntegerField(null=True, blank=True, help_text="requests that it allows")
    limit_left = models.PositiveBigIntegerField(null=True, blank=True, help_text="of them, when last told")
    limit_resets_at = models.BigIntegerField(null=True, blank=True, help_text="when it allows as many again")

    class Meta:
        verbose_name = "source of order books"
        verbose_name_plural = "sources of order books"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "source"], name="book_source_unique")
        ]

    def __str__(self) -> str:
        return f"{self.source}, {self.chain}"
