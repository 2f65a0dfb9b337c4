"""Takedowns of NFTs and contracts: none of their media is served, and what was cached for them alone goes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.db.writing import writing
from media import withholding
from media.models import CachedImage
from tokens.models import Contract, Nft

TOGETHER = 500
"""Images looked at in one transaction."""


def withhold_nfts(nft_ids: Sequence[int], reason: str) -> int:
    """Have the media of NFTs served no longer; return how many. Within ``writing()``; ``delete_doomed`` must follow."""
    count = Nft.objects.filter(id__in=nft_ids).update(media_withheld=True, withheld_reason=reason)
    images = Nft.objects.filter(id__in=nft_ids, image__isnull=False).values_list("image_id", flat=True)
    withholding.take_away(_for_these_alone({one for one in images if one is not None}))
    return count


def release_nfts(nft_ids: Sequence[int]) -> int:
    """Have the media of NFTs served again, as far as contracts and contents are not withheld. Within ``writing()``."""
    count = Nft.objects.filter(id__in=nft_ids).update(media_withheld=False, withheld_reason=None)
    _put_back(Nft.objects.filter(id__in=nft_ids, contract__media_withheld=False))
    return count


def withhold_contracts(contract_ids: Sequence[int], reason: str) -> None:
    """Have the media of contracts' NFTs served no longer: at once in records. Within ``writing()``.

    :func:`apply_pending` does what must follow for their cached images.
    """
    chosen = Contract.objects.filter(id__in=contract_ids)
    chosen.filter(media_withheld=False).update(media_withheld=True, media_pending=True)
    chosen.update(withheld_reason=reason)


def release_contracts(contract_ids: Sequence[int]) -> None:
    """Have the media of contracts' NFTs served again, as :func:`withhold_contracts` has them served no longer."""
    changed = Contract.objects.filter(id__in=contract_ids, media_withheld=True)
    changed.update(media_withheld=False, withheld_reason=None, media_pending=True)


def apply_pending(contract_ids: Iterable[int] | None = None) -> int:
    """Finish takedowns of contracts, all that are pending or those of some; return how many there were.

    Each part is a transaction of its own; may be killed and repeated.
    """
    pending = Contract.objects.filter(media_pending=True).order_by("id")
    if contract_ids is not None:
        pending = pending.filter(id__in=contract_ids)
    ids = list(pending.values_list("id", flat=True))
    for contract_id in ids:
        _follow(contract_id)
    return len(ids)


def _follow(contract_id: int) -> None:
    withheld = Contract.objects.values_list("media_withheld", flat=True).get(id=contract_id)
    for ids in _images_of(contract_id):
        with writing():
            if withheld:
                withholding.take_away(_for_these_alone(set(ids)))
            else:
                _put_back(
                    Nft.objects.filter(
                        Q(image_id__in=ids) | Q(media_id__in=ids),
                        contract_id=contract_id,
                        media_withheld=False,
                        contract__media_withheld=False,
                    )
                )
        withholding.delete_doomed()
    # Unless it was changed meanwhile: then there is all to do again.
    Contract.objects.filter(id=contract_id, media_withheld=withheld).update(media_pending=False)


def _images_of(contract_id: int) -> Iterator[list[int]]:
    """Yield the ids of a contract's images in parts, by the token keys of its NFTs."""
    key = ""
    while True:
        nfts = Nft.objects.filter(contract_id=contract_id, token_key__gt=key).order_by("token_key")
        rows = list(nfts.values_list("token_key", "image_id", "media_id")[:TOGETHER])
        if not rows:
            return
        key = rows[-1][0]
        yield sorted({one for row in rows for one in row[1:] if one is not None})


def _put_back(nfts: QuerySet[Nft]) -> None:
    withholding.put_back(
        {one for row in nfts.values_list("image_id", "media_id") for one in row if one is not None}
    )


def _for_these_alone(image_ids: Collection[int]) -> list[int]:
    """Return which of the images no NFT shows that may still be shown."""
    return list(
        CachedImage.objects.filter(id__in=image_ids).exclude(Exists(_showing())).values_list("id", flat=True)
    )


def _showing() -> QuerySet[Nft]:
    return Nft.objects.filter(image=OuterRef("pk"), media_withheld=False, contract__media_withheld=False)
