"""What of an NFT's record seldom changes, as it was rendered when it was written."""

from __future__ import annotations

from django.db import models

from tokens.models.nft import Nft


class NftRendering(models.Model):
    """Parts of an NFT's record as JSON text, of which an answer is put together (:mod:`tokens.records.rendered`).

    ``digest`` is of everything that they were made of, so that parts of what has changed since are never shown. An NFT
    without a row, or with one that is out of date, is shown all the same, at ten times the cost.
    """

    nft = models.OneToOneField(
        Nft, primary_key=True, on_delete=models.CASCADE, db_constraint=False, related_name="rendering"
    )
    digest = models.CharField(max_length=32, help_text="of what the parts were made of")
    parts = models.TextField(help_text="JSON texts, apart by control characters")

    class Meta:
        verbose_name = "rendering of an NFT"
        verbose_name_plural = "renderings of NFTs"

    def __str__(self) -> str:
        return f"rendering of {self.nft_id}"
