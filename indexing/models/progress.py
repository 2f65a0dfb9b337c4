"""How far indexing a chain from a node has come, and the hashes of its last blocks."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.faults import FaultField
from core.db.fields import KeyField
from tokens.models import Chain


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
    orders_first = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="block from which older order events were asked for"
    )
    orders_next = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="the first block of which older order events are not yet read"
    )
    orders_end = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="block before which order events are older than indexing"
    )
    fault = FaultField(blank=True, default="", help_text="what last went wrong")
    fault_at = models.PositiveBigIntegerField(null=True, blank=True, help_text="when that was, Unix seconds")

    class Meta:
        db_table = "transfers_indexedchain"
        verbose_name = "indexed chain"

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
        db_table = "transfers_indexedcontract"
        verbose_name = "indexing checkpoint"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "address"], name="indexed_contract_unique")
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
        db_table = "transfers_block"
        verbose_name = "recent block"
        constraints: ClassVar = [models.UniqueConstraint(fields=["chain", "number"], name="block_unique")]

    def __str__(self) -> str:
        return f"block {self.number:,} of {self.chain}"
