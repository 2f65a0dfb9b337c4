"""What classifying transfers rests on: contracts of markets, names of what was paid in, and filled orders."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField, Uint256Field
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
        verbose_name = "marketplace contract"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "address"], name="market_contract_unique")
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
        verbose_name = "payment token"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["address", "chain"], name="paid_token_unique")
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
        verbose_name = "filled order"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["transaction_hash", "log_index", "order_hash", "chain"], name="order_fill_unique"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["order_hash", "chain"], name="order_fill_order")]

    def __str__(self) -> str:
        return str(self.order_hash)
