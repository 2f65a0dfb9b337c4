"""Holders of NFTs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField, Uint256Field
from core.db.keys import NEVER
from tokens.models.nft import Nft


class Owner(models.Model):
    """An address that holds, or once held (amount 0), units of an NFT.

    Former holders stay, so that their first block survives selling and buying back.
    """

    nft = models.ForeignKey(
        Nft, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="owners"
    )
    address = KeyField(max_length=64)
    amount = Uint256Field()
    entered_key = KeyField(max_length=22, default=NEVER, help_text="position at which it first held the NFT")
    entered_at_block = models.PositiveBigIntegerField(null=True, blank=True)
    entered_at = models.PositiveBigIntegerField(null=True, blank=True, help_text="Unix seconds")
    updated_at_block = models.PositiveBigIntegerField(null=True, blank=True)
    updated_at = models.PositiveBigIntegerField(null=True, blank=True, help_text="Unix seconds")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["nft", "address"], name="owner_unique"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["nft", "-amount", "entered_key", "address"],
                condition=models.Q(amount__gt=0),
                name="owner_by_amount",
            ),
        ]

    def __str__(self) -> str:
        return str(self.address)
