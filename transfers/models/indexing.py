"""What indexing a chain from a node keeps: how far it has come, block hashes, evidence, and what was not understood."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from nftsite.db.faults import FaultField
from nftsite.db.fields import KeyField, Uint256Field
from tokens.models import Chain, Nft


class IndexedChain(models.Model):
    """A chain that is indexed from a node: what is known of its head and of the indexer at work."""

    chain = models.OneToOneField(Chain, primary_key=True, on_delete=models.CASCADE, related_name="indexed")
    head_number = models.PositiveBigIntegerField(null=True, blank=True, help_text="the node's newest block")
    head_seen_at = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="when that was, Unix seconds"
    )
    beat_at = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="when an indexer last told of itself, Unix seconds"
    )
    blocks_per_second = models.FloatField(default=0)
    logs_per_second = models.FloatField(default=0)
    logs_total = models.PositiveBigIntegerField(default=0, help_text="NFT logs taken in, over all runs")
    rewinds = models.PositiveBigIntegerField(
        default=0, help_text="reorganisations that were followed, over all runs"
    )
    fault = FaultField(blank=True, default="", help_text="what last went wrong")
    fault_at = models.PositiveBigIntegerField(null=True, blank=True, help_text="when that was, Unix seconds")

    def __str__(self) -> str:
        return str(self.chain)


class IndexedContract(models.Model):
    """How far one contract of a chain is indexed; an empty address stands for all contracts."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="indexed_contracts")
    address = KeyField(max_length=64, blank=True, help_text="empty: every contract")
    first_block = models.PositiveBigIntegerField()
    next_block = models.PositiveBigIntegerField(help_text="the first block that is not yet indexed")
    reached_at = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="time of the last indexed block, Unix seconds"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "address"], name="indexed_contract_unique"),
        ]

    def __str__(self) -> str:
        return str(self.address) or "every contract"


class Block(models.Model):
    """A block whose hash is kept, so that a reorganisation is noticed."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    number = models.PositiveBigIntegerField()
    hash = KeyField(max_length=66)
    timestamp = models.PositiveBigIntegerField(help_text="Unix seconds")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "number"], name="block_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


class Evidence(models.Model):
    """A transaction with an NFT log: sender, target, value and all logs, so that rules can be applied again.

    ``packed`` is what :mod:`transfers.ingest.evidence` makes of it.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    block_number = models.PositiveBigIntegerField()
    transaction_hash = KeyField(max_length=66)
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "evidence"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["transaction_hash", "chain"], name="evidence_unique"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["chain", "block_number"], name="evidence_block"),
        ]

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
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "chain"], name="undecoded_log_unique"
            ),
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
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["address", "chain"], name="doubtful_contract_unique"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["chain", "block_number"], name="doubtful_contract_block"),
        ]

    def __str__(self) -> str:
        return str(self.address)


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
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["nft", "address", "block_number"], name="opening_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.address}: {self.amount}"
