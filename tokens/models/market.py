"""On which marketplaces an NFT trades, and which wide holder has it, as posting lists in the order of each sort key."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.db.fields import KeyField
from core.db.keys import NEVER
from tokens.models.chain import Chain, Market
from tokens.models.contract import Contract
from tokens.models.nft import UNKNOWN_RARITY_KEY, Nft

ANYWHERE = 0
"""In place of a marketplace: the posting that each NFT with asks has once, whatever the marketplaces of these."""


def held_by(holder_id: int) -> int:
    """Return what stands in place of a marketplace in the postings of the NFTs that a wide holder has."""
    return -2 * holder_id


def with_asks(held: int) -> int:
    """Return what does in further postings of those of them that have asks; ``held`` as of :func:`held_by`."""
    return held - 1


class NftMarket(models.Model):
    """Posting of an NFT under a marketplace, or under what is no marketplace's row: hence no constraint on it.

    That is :data:`ANYWHERE`, or a ``WideHolder`` (:func:`held_by`) that has the NFT, as far as it is known who has it.

    ``traded``: it was transferred there (or is stated to have been), for good. Otherwise it only has asks there, and
    a query looks whether one is live. Contract and chain are copies of the NFT's.
    """

    pk = models.CompositePrimaryKey("nft_id", "market_id")
    nft = models.ForeignKey(Nft, on_delete=models.CASCADE, db_index=False, related_name="market_postings")
    market = models.ForeignKey(
        Market, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="postings"
    )
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    traded = models.BooleanField(default=False)
    recent_key = KeyField(max_length=22, default=NEVER)
    token_key = KeyField(max_length=80)
    rarity_key = models.FloatField(default=UNKNOWN_RARITY_KEY)

    class Meta:
        verbose_name = "marketplace of an NFT"
        verbose_name_plural = "marketplaces of NFTs"
        indexes: ClassVar = [
            models.Index(
                fields=["market", "contract", "recent_key", "nft"], name="nft_market_contract_recent"
            ),
            models.Index(fields=["market", "contract", "token_key", "nft"], name="nft_market_contract_token"),
            models.Index(
                fields=["market", "contract", "rarity_key", "nft"], name="nft_market_contract_rarity"
            ),
            models.Index(fields=["market", "chain", "recent_key", "nft"], name="nft_market_chain_recent"),
            models.Index(fields=["market", "chain", "token_key", "nft"], name="nft_market_chain_token"),
            models.Index(fields=["market", "chain", "rarity_key", "nft"], name="nft_market_chain_rarity"),
        ]

    def __str__(self) -> str:
        return f"{self.nft_id} on {self.market_id}"
