"""Contracts and collections."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField
from tokens.models.chain import Chain


class Contract(models.Model):
    """An NFT contract on an EVM chain, or a collection on a mint-identified chain.

    A mint-identified chain has one row with an empty address for the NFTs that belong to no collection.
    """

    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, db_index=False, related_name="contracts")
    address = KeyField(max_length=64, blank=True, help_text="lower case on EVM chains, as written elsewhere")
    folded_address = KeyField(
        max_length=64, blank=True, help_text="lower case, to find a base58 address by letters"
    )
    standard = models.CharField(
        max_length=40, blank=True, default="", help_text="ERC721, ERC1155, CryptoPunks, …"
    )
    name = models.TextField(null=True, blank=True)
    symbol = models.TextField(null=True, blank=True)
    ens_name = KeyField(max_length=255, null=True, blank=True)
    marked = models.BooleanField(default=False, help_text="spam, stolen, delisted…, as set by an operator")
    marked_reason = models.TextField(null=True, blank=True)
    marks_pending = models.BooleanField(
        default=False, help_text="the mark has changed and its NFTs are being brought into line, in batches"
    )
    media_withheld = models.BooleanField(
        default=False,
        db_default=False,
        help_text="an operator keeps the images of its NFTs from being served",
    )
    withheld_reason = models.TextField(null=True, blank=True, help_text="why, as the operator said")
    media_pending = models.BooleanField(
        default=False,
        db_default=False,
        help_text="that has changed and cached images are being brought into line",
    )
    stated = models.TextField(
        default="",
        db_default="",
        blank=True,
        help_text="which of standard, name and symbol another source than the chain stated",
    )
    nft_count = models.PositiveBigIntegerField(default=0, help_text="known NFTs")
    rarity_computed = models.BooleanField(
        default=False, help_text="rarity comes from compute_rarity; stated trait frequencies no longer hold"
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["address", "chain"], name="contract_unique")]
        indexes: ClassVar = [
            models.Index(fields=["chain", "id"], name="contract_by_chain"),
            models.Index(fields=["chain", "nft_count", "id"], name="contract_by_size"),
            models.Index(fields=["folded_address"], name="contract_by_folded_address"),
            models.Index(
                fields=["ens_name"], condition=models.Q(ens_name__isnull=False), name="contract_by_ens_name"
            ),
            models.Index(
                fields=["id"], condition=models.Q(marks_pending=True), name="contract_marks_pending"
            ),
            models.Index(fields=["id"], condition=models.Q(marked=True), name="contract_marked"),
            models.Index(fields=["id"], condition=models.Q(media_withheld=True), name="contract_withheld"),
            models.Index(
                fields=["id"], condition=models.Q(media_pending=True), name="contract_media_pending"
            ),
        ]

    def __str__(self) -> str:
        return self.address or "(no collection)"
