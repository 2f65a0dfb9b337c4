"""What is counted of a collection for people, and when."""

from __future__ import annotations

from django.db import models

from core.db.fields import Decimal18Field
from tokens.models import Contract


class CollectionFigures(models.Model):
    """Figures of a contract's NFTs that no page can count within its bounds, as of ``counted_at``.

    Written by ``transfers.figures`` alone, from the rows themselves and never by adding: whatever became of them
    meanwhile (a reorganisation, ``rederive``, a process that was killed), the next count is right. What is known by one
    look (NFTs, the lowest ask, the newest sales) is read live and not kept here.
    """

    contract = models.OneToOneField(
        Contract, primary_key=True, on_delete=models.CASCADE, related_name="figures"
    )
    counted_at = models.BigIntegerField(help_text="Unix seconds")
    signature = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="of what the count saw; another one now: it is counted again. Empty: it is to be, in any case",
    )
    took_ms = models.PositiveBigIntegerField(default=0, help_text="milliseconds of the count")
    known = models.PositiveBigIntegerField(default=0, help_text="NFTs that were counted")
    described = models.PositiveBigIntegerField(default=0, help_text="NFTs with metadata")
    owners = models.PositiveBigIntegerField(default=0, help_text="different addresses that hold one")
    about = models.BooleanField(default=False, help_text="there are so many owners that they are estimated")
    sales = models.PositiveBigIntegerField(default=0)
    recent_sales = models.PositiveBigIntegerField(default=0, help_text="of the 30 days before the count")
    recent_value = Decimal18Field(default=0, help_text="what those were worth together, in ETH")
    cover_id = models.BigIntegerField(null=True, blank=True, help_text="the NFT whose picture stands for it")
    details = models.TextField(default="{}", help_text="JSON: sales by time, distribution of rarity")

    class Meta:
        verbose_name = "figures of a collection"
        verbose_name_plural = "figures of collections"

    def __str__(self) -> str:
        return f"figures of {self.contract_id}"
