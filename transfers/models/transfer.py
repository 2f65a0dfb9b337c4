"""Transfers of NFTs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from nftsite.db.fields import Decimal18Field, KeyField, Uint256Field
from tokens.models import Chain, Contract, Nft


class Transfer(models.Model):
    """One movement of one NFT, known by chain, transaction, log index and index within the log's batch.

    Swap legs are a JSON column: they are only ever read with their transfer, never searched. Contract and chain are
    copies of the NFT's.
    """

    class Type(models.TextChoices):
        """What the transfer was (specification, Transfer record)."""

        MINT = "mint"
        TRANSFER = "transfer"
        SALE = "sale"
        SWAP = "swap"
        BURN = "burn"

    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="transfers"
    )
    nft = models.ForeignKey(Nft, on_delete=models.CASCADE, db_index=False, related_name="transfers")
    block_number = models.PositiveBigIntegerField(help_text="the slot on a mint-identified chain")
    transaction_hash = KeyField(max_length=90, help_text="the base58 signature on a mint-identified chain")
    log_index = models.PositiveIntegerField()
    batch_index = models.PositiveIntegerField(default=0)
    timestamp = models.PositiveBigIntegerField(help_text="Unix seconds")
    recent_key = KeyField(max_length=22, help_text="place on the chain, newest first")
    from_address = KeyField(max_length=64, null=True, blank=True)
    to_address = KeyField(max_length=64, null=True, blank=True)
    transaction_from = KeyField(max_length=64, null=True, blank=True, help_text="sender of the transaction")
    amount = Uint256Field()
    value = Uint256Field(
        null=True, blank=True, help_text="native value of the transaction, in base units (wei)"
    )
    nft_value_token = KeyField(
        max_length=64, null=True, blank=True, help_text="address; zero is the native currency"
    )
    nft_value_name = models.TextField(null=True, blank=True)
    nft_value_amount = Uint256Field(null=True, blank=True, help_text="base units")
    usd_value = Decimal18Field(null=True, blank=True)
    eth_value = Decimal18Field(null=True, blank=True)
    stated_usd_value = Decimal18Field(null=True, blank=True)
    stated_eth_value = Decimal18Field(null=True, blank=True)
    is_commercial = models.BooleanField(null=True, blank=True)
    transfer_type = models.CharField(max_length=10, choices=Type.choices, null=True, blank=True)
    markets = models.TextField(default="[]", help_text="JSON list of slugs")
    swaps = models.TextField(default="[]", help_text="JSON list of swap entries")
    native = models.TextField(null=True, blank=True, help_text="JSON, byte for byte as given")
    judged = models.BooleanField(
        default=False,
        help_text="type, value, swaps, markets follow from the evidence; no: they were stated",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "batch_index", "chain"], name="transfer_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(transfer_type__isnull=True)
                | models.Q(transfer_type__in=["mint", "transfer", "sale", "swap", "burn"]),
                name="transfer_type_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["contract", "recent_key", "id"], name="transfer_contract_recent"),
            models.Index(fields=["nft", "recent_key", "id"], name="transfer_nft_recent"),
            models.Index(
                fields=["timestamp"],
                condition=models.Q(nft_value_amount__isnull=False),
                name="transfer_valued",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.transaction_hash} log {self.log_index}"
