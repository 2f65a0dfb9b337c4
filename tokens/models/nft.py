"""NFTs: a wide row that seldom changes, and a narrow one that every transfer touches."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField
from core.db.keys import NEVER, token_id_from_key
from media.models import CachedImage
from tokens.models.chain import Chain
from tokens.models.contract import Contract

UNKNOWN_RARITY_KEY = 1e308
"""Rarity key of an NFT whose rarity is not known: sorts last."""

_UNMARKED = models.Q(marked=False)
_TRANSFERRED = models.Q(transferred=True)
_MINT = models.Q(token_key__gte=NEVER)


class Nft(models.Model):
    """An NFT and what is known of it off-chain. Sort keys are never null and ascend."""

    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="nfts"
    )
    contract = models.ForeignKey(Contract, on_delete=models.PROTECT, db_index=False, related_name="nfts")
    token_key = KeyField(max_length=80, help_text="length-prefixed decimal, or ~ and the mint")
    uri = models.TextField(null=True, blank=True)
    metadata = models.TextField(null=True, blank=True, help_text="JSON object, byte for byte as given")
    native = models.TextField(null=True, blank=True, help_text="JSON, byte for byte as given")
    image = models.ForeignKey(
        CachedImage, null=True, blank=True, on_delete=models.SET_NULL, related_name="nfts"
    )
    media = models.ForeignKey(
        CachedImage,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="animated",
        db_index=False,
        help_text="its animation, where its bytes have to tell of what type it is",
    )
    rarity = models.FloatField(null=True, blank=True)
    rarity_key = models.FloatField(default=UNKNOWN_RARITY_KEY, help_text="-rarity")
    rank = models.FloatField(null=True, blank=True)
    stated_minter = KeyField(max_length=64, null=True, blank=True)
    minter = KeyField(max_length=64, null=True, blank=True, help_text="sender of the minting transaction")
    stated_markets = models.TextField(null=True, blank=True, help_text="JSON list of slugs")
    own_marked = models.BooleanField(default=False, help_text="marked itself")
    marked_reason = models.TextField(null=True, blank=True)
    marked = models.BooleanField(default=False, help_text="marked itself or through its contract")
    media_withheld = models.BooleanField(
        default=False, db_default=False, help_text="an operator keeps its images from being served"
    )
    withheld_reason = models.TextField(null=True, blank=True, help_text="why, as the operator said")
    transferred = models.BooleanField(default=False, help_text="has at least one transfer")
    stated = models.BooleanField(
        default=False,
        db_default=False,
        help_text="another source than the chain names it: it stays whatever becomes of its transfers",
    )

    class Meta:
        verbose_name = "NFT"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["contract", "token_key"], name="nft_unique"),
            models.UniqueConstraint(fields=["chain", "token_key"], condition=_MINT, name="nft_mint_unique"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["contract", "rarity_key", "id"], name="nft_contract_rarity"),
            models.Index(fields=["chain", "token_key", "id"], name="nft_chain_token"),
            models.Index(fields=["chain", "rarity_key", "id"], name="nft_chain_rarity"),
            models.Index(
                fields=["token_key", "rarity_key", "id"], include=["chain", "marked"], name="nft_token"
            ),
            models.Index(
                fields=["contract", "token_key", "id"],
                condition=_UNMARKED,
                name="nft_contract_token_unmarked",
            ),
            models.Index(
                fields=["contract", "rarity_key", "id"],
                condition=_UNMARKED,
                name="nft_contract_rarity_unmarked",
            ),
            models.Index(
                fields=["chain", "token_key", "id"], condition=_UNMARKED, name="nft_chain_token_unmarked"
            ),
            models.Index(
                fields=["chain", "rarity_key", "id"], condition=_UNMARKED, name="nft_chain_rarity_unmarked"
            ),
            models.Index(
                fields=["contract", "token_key"], condition=_TRANSFERRED, name="nft_contract_token_moved"
            ),
            models.Index(
                fields=["contract", "rarity_key", "id"],
                condition=_TRANSFERRED,
                name="nft_contract_rarity_moved",
            ),
            models.Index(fields=["id"], condition=models.Q(own_marked=True), name="nft_own_marked"),
            models.Index(
                fields=["contract", "token_key"],
                condition=models.Q(own_marked=True),
                name="nft_contract_own_marked",
            ),
            models.Index(fields=["media"], condition=models.Q(media__isnull=False), name="nft_media"),
        ]

    def __str__(self) -> str:
        return f"{self.contract} #{self.token_id}"

    @property
    def token_id(self) -> str:
        """The token id in its canonical form: plain decimal or base58."""
        return token_id_from_key(self.token_key)


class NftRecent(models.Model):
    """What every transfer of an NFT changes, kept apart from the wide row and its many indexes.

    Contract and chain are copies of the NFT's, here as in every table below it, and have no constraints of their own:
    the NFT has, and checking each copy again took a fifth of the time of a load. Nor has the NFT itself, here and
    wherever rows are written as fast as transfers come: ids of NFTs are looked up, used and deleted within
    ``writing()`` alone, and looking up each again, and locking it, took a seventh of the database's time of indexing.
    """

    nft = models.OneToOneField(
        Nft, primary_key=True, on_delete=models.CASCADE, db_constraint=False, related_name="recent"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    token_key = KeyField(max_length=80, help_text="a copy of the NFT's")
    recent_key = KeyField(max_length=22, default=NEVER, help_text="recency key of the last transfer")
    last_transfer_id = models.BigIntegerField(null=True, blank=True)
    markets = models.TextField(default="[]", help_text="JSON list of the slugs it was transferred on, sorted")
    owners_total = models.PositiveBigIntegerField(null=True, blank=True, help_text="holders; none: not known")
    marked = models.BooleanField(default=False, help_text="a copy of the NFT's effective mark")

    class Meta:
        verbose_name = "last transfer of an NFT"
        verbose_name_plural = "last transfers of NFTs"
        indexes: ClassVar = [
            models.Index(fields=["contract", "recent_key", "nft"], name="recent_contract"),
            models.Index(fields=["chain", "recent_key", "nft"], name="recent_chain"),
            # A token id without a contract: what most contracts have is not read whole.
            models.Index(
                fields=["token_key", "recent_key", "nft"], include=["chain", "marked"], name="recent_token"
            ),
            models.Index(
                fields=["contract", "recent_key", "nft"], condition=_UNMARKED, name="recent_contract_unmarked"
            ),
            models.Index(
                fields=["chain", "recent_key", "nft"], condition=_UNMARKED, name="recent_chain_unmarked"
            ),
        ]

    def __str__(self) -> str:
        return f"last transfer of {self.nft_id}"


class StatedOwnership(models.Model):
    """Owners of an NFT as a source stated them, as of a block or a time; later transfers apply on top.

    ``pending`` until the file that stated them is loaded: they are then as of the NFT's newest transfer.
    """

    nft = models.OneToOneField(
        Nft, primary_key=True, on_delete=models.CASCADE, related_name="stated_ownership"
    )
    owners = models.TextField(help_text="JSON list of owner entries")
    as_of_block = models.PositiveBigIntegerField(null=True, blank=True)
    as_of = models.PositiveBigIntegerField(null=True, blank=True, help_text="Unix seconds")
    pending = models.BooleanField(default=False)

    class Meta:
        verbose_name = "stated owners"
        verbose_name_plural = "stated owners"
        indexes: ClassVar = [
            models.Index(fields=["nft"], condition=models.Q(pending=True), name="stated_ownership_pending")
        ]

    def __str__(self) -> str:
        return f"stated owners of {self.nft}"
