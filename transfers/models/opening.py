"""What addresses held before their first known transfer."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField, Uint256Field
from tokens.models import Nft


class Opening(models.Model):
    """What an address held of an NFT at the start of a block, before its transfers, as the node tells.

    Indexing may start in the middle of a contract's history. A fact of the chain, whatever transfers before the block
    are known by now. No amount: the node could not tell; who holds the NFT is not known while the address gives more
    than known transfers brought it.
    """

    nft = models.ForeignKey(Nft, on_delete=models.CASCADE, db_index=False, related_name="openings")
    address = KeyField(max_length=64)
    amount = Uint256Field(null=True, blank=True)
    block_number = models.PositiveBigIntegerField(help_text="at whose start it was so")

    class Meta:
        verbose_name = "starting balance"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["nft", "address", "block_number"], name="opening_unique")
        ]

    def __str__(self) -> str:
        return f"{self.address} at block {self.block_number:,}"
