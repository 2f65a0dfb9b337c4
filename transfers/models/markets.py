"""What classifying transfers rests on and leaves behind: markets, names of currencies, filled orders, and faults."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from nftsite.db.fields import Decimal18Field, KeyField, Uint256Field
from tokens.models import Chain, Market


class MarketContract(models.Model):
    """A contract of a market that an operator added to those that are built in.

    ``protocol`` says how its events are read; without one it is known as the target of transactions, and as a receiver
    of fees by which an order tells where it was made.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="market_contracts")
    address = KeyField(max_length=64)
    protocol = models.CharField(max_length=40, blank=True, default="")
    market = models.ForeignKey(Market, on_delete=models.PROTECT, related_name="contracts")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "address"], name="market_contract_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.market} at {self.address}"


class PaidToken(models.Model):
    """A token that something was paid in, as its contract describes itself: asked once, believed in nothing but names.

    What it is worth only a currency's contract says (``tokens.CurrencyToken``): anyone may name a token WETH.
    """

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="+")
    address = KeyField(max_length=64)
    name = models.TextField(null=True, blank=True)
    symbol = models.TextField(null=True, blank=True)
    decimals = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["address", "chain"], name="paid_token_unique"),
        ]

    def __str__(self) -> str:
        return self.symbol or self.name or str(self.address)


class OrderFill(models.Model):
    """An order that a market event filled, in whole or in part, so that its ask is known to be filled."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, db_index=False, related_name="+")
    order_hash = KeyField(max_length=66)
    transaction_hash = KeyField(max_length=66)
    log_index = models.PositiveIntegerField()
    units = Uint256Field(help_text="of the NFT; of a bundle the most of any")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "order_hash", "chain"], name="order_fill_unique"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["order_hash", "chain"], name="order_fill_order")]

    def __str__(self) -> str:
        return str(self.order_hash)


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
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "chain"], name="market_fault_unique"
            ),
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
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "block_number", "log_index"], name="punk_bid_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.value} by {self.bidder}"
