"""What contracts of markets say of orders."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField, Uint256Field
from tokens.models import Chain


class OrderEvent(models.Model):
    """One thing that a log, or a call at its block, says of orders (``transfers.ledger.order_facts``).

    Kept for as long as its block is part of the chain: asks follow from these rows, and go or come back with them.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    block_number = models.BigIntegerField()
    log_index = models.BigIntegerField()
    place = models.IntegerField(default=0, help_text="among those that one log says")
    transaction_hash = KeyField(max_length=66)
    timestamp = models.BigIntegerField(help_text="of the block, Unix seconds")
    kind = models.CharField(max_length=12)
    market = models.CharField(max_length=100, help_text="slug; empty for an approval")
    exchange = KeyField(max_length=64, help_text="the contract that keeps the order; empty for an approval")
    contract = KeyField(max_length=64, null=True, blank=True, help_text="of the NFT")
    token_key = KeyField(max_length=101, null=True, blank=True)
    order_hash = KeyField(max_length=200, null=True, blank=True)
    maker = KeyField(max_length=64, null=True, blank=True)
    operator = KeyField(max_length=64, null=True, blank=True)
    nonce = Uint256Field(null=True, blank=True)
    detail = models.TextField(default="{}", help_text="JSON: the rest of what it says")
    raw = models.TextField(
        default="", blank=True, help_text="JSON: address, topics and data of the log; empty: a call"
    )

    class Meta:
        verbose_name = "order event"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["chain", "block_number", "log_index", "place"], name="order_event_unique"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["order_hash", "chain"],
                condition=models.Q(order_hash__isnull=False),
                name="order_event_order",
            ),
            models.Index(
                fields=["contract", "token_key", "chain"],
                condition=models.Q(token_key__isnull=False),
                name="order_event_nft",
            ),
            models.Index(
                fields=["maker", "exchange", "kind", "nonce", "chain"],
                condition=models.Q(maker__isnull=False),
                name="order_event_maker",
            ),
            models.Index(
                fields=["maker", "operator", "contract", "kind", "chain"],
                condition=models.Q(operator__isnull=False),
                name="order_event_approval",
            ),
            models.Index(
                fields=["exchange", "chain"],
                condition=models.Q(kind__in=["pool", "quoted"]),
                name="order_event_pool",
            ),
            models.Index(fields=["kind", "timestamp"], name="order_event_kind"),
            models.Index(
                fields=["chain"], condition=models.Q(kind__in=["listing", "bid"]), name="order_event_listing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at block {self.block_number:,}, log {self.log_index}"
