"""Pictures that stand for collections, as they may be shown now."""

from __future__ import annotations

from collections.abc import Iterable

from media.links import Links
from media.models import CachedImage
from tokens.models import Nft

_HIDDEN = CachedImage.State.WITHHELD


def covers(nft_ids: Iterable[int | None], links: Links) -> dict[int, str]:
    """Return the addresses of the previews of some NFTs' pictures, those that are withheld left out; by one query."""
    ids = [one for one in nft_ids if one is not None]
    if not ids:
        return {}
    rows = Nft.objects.filter(
        pk__in=ids, media_withheld=False, contract__media_withheld=False, image__preview_path__gt=""
    ).values_list("pk", "image__state", "media__state", "image__preview_path")
    shown = {row[0]: links.rendition(row[3]) for row in rows if _HIDDEN not in row[1:3]}
    return {row_id: url for row_id, url in shown.items() if url is not None}
