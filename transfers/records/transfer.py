"""The transfer record from plain rows (specification, Transfer record)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import QuerySet

from core.db.each import rows_of
from core.db.keys import token_id_from_key, uint_from_key, unscaled
from core.rest.records import Record, digits, number, present, texts, third_party_json
from media.links import Links
from media.models import CachedImage
from transfers.ledger.plain import plain_type
from transfers.models import Transfer


class TransferRow(NamedTuple):
    """What is read of a transfer, in the order of :data:`COLUMNS`."""

    id: int
    contract_address: str
    token_key: str
    chain: str
    block_number: int
    transaction_hash: str
    from_address: str | None
    to_address: str | None
    value: int | None
    nft_value_token: str | None
    nft_value_name: str | None
    nft_value_amount: int | None
    swaps: str
    stated_usd_value: Decimal | None
    usd_value: Decimal | None
    stated_eth_value: Decimal | None
    eth_value: Decimal | None
    is_commercial: bool | None
    amount: int
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
    rows = map(_typed, rows_of(_transfers, transfer_ids))
    return {row.id: transfer_record(row, links) for row in rows}


def _transfers(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Transfer.objects.filter(pk__in=ids).values_list(*COLUMNS)


def _typed(raw: Sequence[Any]) -> TransferRow:
    """Return the values of a row as the database has it."""
    values = list(raw)
    for place, read in _READ:
        if values[place] is not None:
            values[place] = read(values[place])
    return TransferRow._make(values)


def _decimal(key: str) -> Decimal:
    return unscaled(uint_from_key(key))


_READ: tuple[tuple[int, Callable[[Any], Any]], ...] = tuple(
    (TransferRow._fields.index(name), read)
    for read, names in (
        (uint_from_key, ("value", "nft_value_amount", "amount")),
        (_decimal, ("stated_usd_value", "usd_value", "stated_eth_value", "eth_value")),
        (bool, ("is_commercial",)),
    )
    for name in names
)
"""The columns that the database has as keys, or as a number, by their places."""


def transfer_record(row: TransferRow, links: Links) -> Record:
    """Return the record of one transfer. A stated value in USD or ETH holds; otherwise the derived one does."""
    usd = row.usd_value if row.stated_usd_value is None else row.stated_usd_value
    eth = row.eth_value if row.stated_eth_value is None else row.stated_eth_value
    return present(
        {
            "contractAddress": row.contract_address or None,
            "tokenId": token_id_from_key(row.token_key),
            "chain": row.chain,
            "blockNumber": row.block_number,
            "transactionHash": row.transaction_hash,
            "fromAddress": row.from_address or None,
            "toAddress": row.to_address or None,
            "value": digits(row.value),
            "nftValue": _nft_value(row),
            "swaps": _swaps(row.swaps),
            "usdValue": number(usd),
            "ethValue": number(eth),
            "isCommercial": row.is_commercial,
            "amount": str(row.amount),
            "timestamp": row.timestamp,
            "markets": texts(row.markets),
            "native": None if _is_withheld(row) else third_party_json(row.native),
            "transferType": row.transfer_type or plain_type(row.from_address, row.to_address),
            "imageCacheUrl": links.rendition(None if _is_withheld(row) else row.image_path),
        }
    )


def _is_withheld(row: TransferRow) -> bool:
    """Tell whether an operator withholds the NFT's media; what a source gave with a transfer may lead to them."""
    return row.media_withheld or row.contract_media_withheld or row.image_state == CachedImage.State.WITHHELD


def _nft_value(row: TransferRow) -> Record | None:
    if row.nft_value_token is None or row.nft_value_amount is None:
        return None
    return present(
        {
            "tokenAddress": row.nft_value_token,
            "tokenName": row.nft_value_name or None,
            "amount": str(row.nft_value_amount),
        }
    )


def _swaps(text: str) -> list[Record]:
    value = third_party_json(text)
    return value if isinstance(value, list) else []
