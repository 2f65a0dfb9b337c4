"""Transfers of NFTs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import Decimal18Field, KeyField, Uint256Field
from tokens.models import Chain, Contract, Nft

_SOLD = models.Q(transfer_type="sale")
_BY_BLOCK = ["block_number", "log_index", "batch_index", "id"]


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

    class Origin(models.IntegerChoices):
        """Where a row is from. Reorganisations and `classify` touch what the chain told and nothing else."""

        CHAIN = 0, "indexed: a log of the chain"
        STATED = 1, "stated, with its log index"
        LOOSE = 2, "stated without a log index: its place is free"
        APART = 3, "stated; the statement is kept apart, since it cannot stand at its own place as it is"

    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="transfers"
    )
    nft = models.ForeignKey(
        Nft, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="transfers"
    )
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
    shares = models.TextField(
        null=True,
        blank=True,
        help_text="JSON list of [role, base units, receiver or null]: how the price was split; none: not known",
    )
    native = models.TextField(null=True, blank=True, help_text="JSON, byte for byte as given")
    judged = models.BooleanField(
        default=False, help_text="type, value, swaps, markets follow from the evidence; no: they were stated"
    )
    origin = models.PositiveSmallIntegerField(
        choices=Origin.choices, default=Origin.STATED, db_default=Origin.STATED
    )
    overruled = models.TextField(
        null=True,
        blank=True,
        help_text="JSON: what the rules made of an indexed transfer of which something else was stated",
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
                fields=["contract", "recent_key", "id"],
                include=["eth_value", "stated_eth_value"],
                condition=models.Q(transfer_type="sale"),
                name="transfer_contract_sales",
            ),
            models.Index(
                fields=["timestamp"],
                condition=models.Q(nft_value_amount__isnull=False),
                name="transfer_valued",
            ),
            models.Index(fields=["contract", *_BY_BLOCK], condition=_SOLD, name="sale_contract"),
            models.Index(fields=["chain", *_BY_BLOCK], condition=_SOLD, name="sale_chain"),
            models.Index(fields=["to_address", "chain", *_BY_BLOCK], condition=_SOLD, name="sale_buyer"),
            models.Index(fields=["from_address", "chain", *_BY_BLOCK], condition=_SOLD, name="sale_seller"),
        ]

    def __str__(self) -> str:
        return f"{self.transaction_hash} log {self.log_index}"


class TransferStatement(models.Model):
    """What was stated of a transfer, where its row does not hold it as it was stated.

    So it is where the chain tells of the transfer too, and wherever a statement waits for its transaction: what was
    stated can be had back when the chain changes. A row that is nothing but stated is its own statement.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    transaction_hash = KeyField(max_length=90)
    log_index = models.PositiveIntegerField(null=True, blank=True, help_text="none: it was stated without")
    batch_index = models.PositiveIntegerField(default=0)
    nft = models.ForeignKey(
        Nft, null=True, blank=True, on_delete=models.CASCADE, related_name="+", help_text="none: not stated"
    )
    stated = models.TextField(help_text="JSON: the columns of a transfer that were stated, and those cleared")

    class Meta:
        verbose_name = "transfer as stated"
        verbose_name_plural = "transfers as stated"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "chain", "log_index", "batch_index"],
                condition=models.Q(log_index__isnull=False),
                name="transfer_statement_unique",
            ),
            models.UniqueConstraint(
                fields=["transaction_hash", "chain", "nft"],
                condition=models.Q(log_index__isnull=True),
                name="transfer_statement_loose_unique",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["transaction_hash", "chain"], name="transfer_statement_transaction")
        ]

    def __str__(self) -> str:
        place = "without a log index" if self.log_index is None else f"log {self.log_index}"
        return f"{self.transaction_hash} {place}"
