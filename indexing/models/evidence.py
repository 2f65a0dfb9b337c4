"""What indexing keeps of what it read: evidence, logs that were not understood, and contracts in doubt."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField
from tokens.models import Chain


class Evidence(models.Model):
    """A transaction with an NFT log: sender, target, value and all logs, so that rules can be applied again.

    ``packed`` is what :mod:`indexing.write.evidence` makes of it.
    """

    chain = models.ForeignKey(
        Chain, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="+"
    )
    block_number = models.PositiveBigIntegerField()
    transaction_hash = KeyField(max_length=66)
    packed = models.BinaryField()

    class Meta:
        db_table = "transfers_evidence"
        verbose_name = "transaction kept as evidence"
        verbose_name_plural = "transactions kept as evidence"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["transaction_hash", "chain"], name="evidence_unique")
        ]
        indexes: ClassVar = [models.Index(fields=["chain", "block_number"], name="evidence_block")]

    def __str__(self) -> str:
        return str(self.transaction_hash)


class UndecodedLog(models.Model):
    """A log that looked like one of an NFT contract and could not be decoded."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    block_number = models.PositiveBigIntegerField()
    transaction_hash = KeyField(max_length=66)
    log_index = models.PositiveIntegerField()
    address = KeyField(max_length=64)
    topics = models.TextField(help_text="JSON list")
    data = models.TextField(help_text="hexadecimal, cut where it is very long")
    reason = models.TextField()

    class Meta:
        db_table = "transfers_undecodedlog"
        verbose_name = "undecoded log"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "chain"], name="undecoded_log_unique"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["chain", "block_number"], name="undecoded_log_block"),
            models.Index(fields=["address"], name="undecoded_log_address"),
        ]

    def __str__(self) -> str:
        return f"{self.transaction_hash} log {self.log_index}"


class DoubtfulContract(models.Model):
    """A contract whose logs look like those of NFTs, or that an operator named, and that is left out; and the reason.

    Also one that is taken in, of which the node has not told all. Gone once it turns out to hold NFTs and all is told.
    """

    class TakenFor(models.TextChoices):
        """What a contract is taken for."""

        MONEY = "money", "money (ERC-20)"
        UNCLEAR = "unclear", "cannot be told"
        UNTOLD = "untold", "not told by the node"
        NOTHING = "nothing", "nothing: no NFT moved"

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    address = KeyField(max_length=64)
    taken_for = models.CharField(max_length=10, choices=TakenFor.choices)
    reason = models.TextField()
    block_number = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="of the first log that is left out; empty: none is"
    )
    noted_at = models.PositiveBigIntegerField(help_text="when that was first seen, Unix seconds")
    is_final = models.BooleanField(
        help_text="asked again when an indexer starts only; else with its next logs as well"
    )

    class Meta:
        db_table = "transfers_doubtfulcontract"
        verbose_name = "contract in doubt"
        verbose_name_plural = "contracts in doubt"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["address", "chain"], name="doubtful_contract_unique")
        ]
        indexes: ClassVar = [models.Index(fields=["chain", "block_number"], name="doubtful_contract_block")]

    def __str__(self) -> str:
        return str(self.address)
