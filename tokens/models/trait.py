"""Traits: the values that a contract's NFTs have, and posting lists of who has them in the order of each sort key."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.db import models

from core.db.fields import KeyField
from core.db.keys import NEVER
from tokens.models.chain import Chain
from tokens.models.contract import Contract
from tokens.models.nft import UNKNOWN_RARITY_KEY, Nft


def label_key(label: str) -> str:
    """Return the key of a label ``<type>-<value>``: 32 hexadecimal digits, since labels may exceed an index row."""
    return hashlib.blake2b(label.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def pair_key(trait_type: str, value: str) -> str:
    """Return the key of a (type, value) pair, which a label does not determine: ``a-b-c`` has two readings."""
    return label_key(f"{len(trait_type)}:{trait_type}-{value}")


APART_KEY = models.Case(
    models.When(joined__isnull=True, then="label_key"), output_field=KeyField(max_length=32)
)
"""A trait's ``label_key`` unless it is joined to another: no condition beside the key, as PostgreSQL would believe that
few are joined, and read and drop them."""

KIND = models.Func(
    models.F("type"), template="substr(%(expressions)s, 1, 60)", output_field=models.TextField()
)
"""The beginning of a trait's type, which fits an index whatever a source wrote there. Without parameters, so that
PostgreSQL knows the index's expression again."""


class TraitValue(models.Model):
    """A (type, value) pair that NFTs of a contract have, with their number.

    Where very many contracts have a pair there is a row of their chain too, whose postings are those of the contracts
    that are ``joined`` to it: one list in place of theirs for queries that name no contract.
    """

    contract = models.ForeignKey(
        Contract, on_delete=models.CASCADE, db_index=False, null=True, blank=True, related_name="trait_values"
    )
    chain = models.ForeignKey(
        Chain,
        on_delete=models.CASCADE,
        db_index=False,
        null=True,
        blank=True,
        related_name="+",
        help_text="of a row that is no contract's",
    )
    joined = models.BigIntegerField(
        null=True, blank=True, help_text="id of the chain's row that has all postings of this one too"
    )
    type = models.TextField(blank=True, help_text="empty for an untyped trait")
    value = models.TextField(blank=True, help_text="text of the value, as queries compare it")
    label_key = KeyField(max_length=32, help_text="digest of <type>-<value>")
    pair_key = KeyField(max_length=32, help_text="digest of the pair")
    count = models.PositiveBigIntegerField(default=0, help_text="NFTs that have it")

    class Meta:
        verbose_name = "trait"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["contract", "pair_key"], name="trait_value_unique"),
            models.UniqueConstraint(
                fields=["chain", "pair_key"],
                condition=models.Q(chain__isnull=False),
                name="trait_value_of_chain",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["label_key", "contract"], name="trait_value_label"),
            models.Index(APART_KEY, name="trait_value_apart"),
            # The most frequent values of each type of a contract.
            models.Index("contract", KIND, models.F("count").desc(), "id", name="trait_value_frequent"),
        ]

    def __str__(self) -> str:
        return f"{self.type}-{self.value}"


class NftTrait(models.Model):
    """Posting of an NFT under a trait value, in the orders that transfers do not change."""

    pk = models.CompositePrimaryKey("nft_id", "trait_id")
    nft = models.ForeignKey(Nft, on_delete=models.CASCADE, db_index=False, related_name="traits")
    trait = models.ForeignKey(TraitValue, on_delete=models.CASCADE, db_index=False, related_name="postings")
    token_key = KeyField(max_length=80)
    rarity_key = models.FloatField(default=UNKNOWN_RARITY_KEY)

    class Meta:
        verbose_name = "trait of an NFT"
        verbose_name_plural = "traits of NFTs"
        indexes: ClassVar = [
            models.Index(fields=["trait", "token_key", "nft"], name="nft_trait_token"),
            models.Index(fields=["trait", "rarity_key", "nft"], name="nft_trait_rarity"),
        ]

    def __str__(self) -> str:
        return f"{self.nft_id} has {self.trait_id}"


class NftTraitRecent(models.Model):
    """Posting of an NFT under a trait value, most recent first: narrow, since every transfer rewrites it.

    Its rows are those of :class:`NftTrait`, written with them, whose foreign keys are checked there once.
    """

    pk = models.CompositePrimaryKey("nft_id", "trait_id")
    nft = models.ForeignKey(
        Nft, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="+"
    )
    trait = models.ForeignKey(
        TraitValue, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="+"
    )
    recent_key = KeyField(max_length=22, default=NEVER)

    class Meta:
        verbose_name = "trait of an NFT by last transfer"
        verbose_name_plural = "traits of NFTs by last transfer"
        indexes: ClassVar = [models.Index(fields=["trait", "recent_key", "nft"], name="nft_trait_recent")]

    def __str__(self) -> str:
        return f"{self.nft_id} has {self.trait_id}"
