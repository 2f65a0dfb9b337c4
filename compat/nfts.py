"""NFTs as their records have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import QuerySet

from compat.chains import AskedChain, checksummed, shown
from compat.contracts import ContractRow, Floors, contract_of_nft, contracts_by_id, floors, token_type
from core.addresses import ZERO_ADDRESS
from core.db.each import Walks, rows_for_each
from core.db.keys import token_id_from_key
from core.db.statements import rows_where
from core.net.http.data_uris import is_data_uri
from core.rest.records import Record, Records, third_party_json
from media.links import Links
from tokens.models import MetadataFetch
from tokens.records.metadata import MAX_DATA_URI_BYTES, metadata_record, string
from tokens.records.nft import NftRow, is_withheld, nft_rows, pictures_of, uri_of
from tokens.records.traits import Population

NO_TOKEN: Final = "Token does not exist"  # noqa: S105 - no password
"""What they say of a token that there is not."""
_UNREAD = {
    MetadataFetch.State.PENDING.value: None,
    MetadataFetch.State.READY.value: None,
    MetadataFetch.State.UNREVEALED.value: "The contract names no metadata yet",
    MetadataFetch.State.UNUSABLE.value: "What came is no metadata",
    MetadataFetch.State.ABSENT.value: NO_TOKEN,
    MetadataFetch.State.UNREACHABLE.value: "The metadata's host does not answer",
    MetadataFetch.State.GONE.value: "There is no metadata at the token URI",
}
"""What is said of metadata that could not be had, by the state of fetching it."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What of some NFTs lies in other tables, by their ids or their contracts'."""

    contracts: Mapping[int, ContractRow]
    floors: Floors
    fetches: Mapping[int, tuple[str, datetime | str | None]]
    mints: Mapping[int, Record]


_NO_MINT = {"mintAddress": None, "blockNumber": None, "timestamp": None, "transactionHash": None}
_FIRST = """
    SELECT nft_id, from_address, to_address, block_number, timestamp, transaction_hash FROM transfers_transfer
    WHERE nft_id = %(id)s ORDER BY recent_key DESC, id DESC LIMIT 1
"""


def nft_records(ids: Sequence[int], chain: AskedChain, links: Links, now: int) -> Records:
    """Return the records of NFTs in the given order, by at most five queries."""
    rows = nft_rows(ids)
    contracts = contracts_by_id(row.contract_id for row in rows) if rows else {}
    beside = Beside(
        contracts=contracts,
        floors=floors(contracts.values(), chain, now),
        fetches={row[0]: (row[1], row[2]) for row in rows_where(_fetches, ids=[row.id for row in rows])},
        mints=_mints([row.id for row in rows]),
    )
    return Records([_record(row, beside, links) for row in rows], beside.floors.first_end)


