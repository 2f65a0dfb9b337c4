"""What the computed rarity of a contract rests on, and when it is to be computed again."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField
from tokens.models.contract import Contract


class ContractRarity(models.Model):
    """The rarity of a contract's NFTs: method, coverage and time of the last computation, and the next one.

    ``changed_at`` is when traits of the contract first changed since the last computation read them; ``due_at``, pushed
    back by each further change but never beyond a bound from ``changed_at``, is when they have settled. While a
    computation is at it, ``run`` is its token and ``due_at`` the end of its lease: when it dies, it is due again.
    """

    contract = models.OneToOneField(
        Contract, primary_key=True, on_delete=models.CASCADE, related_name="computed_rarity"
    )
    method = models.CharField(max_length=40, blank=True, default="")
    version = models.CharField(max_length=40, blank=True, default="", help_text="of the method's rules")
    scored = models.PositiveBigIntegerField(default=0, help_text="NFTs with metadata, which have a score")
    known = models.PositiveBigIntegerField(default=0, help_text="known NFTs at that time")
    computed_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    run = KeyField(max_length=32, blank=True, default="", help_text="token of the computation that is at it")

    class Meta:
        verbose_name = "contract rarity"
        verbose_name_plural = "contract rarities"
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="rarity_due")
        ]

    def __str__(self) -> str:
        return f"rarity of {self.contract}"
