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
_LINE = ["start_price", "end_price", "price_from", "price_until"]
"""Read with every ask that is shown."""
CHANGING = _ACTIVE & (models.Q(price__lt=models.F("end_price")) | models.Q(price__gt=models.F("end_price")))
"""Of an ask whose price changes with time, and had not come to its end by the last tick."""
CHECKED = _ACTIVE | models.Q(reason__in=["no-approval", "transfer-refused"])
"""Of an ask that contracts are asked about in turn: it is live, or would be if they said otherwise."""


class Ask(models.Model):
    """An ask, known by its chain, marketplace and order hash.

    Live means ``active`` and ``valid_from`` <= now < ``valid_until`` at the moment of the request. What was stated or
    told by the chain stands in its own columns; ``amount``, ``status``, ``reason``, ``active`` and ``sole`` follow from
    it, from fills, order events, ownership and approvals (``transfers.ledger.ask_states``). ``sole``: active, and no
    other ask of its NFT is, so that it alone decides the NFT's place by price. Contract and chain are copies of the
    NFT's.
    """

    class Status(models.TextChoices):
        """What became of it; one that is filled or cancelled is not reopened by a statement."""

        OPEN = "open"
        FILLED = "filled"
        CANCELLED = "cancelled"

    class Reason(models.TextChoices):
        """Why it is not live. That it is too early or too late for it, only the moment of a request tells."""

        FILLED = "filled", "it was filled"
        CANCELLED = "cancelled", "it was cancelled"
        COUNTER = "counter", "its maker ended it with others, by a counter or nonce"
        NOT_OWNER = "not-owner", "who must hold the NFT does not"
        NO_APPROVAL = "no-approval", "the market is not approved to move the NFT"
        REFUSED = "transfer-refused", "the NFT's contract refuses to let the market move it"
        PRIVATE = "private", "it is for one buyer alone"
        GONE = "gone-from-source", "its source shows it no more"

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
    price = Decimal18Field(
        help_text="whole units of the currency, for one unit of the token; of a price that changes, as of the last tick"
    )
    price_key = KeyField(
        max_length=110, help_text="value at the newest rates; unrated currencies sort behind"
    )
    start_price = Decimal18Field(null=True, blank=True, help_text="of a price that changes, at its beginning")
    end_price = Decimal18Field(null=True, blank=True, help_text="of a price that changes, from its end on")
    price_from = models.BigIntegerField(null=True, blank=True, help_text="Unix seconds")
    price_until = models.BigIntegerField(null=True, blank=True, help_text="Unix seconds")
    stated_amount = Uint256Field(null=True, blank=True, help_text="units left, as stated")
    stated_status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    reflects = models.TextField(
        default="",
        blank=True,
        help_text="JSON: the transactions whose fills the stated amount is less already; empty: not worked out yet",
    )
    amount = Uint256Field(null=True, blank=True, help_text="units left")
    offered = Uint256Field(
        null=True, blank=True, help_text="units that the order sells in all, those sold already included"
    )
    lot = Uint256Field(null=True, blank=True, help_text="units that are only sold together")
    maker = KeyField(max_length=64, null=True, blank=True)
    taker = KeyField(max_length=64, null=True, blank=True, help_text="the only one who may buy")
    holder = KeyField(
        max_length=64, null=True, blank=True, help_text="who must hold the NFT, where that is not the maker"
    )
    operator = KeyField(
        max_length=64, null=True, blank=True, help_text="who must be approved to move the NFT"
    )
    approved = models.BooleanField(
        null=True,
        blank=True,
        help_text="whether that one is, as was stated; what the chain says of it counts more",
    )
    exchange = KeyField(max_length=64, null=True, blank=True, help_text="the contract that would fill it")
    nonce = Uint256Field(
        null=True, blank=True, help_text="counter or nonce, by which a maker ends many at once"
    )
    wakes = models.BooleanField(
        default=True,
        help_text="it comes back once the NFT or the approval does, as its exchange would fill it",
    )
    source = models.CharField(max_length=40, default="load", help_text="who told of it")
    seen_at = models.BigIntegerField(
        null=True, blank=True, help_text="when its source last told something new of it, Unix seconds"
    )
    gone_at = models.BigIntegerField(
        null=True, blank=True, help_text="when its source was found to show it no more, Unix seconds"
    )
    opened_block = models.BigIntegerField(null=True, blank=True, help_text="of the log that opened it")
    opened_log = models.BigIntegerField(null=True, blank=True)
    valid_from = models.BigIntegerField(default=0, help_text="Unix seconds")
    valid_until = models.BigIntegerField(default=FOREVER, help_text="Unix seconds, exclusive")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    reason = models.CharField(max_length=20, choices=Reason.choices, default="", blank=True)
    active = models.BooleanField(default=True)
    sole = models.BooleanField(default=False, help_text="the only active ask of its NFT")
    check_at = models.BigIntegerField(
        default=0,
        help_text="when contracts are to be asked about it again, Unix seconds; 0: they were not yet",
    )

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
                include=[*_OFFER, "market", *_LINE],
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
            models.Index(fields=["reason"], condition=models.Q(active=False), name="ask_reason"),
            models.Index(
                fields=["maker", "exchange", "nonce"],
                condition=models.Q(exchange__isnull=False),
                name="ask_maker_exchange",
            ),
            models.Index(
                fields=["maker", "operator", "contract"],
                condition=models.Q(operator__isnull=False),
                name="ask_maker_operator",
            ),
            models.Index(
                fields=["chain", "opened_block"],
                condition=models.Q(opened_block__isnull=False),
                name="ask_opened",
            ),
            models.Index(
                fields=["contract", "source", "id"],
                include=["reason", "active", "valid_until"],
                condition=models.Q(seen_at__isnull=False),
                name="ask_source",
            ),
            models.Index(
                fields=["contract", "price_from"], include=["chain"], condition=CHANGING, name="ask_changing"
            ),
            models.Index(fields=["chain", "check_at"], condition=CHECKED, name="ask_check"),
        ]

    def __str__(self) -> str:
        return f"{self.nft} for {self.price.normalize():f} {self.currency}"