def _fetches(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return MetadataFetch.objects.filter(nft__id__in=ids).values_list("nft_id", "state", "tried_at")


def _mints(ids: Sequence[int]) -> dict[int, Record]:
    """Return the first mints of NFTs; one whose first known transfer is none has no mint that is known."""
    walks = [Walks(_FIRST, ids, "SELECT walks.* FROM {walks} walks")] if ids else []
    return {
        nft_id: {
            "mintAddress": shown(receiver),
            "blockNumber": block,
            "timestamp": moment(timestamp),
            "transactionHash": transaction,
        }
        for nft_id, sender, receiver, block, timestamp, transaction in rows_for_each(walks)
        if sender == ZERO_ADDRESS
    }


def moment(seconds: int | None) -> str | None:
    """Return a time of Unix seconds as they write it; ``None`` for none, or one after the year 9999."""
    if seconds is None or seconds >= 253_402_300_800:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def instant(at: datetime | str | None) -> str | None:
    """Return a time of a column as they write it, with milliseconds."""
    if at is None:
        return None
    read = datetime.fromisoformat(at) if isinstance(at, str) else at
    utc = read.astimezone(UTC) if read.tzinfo else read  # SQLite keeps UTC without saying so
    return utc.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _record(row: NftRow, beside: Beside, links: Links) -> Record:
    contract = beside.contracts.get(row.contract_id)
    pictures = pictures_of(row, links)
    told = metadata_record(row.metadata, pictures, Population(0, computed=True)) or {}
    state, tried_at = beside.fetches.get(row.id, (MetadataFetch.State.PENDING.value, None))
    is_read = state == MetadataFetch.State.READY.value
    hidden = is_withheld(row)
    return {
        "contract": contract_of_nft(row.contract_address, contract, beside.floors.of(contract)),
        "tokenId": token_id_from_key(row.token_key),
        "tokenType": token_type(row.contract_standard),
        "name": told.get("name"),
        "description": told.get("description"),
        "tokenUri": uri_of(row),
        "image": {
            "cachedUrl": told.get("imageCacheUrl"),
            "thumbnailUrl": told.get("imageCacheThumbnailUrl"),
            "pngUrl": None,
            "contentType": told.get("imageMediaType"),
            "size": None,
            "originalUrl": told.get("imageUrl"),
        },
        "animation": {
            "cachedUrl": None,
            "contentType": told.get("mediaType"),
            "size": None,
            "originalUrl": told.get("mediaUrl"),
        },
        "raw": {
            "tokenUri": _stated(row.uri) if uri_of(row) is not None else None,
            "metadata": _raw(row.metadata, told, hidden),
            "error": None if row.metadata else _UNREAD[state],
        },
        "collection": _collection(contract),
        "mint": beside.mints.get(row.id, _NO_MINT),
        "owners": None,
        "timeLastUpdated": instant(tried_at) if is_read else None,
    }


def _raw(stored: str | None, told: Record, hidden: bool) -> Record:
    """Return the token's document in the words of ERC-721 and ERC-1155, as far as it is kept.

    Addresses are as the document has them; of a withheld NFT there are none.
    """
    document: Any = third_party_json(stored)
    media = document if isinstance(document, dict) and not hidden else {}
    traits = told.get("traits", ())
    found = {
        "name": told.get("name"),
        "description": told.get("description"),
        "image": _stated(string(media.get("imageUrl"))),
        "animation_url": _stated(string(media.get("mediaUrl"))),
        "attributes": [_attribute(trait) for trait in traits] or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _attribute(trait: Record) -> Record:
    kind = {"trait_type": trait["traitType"]} if "traitType" in trait else {}
    return {"value": trait["traitValue"], **kind}


def _stated(uri: str | None) -> str | None:
    """Return a URI as it was stated, but for a ``data:`` URI that is too long to be shown."""
    if not uri or (is_data_uri(uri) and len(uri.encode("utf-8", "surrogatepass")) > MAX_DATA_URI_BYTES):
        return None
    return uri


def _collection(contract: ContractRow | None) -> Record | None:
    if contract is None or not contract.name:
        return None
    return {"name": contract.name, "slug": None, "externalUrl": None, "bannerImageUrl": None}


def unknown_nft(address: str, contract: ContractRow | None, token_key: str) -> Record:
    """Return the record of a token that there is not, as far as is known."""
    return {
        "contract": contract_of_nft(address, contract, None),
        "tokenId": token_id_from_key(token_key),
        "tokenType": token_type(contract.standard if contract else ""),
        "name": None,
        "description": None,
        "tokenUri": None,
        "image": dict.fromkeys(("cachedUrl", "thumbnailUrl", "pngUrl", "contentType", "size", "originalUrl")),
        "animation": dict.fromkeys(("cachedUrl", "contentType", "size", "originalUrl")),
        "raw": {"tokenUri": None, "metadata": {}, "error": NO_TOKEN},
        "collection": _collection(contract),
        "mint": _NO_MINT,
        "owners": None,
        "timeLastUpdated": None,
    }


def bare_record(address: str, token_key: str) -> Record:
    """Return an NFT without metadata."""
    return {"contractAddress": checksummed(address), "tokenId": token_id_from_key(token_key)}
