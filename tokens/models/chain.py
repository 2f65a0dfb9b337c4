"""Dictionaries: chains, currencies with their rates, marketplaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import Decimal18Field, KeyField


class Chain(models.Model):
    """A chain whose NFTs are served. ``kind`` decides how contracts and tokens are identified on it."""

    class Kind(models.TextChoices):
        """``evm``: contract address and integer token id; ``mint``: a base58 mint, its collection an attribute."""

        EVM = "evm"
        MINT = "mint"

    slug = KeyField(max_length=40, unique=True)
    kind = models.CharField(max_length=4, choices=Kind.choices)
    chain_id = models.PositiveBigIntegerField(
        null=True, blank=True, unique=True, help_text="EIP-155 id, EVM only"
    )
    native_currency = KeyField(max_length=40, help_text="symbol of the currency that gas is paid in")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(kind__in=["evm", "mint"]), name="chain_kind_known")
        ]

    def __str__(self) -> str:
        return str(self.slug)


class Currency(models.Model):
    """A currency that asks, sales and rates are in, known by its symbol in upper case."""

    symbol = KeyField(max_length=40, unique=True)
    alias_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="aliases"
    )
    wraps = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="wrappers",
        help_text="the native currency that this one is worth at par",
    )
    keyed_usd = Decimal18Field(
        null=True,
        blank=True,
        help_text="the rate in USD that the price keys of asks were made with; none: unrated",
    )
    next_rate_at = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="Unix seconds of the first rate that was dated ahead when the keys were made",
    )

    class Meta:
        verbose_name_plural = "currencies"
        indexes: ClassVar = [
            models.Index(
                fields=["next_rate_at"],
                condition=models.Q(next_rate_at__isnull=False),
                name="currency_next_rate",
            )
        ]

    def __str__(self) -> str:
        return str(self.symbol)


class CurrencyToken(models.Model):
    """The contract of a currency on a chain, with its decimals; the zero address is the chain's native currency."""

    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="currency_tokens")
    address = KeyField(max_length=64)
    currency = models.ForeignKey(Currency, on_delete=models.CASCADE, related_name="tokens")
    decimals = models.PositiveSmallIntegerField(default=18)

    class Meta:
        verbose_name = "currency contract"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "address"], name="currency_token_unique")
        ]

    def __str__(self) -> str:
        return f"{self.currency} at {self.address}"


class Rate(models.Model):
    """What one unit of a currency was worth in USD from a moment on (Unix seconds)."""

    currency = models.ForeignKey(Currency, on_delete=models.CASCADE, related_name="rates")
    timestamp = models.PositiveBigIntegerField()
    usd = Decimal18Field()

    class Meta:
        verbose_name = "exchange rate"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["currency", "timestamp"], name="rate_unique")
        ]

    def __str__(self) -> str:
        return f"{self.currency} at {self.usd.normalize():f} USD"


class Market(models.Model):
    """A marketplace or aggregator, known by its slug in lower case."""

    slug = KeyField(max_length=64, unique=True)
    name = models.CharField(
        max_length=80, blank=True, default="", help_text="as people know it; empty: the slug"
    )

    class Meta:
        verbose_name = "marketplace"

    def __str__(self) -> str:
        return str(self.slug)
