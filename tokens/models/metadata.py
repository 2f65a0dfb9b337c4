"""Metadata from off-chain: the work of fetching it, the documents as they came, and what is to be read again."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.faults import FaultField
from core.db.fields import KeyField
from tokens.models.chain import Chain
from tokens.models.contract import Contract
from tokens.models.nft import Nft


class MetadataFetch(models.Model):
    """Where the work on one NFT's metadata stands.

    A row is due once ``next_attempt_at`` has come; none: it is not read again by itself. Who claims a row moves that
    time behind the end of the lease and leaves a token of its own in ``lease``; a result counts only while the token
    stands, so that the result of a worker thought dead, or of before a reorganisation, changes nothing. What was
    ``asked_again`` meanwhile is written, and read once more.
    """

    class State(models.TextChoices):
        """What the last attempt found."""

        PENDING = "pending", "not read yet, or asked for again"
        READY = "ready", "read"
        UNREVEALED = "unrevealed", "the contract names no document yet, or one that is not there yet"
        UNUSABLE = "unusable", "what came is no metadata, such as an error's message, and is tried again"
        ABSENT = "absent", "the contract knows no such token"
        UNREACHABLE = "unreachable", "a node, gateway or server does not answer"
        GONE = "gone", "there is no usable document, and trying again would not change that"

    nft = models.OneToOneField(
        Nft, primary_key=True, on_delete=models.CASCADE, db_constraint=False, related_name="metadata_fetch"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="+"
    )
    chain = models.ForeignKey(
        Chain, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="+"
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="in a row that did not end in a document"
    )
    next_attempt_at = models.DateTimeField(null=True, blank=True)
    lease = KeyField(max_length=32, blank=True, default="", help_text="token of the worker that is at it")
    asked_again = models.BooleanField(default=False, help_text="asked for while a worker was at it")
    fault = FaultField(blank=True, default="", help_text="why the last attempt gave no document")
    tried_at = models.DateTimeField(null=True, blank=True, help_text="end of the last attempt")

    class Meta:
        verbose_name = "metadata fetch"
        verbose_name_plural = "metadata fetches"
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at", "nft"],
                condition=models.Q(next_attempt_at__isnull=False),
                name="metadata_due",
            ),
            # What is new, which does not wait behind all that is read again.
            models.Index(
                fields=["next_attempt_at", "nft"],
                condition=models.Q(next_attempt_at__isnull=False, tried_at__isnull=True),
                name="metadata_new_due",
            ),
            models.Index(fields=["state", "nft"], name="metadata_state"),
            models.Index(
                fields=["contract", "next_attempt_at"],
                condition=models.Q(next_attempt_at__isnull=False),
                name="metadata_contract_due",
            ),
            models.Index(
                fields=["chain", "next_attempt_at", "nft"],
                condition=models.Q(next_attempt_at__isnull=False),
                name="metadata_chain_due",
            ),
            # What a chain's reorganisation may have made wrong.
            models.Index(
                fields=["chain", "tried_at"],
                condition=models.Q(tried_at__isnull=False),
                name="metadata_tried",
            ),
            models.Index(fields=["chain"], condition=models.Q(lease__gt=""), name="metadata_held"),
        ]

    def __str__(self) -> str:
        return f"metadata of {self.nft}: {self.state}"


class MetadataDocument(models.Model):
    """The document that an NFT's metadata was read from, byte for byte as it came."""

    nft = models.OneToOneField(
        Nft, primary_key=True, on_delete=models.CASCADE, related_name="metadata_document"
    )
    url = models.TextField(help_text="where it was found; of a data: URI the first characters")
    body = models.BinaryField()
    media_type = models.CharField(max_length=200, blank=True, default="", help_text="as its server claimed")
    block_number = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="the block at which the contract was asked for its URI"
    )
    fetched_at = models.DateTimeField()

    class Meta:
        verbose_name = "metadata document"

    def __str__(self) -> str:
        return f"metadata document of {self.nft}"


class MetadataRefresh(models.Model):
    """A range of a contract's tokens whose metadata is to be read again; workers turn it into work bit by bit.

    So an event that names a whole collection of a million NFTs (EIP-4906) costs the indexer one row.
    """

    contract = models.ForeignKey(
        Contract, on_delete=models.CASCADE, db_constraint=False, related_name="metadata_refreshes"
    )
    next_key = KeyField(max_length=80, help_text="token key to go on with")
    last_key = KeyField(max_length=80, help_text="last token key of the range, included")
    by_hand = models.BooleanField(default=False, help_text="asked for by an operator, not by the contract")
    reason = models.TextField(blank=True, default="")
    requested_at = models.DateTimeField()

    class Meta:
        verbose_name = "metadata refresh"
        verbose_name_plural = "metadata refreshes"

    def __str__(self) -> str:
        return f"metadata of {self.contract}: {self.next_key} to {self.last_key}"
