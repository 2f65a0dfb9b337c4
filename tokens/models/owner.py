"""Holders of NFTs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Coalesce

from core.db.fields import KeyField, Uint256Field
from core.db.keys import NEVER
from tokens.models.contract import Contract
from tokens.models.nft import Nft

_PRESENT = models.Q(amount__gt=0, known=True)


class Owner(models.Model):
    """An address that holds, or once held (amount 0), units of an NFT.

    Former holders stay, so that their first block survives selling and buying back. The index of present holders is
    two lists of those with an amount: the NFTs of an address, by the moment at which its units last changed, and the
    addresses of a contract (``tokens.engine.holders`` reads both). The contract is a copy of the NFT's.
    """

    nft = models.ForeignKey(
        Nft, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="owners"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    address = KeyField(max_length=64)
    amount = Uint256Field()
    known = models.BooleanField(
        default=True,
        help_text="who holds the NFT is known: nobody gave more than is known to have come to him",
    )
    entered_key = KeyField(max_length=22, default=NEVER, help_text="position at which it first held the NFT")
    entered_at_block = models.PositiveBigIntegerField(null=True, blank=True)
    entered_at = models.PositiveBigIntegerField(null=True, blank=True, help_text="Unix seconds")
    updated_at_block = models.PositiveBigIntegerField(null=True, blank=True)
    updated_at = models.PositiveBigIntegerField(null=True, blank=True, help_text="Unix seconds")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["nft", "address"], name="owner_unique")]
        indexes: ClassVar = [
            models.Index(
                fields=["nft", "-amount", "entered_key", "address"],
                condition=models.Q(amount__gt=0),
                name="owner_by_amount",
            ),
            models.Index(
                "address",
                Coalesce("updated_at", 0),
                "nft",
                include=["contract", "updated_at"],
                condition=_PRESENT,
                name="owner_by_address",
            ),
            models.Index(fields=["contract", "address", "nft"], condition=_PRESENT, name="owner_by_contract"),
        ]

    def __str__(self) -> str:
        return str(self.address)


class WideHolder(models.Model):
    """An address that holds, or once held, so many NFTs that they are not read whole.

    Those that it holds have postings of their own (``NftMarket``), in all orders.
    """

    address = KeyField(max_length=64, unique=True)
    nfts = models.PositiveBigIntegerField(default=0, help_text="that it holds")

    class Meta:
        verbose_name = "address with very many NFTs"
        verbose_name_plural = "addresses with very many NFTs"

    def __str__(self) -> str:
        return str(self.address)
