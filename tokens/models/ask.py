"""Asks: offers to sell an NFT."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import Decimal18Field, KeyField, Uint256Field
from tokens.models.chain import Chain, Currency, Market
from tokens.models.contract import Contract
from tokens.models.nft import Nft

FOREVER = 2**62
"""``valid_until`` of an ask that does not end."""

_ACTIVE = models.Q(active=True)
_LIVENESS = ["valid_from", "valid_until", "market"]
"""Read with every ask that a page looks at: in the index, so that PostgreSQL leaves the table alone."""
_OFFER = ["sole", "currency", "price", "valid_from", "valid_until"]
"""Read with every ask that is passed in the order of prices."""


class Ask(models.Model):
    """An ask, known by its chain, marketplace and order hash.

    Live means ``active`` and ``valid_from`` <= now < ``valid_until`` at the moment of the request. ``active`` is kept
    by the writers: open, with units left, and for an ERC-721 whose owner is known made by that owner. So is ``sole``:
    active, and no other ask of its NFT is, so that it alone decides the NFT's place by price. Contract and chain are
    copies of the NFT's.
    """

    class Status(models.TextChoices):
        """What became of it; one that is filled or cancelled is not reopened."""

        OPEN = "open"
        FILLED = "filled"
        CANCELLED = "cancelled"

    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    nft = models.ForeignKey(Nft, on_delete=models.CASCADE, related_name="asks")
    market = models.ForeignKey(Market, on_delete=models.PROTECT, db_index=False, related_name="asks")
    order_hash = KeyField(max_length=200)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="asks")
    price = Decimal18Field(help_text="whole units of the currency, for one unit of the token")
    price_key = KeyField(
        max_length=110, help_text="value at the newest rates; unrated currencies sort behind"
    )
    amount = Uint256Field(null=True, blank=True, help_text="units left")
    maker = KeyField(max_length=64, null=True, blank=True)
    valid_from = models.BigIntegerField(default=0, help_text="Unix seconds")
    valid_until = models.BigIntegerField(default=FOREVER, help_text="Unix seconds, exclusive")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    stated = models.TextField(
        null=True,
        blank=True,
        help_text="JSON: amount and status as they were stated, and the transactions whose fills these reflect; "
        "none: no fill is known that has changed them",
    )
    active = models.BooleanField(default=True)
    sole = models.BooleanField(default=False, help_text="the only active ask of its NFT")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["order_hash", "market", "chain"], name="ask_unique"),
            models.CheckConstraint(
                condition=models.Q(status__in=["open", "filled", "cancelled"]), name="ask_status_known"
            ),
            models.CheckConstraint(
                condition=models.Q(active=False) | models.Q(status="open"), name="ask_active_open"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["nft", "price_key", "id"],
                include=[*_OFFER, "market"],
                condition=_ACTIVE,
                name="ask_nft_price",
            ),
            models.Index(
                fields=["contract", "price_key", "nft"],
                include=["id", *_OFFER, "market"],
                condition=_ACTIVE,
                name="ask_contract_price",
            ),
            models.Index(
                fields=["chain", "price_key", "nft"],
                include=["id", *_OFFER, "market"],
                condition=_ACTIVE,
                name="ask_chain_price",
            ),
            models.Index(
                fields=["contract", "market", "price_key", "nft"],
                include=["id", *_OFFER],
                condition=_ACTIVE,
                name="ask_contract_market",
            ),
            models.Index(
                fields=["chain", "market", "price_key", "nft"],
                include=["id", *_OFFER],
                condition=_ACTIVE,
                name="ask_chain_market",
            ),
            models.Index(
                fields=["contract", "currency", "price", "nft"],
                include=_LIVENESS,
                condition=_ACTIVE,
                name="ask_contract_currency",
            ),
            models.Index(
                fields=["chain", "currency", "price", "nft"],
                include=_LIVENESS,
                condition=_ACTIVE,
                name="ask_chain_currency",
            ),
            models.Index(
                fields=["nft", "currency", "price"],
                include=_LIVENESS,
                condition=_ACTIVE,
                name="ask_nft_currency",
            ),
            models.Index(
                fields=["nft", "market"],
                include=["id", "valid_from", "valid_until"],
                condition=_ACTIVE,
                name="ask_nft_market",
            ),
            models.Index(fields=["valid_until"], condition=_ACTIVE, name="ask_expiry"),
        ]

    def __str__(self) -> str:
        return f"{self.nft} for {self.price.normalize():f} {self.currency}"
