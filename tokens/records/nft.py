"""The NFT record (specification, NFT record) from plain rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string
from orjson import Fragment

from core.chains import ChainKind, nobody
from core.db.keys import token_id_from_key
from core.db.statements import rows_where
from core.net.http.data_uris import is_data_uri
from core.rest.records import Record, Records, number, present, texts, third_party_json
from media.links import Links
from media.models import CachedImage
from tokens.models import Nft
from tokens.prices.currency_worths import NOTHING_DUE, DueRates
from tokens.records.beside import beside
from tokens.records.metadata import Pictures, metadata_record, uri_record
from tokens.records.owners import MAX_OWNERS
from tokens.records.rendered import Rendered, digest_of, metadata_text, parts_of, trait_ids_of, uri_text
from tokens.records.traits import Counts, Population, trait_counts
from tokens.records.withheld import Hidden


class NftRow(NamedTuple):
    """What is read of an NFT, in the order of :data:`COLUMNS`."""

    id: int
    chain: str
    chain_kind: str
    contract_address: str
    contract_standard: str
    nft_count: int
    rarity_computed: bool
    token_key: str
    uri: str | None
    metadata: str | None
    native: str | None
    rarity: float | None
    rank: float | None
    minter: str | None
    markets: str | None
    owners_total: int | None
    last_transfer_id: int | None
    media_withheld: bool
    contract_media_withheld: bool
    image_state: str | None
    media_state: str | None
    image_type: str | None
    found_media_type: str | None
    original_path: str | None
    preview_path: str | None
    thumbnail_path: str | None
    contract_id: int
    digest: str | None
    parts: str | None


_ELSEWHERE = {
    "chain": "chain__slug",
    "chain_kind": "chain__kind",
    "contract_address": "contract__address",
    "contract_standard": "contract__standard",
    "nft_count": "contract__nft_count",
    "rarity_computed": "contract__rarity_computed",
    "markets": "recent__markets",
    "owners_total": "recent__owners_total",
    "last_transfer_id": "recent__last_transfer_id",
    "contract_media_withheld": "contract__media_withheld",
    "image_state": "image__state",
    "media_state": "media__state",
    "image_type": "image__media_type",
    "found_media_type": "media__media_type",
    "original_path": "image__original_path",
    "preview_path": "image__preview_path",
    "thumbnail_path": "image__thumbnail_path",
    "digest": "rendering__digest",
    "parts": "rendering__parts",
}
COLUMNS = tuple(_ELSEWHERE.get(name, name) for name in NftRow._fields)


@dataclass(slots=True)
class Side:
    """What belongs to one NFT but lies in other tables."""

    owners: list[Record] = field(default_factory=list)
    trait_counts: Counts = field(default_factory=dict)
    counts_by_id: Mapping[str, int] = field(default_factory=dict)
    rendered: Rendered | None = None
    asks: list[str] = field(default_factory=list)
    last_transfer: Record | None = None


def _nfts(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Nft.objects.filter(pk__in=ids).values_list(*COLUMNS)


def nft_rows(nft_ids: Sequence[int]) -> list[NftRow]:
    """Return the rows of NFTs in the given order. Ids that do not exist are left out."""
    rows = {row.id: row for row in map(NftRow._make, rows_where(_nfts, ids=list(nft_ids)))}
    return [rows[nft_id] for nft_id in nft_ids if nft_id in rows]


def nft_records(
    nft_ids: Sequence[int],
    *,
    now: int,
    links: Links,
    with_last: bool,
    due: DueRates = NOTHING_DUE,
    as_rendered: bool = False,
) -> Records:
    """Return the records of these NFTs in the given order, by at most four queries whatever they hold.

    ``now`` (Unix seconds) decides which asks are live, ``due`` how they compare; ``with_last`` adds each NFT's
    last transfer; ``as_rendered`` takes what was rendered for JSON when it was written, as ``orjson.Fragment``.
    """
    rows = nft_rows(nft_ids)
    described = [row for row in rows if row.metadata]
    rendered = {row.id: parts_of(row.parts or "") for row in described if as_rendered and _is_rendered(row)}
    named = {row_id: trait_ids_of(parts) for row_id, parts in rendered.items()}
    trait_ids = set(chain.from_iterable(named.values()))
    owned = [row.id for row in rows if row.owners_total]
    found = beside(owned, [row.id for row in rows], trait_ids, now, due)
    for row_id in _broken(named, trait_ids - found.counts.keys()):
        del rendered[row_id]
    computed = [row.id for row in described if row.id not in rendered]
    counts = trait_counts(computed) if computed else {}
    last_ids = [row.last_transfer_id for row in rows if row.last_transfer_id] if with_last else []
    last = _read_transfers()(last_ids, links=links) if last_ids else {}
    records = []
    for row in rows:
        side = Side(
            owners=found.owners.get(row.id, []),
            trait_counts=counts.get(row.id, {}),
            counts_by_id=found.counts,
            rendered=rendered.get(row.id),
            asks=found.books.asks.get(row.id, []),
            last_transfer=last.get(row.last_transfer_id or 0),
        )
        records.append(nft_record(row, side, links))
    return Records(records, found.books.first_end)


def _broken(named: Mapping[int, list[str]], gone: Set[str]) -> list[int]:
    """Return the NFTs whose renderings name a trait that is none any more."""
    return [row_id for row_id, ids in named.items() if not gone.isdisjoint(ids)] if gone else []


def _is_rendered(row: NftRow) -> bool:
    """Tell whether an NFT may be shown as it was rendered: nothing of that has changed, and nothing is withheld."""
    made_of = row.contract_id, row.uri, row.metadata, row.native
    return row.parts is not None and not is_withheld(row) and row.digest == digest_of(*made_of)


def _read_transfers() -> Callable[..., dict[int, Record]]:
    """Return what reads transfers as records by id. Where they are kept is not known here."""
    return cast(Callable[..., dict[int, Record]], import_string(settings.API_LAST_TRANSFERS))


def nft_record(row: NftRow, side: Side, links: Links) -> Record:
    """Return the record of one NFT."""
    nowhere = nobody(cast(ChainKind, row.chain_kind))
    total = row.owners_total
    uri, metadata, native = _described(row, side, links)
    return present(
        {
            "chain": row.chain,
            "contractAddress": row.contract_address or None,
            "contractStandard": row.contract_standard or None,
            "tokenId": token_id_from_key(row.token_key),
            "uri": uri,
            "metadata": metadata,
            "owner": side.owners[0]["address"] if side.owners else nowhere,
            "owners": None if total is None else side.owners,
            "ownersTotal": total if total is not None and total > MAX_OWNERS else None,
            "minter": row.minter if row.minter not in ("", nowhere) else None,
            "lastTransfer": side.last_transfer,
            "markets": texts(row.markets) or None,
            "rarity": number(row.rarity),
            "orderbook": side.asks or None,
            "native": native,
            "rank": number(row.rank),
        }
    )


def _described(row: NftRow, side: Side, links: Links) -> tuple[Any, Any, Any]:
    """Return URI, metadata and native data: as they were rendered, else computed."""
    kept, pictures, size, is_computed = (
        side.rendered,
        pictures_of(row, links),
        row.nft_count,
        row.rarity_computed,
    )
    if kept is not None:
        counts = side.counts_by_id if row.contract_address else None
        uri, metadata = uri_text(kept.uri), metadata_text(kept, pictures, size, is_computed, counts)
        native = Fragment(kept.native) if kept.native else None
        return Fragment(uri) if uri else None, Fragment(metadata), native
    population = Population(size, is_computed, side.trait_counts if row.contract_address else {})
    is_shown = not pictures.withheld
    return (
        uri_of(row),
        metadata_record(row.metadata, pictures, population),
        third_party_json(row.native) if is_shown else None,
    )


def is_withheld(row: NftRow) -> bool:
    """Tell whether an operator withholds the media: the NFT's, its contract's, or what is at their addresses."""
    if row.media_withheld or row.contract_media_withheld:
        return True
    return _WITHHELD_STATE in (row.image_state, row.media_state)


def uri_of(row: NftRow) -> str | None:
    """Return where the metadata lies, but where that is the withheld media or a document that names them."""
    if row.uri and is_withheld(row):
        document = third_party_json(row.metadata)
        if is_data_uri(row.uri) or Hidden(document if isinstance(document, dict) else {}).is_in(row.uri):
            return None
    return uri_record(row.uri)


_WITHHELD = Pictures(withheld=True)
# Compared as text: an enumeration's member takes ten times as long.
_WITHHELD_STATE = CachedImage.State.WITHHELD.value


def pictures_of(row: NftRow, links: Links) -> Pictures:
    """Return what the cache knows of an NFT's image, and whether its media are withheld."""
    if is_withheld(row):
        return _WITHHELD
    if not (row.original_path or row.preview_path or row.thumbnail_path):
        return Pictures({}, row.image_type or None, row.found_media_type or None)
    renditions = {
        "imageCacheUrl": links.rendition(row.original_path),
        "imageCachePreviewUrl": links.rendition(row.preview_path),
        "imageCacheThumbnailUrl": links.rendition(row.thumbnail_path),
    }
    return Pictures(present(renditions), row.image_type or None, row.found_media_type or None)
