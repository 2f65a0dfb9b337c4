"""What the pages show of NFTs beside their records: the collection's name, a mark and its reason, a small picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from core.db.keys import token_id_from_key
from core.rest.states import shown
from media.links import Links
from media.models import CachedImage
from tokens.models import Nft

Identity = tuple[str, str, str]
"""Chain, contract's address (blank without a collection) and token id, as a record has them."""


class Beside(NamedTuple):
    """What lies beside one NFT's record. ``mark`` says why it is marked, ``None`` where it is not."""

    collection: str
    mark: str | None
    thumbnail: str | None


NOTHING = Beside("", None, None)


def beside(nft_ids: Sequence[int], links: Links) -> dict[Identity, Beside]:
    """Return what lies beside the records of some NFTs, by one statement."""
    return beside_rows(Nft.objects.filter(pk__in=nft_ids), links)


def beside_rows(rows: QuerySet[Any, Any], links: Links, nft: str = "") -> dict[Identity, Beside]:
    """Return the same of the NFTs of a query, to which ``nft`` is the way from its rows (``nft__``)."""
    columns = (
        *("chain__slug", "contract__address", "token_key", "contract__name"),
        *("own_marked", "marked_reason", "contract__marked", "contract__marked_reason"),
        *("media_withheld", "contract__media_withheld", "image__state", "image__thumbnail_path"),
    )
    found = rows.values_list(*(nft + column for column in columns))
    return {(row[0], row[1], token_id_from_key(row[2])): _beside(row, links) for row in found}


def identity(record: Mapping[str, Any]) -> Identity:
    """Return what a record is known by."""
    return record["chain"], record.get("contractAddress") or "", record["tokenId"]


def _beside(row: Sequence[Any], links: Links) -> Beside:
    name, own, reason, whole, whole_reason, withheld, all_withheld, state, path = row[3:]
    mark = (reason or "") if own else (whole_reason or "") if whole else None
    is_hidden = withheld or all_withheld or state == CachedImage.State.WITHHELD
    return Beside(
        shown(name or row[1] or "no collection"),
        None if mark is None else shown(mark, 200),
        links.rendition(None if is_hidden else path),
    )
