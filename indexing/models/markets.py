"""What judging transfers leaves behind: market events that were not borne out, and bids for punks."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import Decimal18Field, KeyField, Uint256Field
from core.db.keys import token_id_from_key
from tokens.models import Chain


class MarketFault(models.Model):
    """A market event that could not be read, or that the rest of its transaction does not bear out.

    No price is published of what it tells.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    block_number = models.PositiveBigIntegerField()
    transaction_hash = KeyField(max_length=66)
    log_index = models.PositiveIntegerField()
    protocol = models.CharField(max_length=40)
    reason = models.TextField()
    currency = KeyField(max_length=64, help_text="contract; the zero address is the native currency")
    price = Uint256Field(help_text="base units, as the event tells; 0 where it tells none")
    eth_value = Decimal18Field(
        default=0, help_text="of the price in ETH at the rates known when it was judged; 0 where it has none"
    )

    class Meta:
        db_table = "transfers_marketfault"
        verbose_name = "unexplained market event"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "chain"], name="market_fault_unique"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["chain", "block_number"], name="market_fault_block"),
            models.Index(fields=["protocol", "eth_value", "price", "id"], name="market_fault_protocol"),
        ]

    def __str__(self) -> str:
        return f"{self.protocol}: {self.reason}"


class PunkBid(models.Model):
    """A bid for a punk: when it is accepted, the event of that does not say what was paid."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    block_number = models.PositiveBigIntegerField()
    log_index = models.PositiveIntegerField()
    contract_address = KeyField(max_length=64)
    token_key = KeyField(max_length=80)
    bidder = KeyField(max_length=64)
    value = Uint256Field(help_text="wei")

    class Meta:
        db_table = "transfers_punkbid"
        verbose_name = "bid for a CryptoPunk"
        verbose_name_plural = "bids for CryptoPunks"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "block_number", "log_index"], name="punk_bid_unique")
        ]

    def __str__(self) -> str:
        return f"bid for punk {token_id_from_key(self.token_key)} by {self.bidder}"
