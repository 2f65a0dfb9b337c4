"""The NFT record (specification, NFT record) from plain rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from core.chains import ChainKind, nobody
from core.db.each import rows_of
from core.db.keys import token_id_from_key
from core.net.http.data_uris import is_data_uri
from core.rest.records import Record, Records, number, present, texts, third_party_json
from media.links import Links
from media.models import CachedImage
from tokens.models import Nft
from tokens.prices.currency_worths import NOTHING_DUE, DueRates
from tokens.records.asks import orderbooks
from tokens.records.metadata import Pictures, metadata_record, uri_record
from tokens.records.owners import MAX_OWNERS, owners_of
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
}
COLUMNS = tuple(_ELSEWHERE.get(name, name) for name in NftRow._fields)


@dataclass(frozen=True, slots=True)
class Side:
    """What belongs to one NFT but lies in other tables."""

    owners: list[Record] = field(default_factory=list)
    trait_counts: Counts = field(default_factory=dict)
    asks: list[str] = field(default_factory=list)
    last_transfer: Record | None = None


def _nfts(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Nft.objects.filter(pk__in=ids).values_list(*COLUMNS)


def nft_rows(nft_ids: Sequence[int]) -> list[NftRow]:
    """Return the rows of NFTs in the given order. Ids that do not exist are left out."""
    rows = {row.id: row for row in map(NftRow._make, rows_of(_nfts, nft_ids))}
    return [rows[nft_id] for nft_id in nft_ids if nft_id in rows]


def nft_records(
    nft_ids: Sequence[int], *, now: int, links: Links, with_last: bool, due: DueRates = NOTHING_DUE
) -> Records:
    """Return the records of these NFTs in the given order, by at most five queries whatever they hold.

    ``now`` (Unix seconds) decides which asks are live, ``due`` how they compare; ``with_last`` adds each NFT's
    last transfer.
    """
    rows = nft_rows(nft_ids)
    owners = owners_of([row.id for row in rows if row.owners_total])
    counts = trait_counts([row.id for row in rows if row.metadata])
    books = orderbooks([row.id for row in rows], now, due)
    last_ids = [row.last_transfer_id for row in rows if row.last_transfer_id] if with_last else []
    last = _read_transfers()(last_ids, links=links) if last_ids else {}
    records = []
    for row in rows:
        side = Side(
            owners=owners.get(row.id, []),
            trait_counts=counts.get(row.id, {}),
            asks=books.asks.get(row.id, []),
            last_transfer=last.get(row.last_transfer_id or 0),
        )
        records.append(nft_record(row, side, links))
    return Records(records, books.first_end)


def _read_transfers() -> Callable[..., dict[int, Record]]:
    """Return what reads transfers as records by id. Where they are kept is not known here."""
    return cast(Callable[..., dict[int, Record]], import_string(settings.API_LAST_TRANSFERS))


def nft_record(row: NftRow, side: Side, links: Links) -> Record:
    """Return the record of one NFT."""
    nowhere = nobody(cast(ChainKind, row.chain_kind))
    total = row.owners_total
    population = Population(
        size=row.nft_count,
        computed=row.rarity_computed,
        counts=side.trait_counts if row.contract_address else {},
    )
    return present(
        {
            "chain": row.chain,
            "contractAddress": row.contract_address or None,
            "contractStandard": row.contract_standard or None,
            "tokenId": token_id_from_key(row.token_key),
            "uri": _uri(row),
            "metadata": metadata_record(row.metadata, _pictures(row, links), population),
            "owner": side.owners[0]["address"] if side.owners else nowhere,
            "owners": None if total is None else side.owners,
            "ownersTotal": total if total is not None and total > MAX_OWNERS else None,
            "minter": row.minter if row.minter not in ("", nowhere) else None,
            "lastTransfer": side.last_transfer,
            "markets": texts(row.markets) or None,
            "rarity": number(row.rarity),
            "orderbook": side.asks or None,
            "native": None if _is_withheld(row) else third_party_json(row.native),
            "rank": number(row.rank),
        }
    )


def _is_withheld(row: NftRow) -> bool:
    """Tell whether an operator withholds the media: the NFT's, its contract's, or what is at their addresses."""
    states = (row.image_state, row.media_state)
    return row.media_withheld or row.contract_media_withheld or CachedImage.State.WITHHELD in states


def _uri(row: NftRow) -> str | None:
    """Return where the metadata lies, but where that is the withheld media or a document that names them."""
    if row.uri and _is_withheld(row):
        document = third_party_json(row.metadata)
        if is_data_uri(row.uri) or Hidden(document if isinstance(document, dict) else {}).is_in(row.uri):
            return None
    return uri_record(row.uri)


def _pictures(row: NftRow, links: Links) -> Pictures:
    if _is_withheld(row):
        return Pictures(withheld=True)
    renditions = {
        "imageCacheUrl": links.rendition(row.original_path),
        "imageCachePreviewUrl": links.rendition(row.preview_path),
        "imageCacheThumbnailUrl": links.rendition(row.thumbnail_path),
    }
    return Pictures(present(renditions), row.image_type or None, row.found_media_type or None)
