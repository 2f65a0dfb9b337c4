"""Which cached images NFTs refer to and show, told to the room that keeps them (`IMAGE_USES` in the settings)."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef

from media.models import CachedImage
from media.uses import Uses
from tokens.models import Nft
from tokens.store.withholding import apply_pending


def referred(image_ids: Collection[int]) -> set[int]:
    """Return which images some NFT has, as its picture or as what it plays."""
    return _of(image_ids)


def shown(image_ids: Collection[int]) -> set[int]:
    """Return which images some NFT has whose media is not withheld, nor its contract's."""
    return _of(image_ids, media_withheld=False, contract__media_withheld=False)


def _of(image_ids: Collection[int], **conditions: bool) -> set[int]:
    found: set[int] = set()
    for name in ("image", "media"):
        nfts = Nft.objects.filter(**{name: OuterRef("pk")}, **conditions)
        rows = CachedImage.objects.filter(Exists(nfts), id__in=image_ids)
        found.update(rows.values_list("id", flat=True))
    return found


USES = Uses(referred, shown, apply_pending)
