"""How far order books have been read from their sources."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.faults import FaultField
from core.db.fields import KeyField
from tokens.models import Chain


class BookWalk(models.Model):
    """The walk through a contract's orders at a source: the one at work, and the last that came to its end.

    Times are Unix seconds. ``began_at`` is empty where no walk is at work; ``collections`` and ``cursor`` say where it
    goes on.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="book_walks")
    source = models.CharField(max_length=40)
    address = KeyField(max_length=64, help_text="of the contract")
    named = models.JSONField(default=list, blank=True, help_text="collections that an operator named for it")
    began_at = models.BigIntegerField(null=True, blank=True, help_text="of the walk at work")
    collections = models.JSONField(
        default=list, blank=True, help_text="left to be walked, as the source names them"
    )
    cursor = models.TextField(default="", blank=True, help_text="of the next page in the first of them")
    pages = models.PositiveBigIntegerField(default=0, help_text="read in this walk, or the last")
    shown = models.PositiveBigIntegerField(
        default=0, help_text="orders of the contract that were taken in it"
    )
    refused = models.PositiveBigIntegerField(default=0, help_text="orders that were not, in it")
    differing = models.PositiveBigIntegerField(
        default=0, help_text="orders of which the source states another price, in it"
    )
    read_at = models.BigIntegerField(null=True, blank=True, help_text="when the last whole walk began")
    completed_at = models.BigIntegerField(null=True, blank=True, help_text="when it ended")
    last_shown = models.PositiveBigIntegerField(default=0, help_text="orders that were taken in it")
    ended = models.PositiveBigIntegerField(
        default=0, help_text="asks that were gone from the source after it"
    )
    fault = FaultField(blank=True, default="", help_text="what last went wrong")
    fault_at = models.BigIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = "order book"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "source", "address"], name="book_walk_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.address} at {self.source}"
