"""The transfer record from plain rows (specification, Transfer record)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from core.db.keys import digits_from_key, float_from_key, token_id_from_key
from core.db.statements import rows_where
from core.rest.records import Record, number, present, texts, third_party_json
from media.links import Links
from media.models import CachedImage
from transfers.ledger.plain import plain_type
from transfers.models import Transfer


class TransferRow(NamedTuple):
    """What is read of a transfer, in the order of :data:`COLUMNS`; quantities are keys, and values decimal ones."""

    id: int
    contract_address: str
    token_key: str
    chain: str
    block_number: int
    transaction_hash: str
    from_address: str | None
    to_address: str | None
    value: str | None
    nft_value_token: str | None
    nft_value_name: str | None
    nft_value_amount: str | None
    swaps: str
    stated_usd_value: str | None
    usd_value: str | None
    stated_eth_value: str | None
    eth_value: str | None
    is_commercial: bool | int | None
    amount: str
    timestamp: int
    markets: str
    native: str | None
    transfer_type: str | None
    media_withheld: bool
    contract_media_withheld: bool
    image_state: str | None
    image_path: str | None


COLUMNS = tuple(
    {
        "contract_address": "contract__address",
        "token_key": "nft__token_key",
        "chain": "chain__slug",
        "media_withheld": "nft__media_withheld",
        "contract_media_withheld": "contract__media_withheld",
        "image_state": "nft__image__state",
        "image_path": "nft__image__original_path",
    }.get(name, name)
    for name in TransferRow._fields
)


def transfer_records(transfer_ids: Sequence[int], *, links: Links) -> list[Record]:
    """Return the records of these transfers in the given order, by one query. Ids that do not exist are left out."""
    records = transfer_records_by_id(transfer_ids, links=links)
    return [records[row_id] for row_id in transfer_ids if row_id in records]


def transfer_records_by_id(transfer_ids: Sequence[int], *, links: Links) -> dict[int, Record]:
    """Return the records of these transfers by id, by one query."""
    rows = map(TransferRow._make, rows_where(_transfers, ids=list(transfer_ids)))
    return {row.id: transfer_record(row, links) for row in rows}


def _transfers(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Transfer.objects.filter(pk__in=ids).values_list(*COLUMNS)


def transfer_record(row: TransferRow, links: Links) -> Record:
    """Return the record of one transfer. A stated value in USD or ETH holds; otherwise the derived one does."""
    is_withheld = _is_withheld(row)
    return present(
        {
            "contractAddress": row.contract_address or None,
            "tokenId": token_id_from_key(row.token_key),
            "chain": row.chain,
            "blockNumber": row.block_number,
            "transactionHash": row.transaction_hash,
            "fromAddress": row.from_address or None,
            "toAddress": row.to_address or None,
            "value": digits_from_key(row.value) if row.value else None,
            "nftValue": _nft_value(row),
            "swaps": _swaps(row.swaps),
            "usdValue": _number(row.stated_usd_value or row.usd_value),
            "ethValue": _number(row.stated_eth_value or row.eth_value),
            "isCommercial": None if row.is_commercial is None else bool(row.is_commercial),
            "amount": digits_from_key(row.amount),
            "timestamp": row.timestamp,
            "markets": texts(row.markets),
            "native": None if is_withheld else third_party_json(row.native),
            "transferType": row.transfer_type or plain_type(row.from_address, row.to_address),
            "imageCacheUrl": links.rendition(None if is_withheld else row.image_path),
        }
    )


def _is_withheld(row: TransferRow) -> bool:
    """Tell whether an operator withholds the NFT's media; what a source gave with a transfer may lead to them."""
    return row.media_withheld or row.contract_media_withheld or row.image_state == CachedImage.State.WITHHELD


def _number(key: str | None) -> int | float | None:
    """Return a stored decimal as a JSON number."""
    return None if key is None else number(float_from_key(key))


def _nft_value(row: TransferRow) -> Record | None:
    if row.nft_value_token is None or row.nft_value_amount is None:
        return None
    return present(
        {
            "tokenAddress": row.nft_value_token,
            "tokenName": row.nft_value_name or None,
            "amount": digits_from_key(row.nft_value_amount),
        }
    )


def _swaps(text: str) -> list[Record]:
    value = third_party_json(text)
    return value if isinstance(value, list) else []
