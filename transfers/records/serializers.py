"""The transfer record (specification, Transfer record), which is also an NFT's ``lastTransfer``."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import QuerySet
from rest_framework import serializers

from core.db.each import rows_of
from core.db.keys import token_id_from_key, uint_from_key, unscaled
from core.rest import record_fields as fields
from core.rest.pagination import MAX_LIMIT
from core.rest.records import Record, RecordSerializer, digits, number, present, texts, third_party_json
from media.links import Links
from media.models import CachedImage
from transfers.ledger.plain import plain_type
from transfers.models import Transfer

BASE_UNITS = "Exact decimal string, in the currency's smallest unit"


class TokenValueSerializer(RecordSerializer):
    """What was paid for the NFT."""

    tokenAddress = fields.address(
        help_text="Contract of the currency; the zero address is the chain's native currency."
    )
    tokenName = serializers.CharField(required=False, help_text="Name of the currency.")
    amount = fields.quantity(
        help_text=f"Gross amount paid by the buyer's side, fees and royalties included. {BASE_UNITS}."
    )


class SwapSerializer(RecordSerializer):
    """One leg, NFT or money, of an exchange."""

    contractAddress = fields.address(
        help_text="Contract of what moved; the zero address is the chain's native currency."
    )
    tokenId = fields.token_id(
        required=False, help_text="Token id, for an NFT: an exact decimal string, or the base58 mint."
    )
    fromAddress = fields.address(help_text="Who gave it.")
    toAddress = fields.address(help_text="Who received it.")
    amount = fields.quantity(help_text=f"How much moved. {BASE_UNITS}; units of the token for an NFT.")
    market = serializers.CharField(required=False, help_text="Market that it moved through.")


class TransferSerializer(RecordSerializer):
    """One transfer of one NFT."""

    contractAddress = fields.address(
        required=False,
        help_text="Contract of the NFT, lower case on EVM chains; absent for an NFT that belongs to no collection.",
    )
    tokenId = fields.token_id(
        help_text="Token id: an exact decimal string, or the base58 mint on a chain that identifies tokens by mint."
    )
    chain = serializers.CharField(help_text="Identifier of the chain.")
    blockNumber = fields.whole(help_text="Block; the slot on a mint-identified chain.")
    transactionHash = fields.transaction(
        help_text="Transaction hash, lower case; the base58 signature on a mint-identified chain."
    )
    fromAddress = fields.address(required=False, help_text="Previous owner; the zero address for a mint.")
    toAddress = fields.address(
        required=False, help_text="New owner; the zero address when it was burned there."
    )
    value = fields.quantity(
        required=False,
        help_text=(
            "Native value of the whole transaction, in the chain's smallest unit (wei). Exact decimal string; all "
            "transfers of one transaction share it."
        ),
    )
    nftValue = TokenValueSerializer(
        required=False,
        help_text="What was paid for this NFT; absent when nothing was, or when it is not known.",
    )
    swaps = SwapSerializer(
        many=True,
        help_text=(
            "Every leg of a peer-to-peer exchange, or of a trade whose price cannot be told for this NFT alone; else "
            "an empty list."
        ),
    )
    usdValue = serializers.FloatField(
        required=False,
        help_text="nftValue in USD, at the newest rate at or before the transfer and at most 48 hours older.",
    )
    ethValue = serializers.FloatField(
        required=False,
        help_text="nftValue in ETH, at the newest rate at or before the transfer and at most 48 hours older.",
    )
    isCommercial = serializers.BooleanField(
        required=False, help_text="Whether a marketplace's order was filled in the transaction."
    )
    amount = fields.quantity(help_text="Units moved; may differ from 1 for ERC-1155. Exact decimal string.")
    timestamp = fields.whole(help_text="Unix time in seconds.")
    markets = serializers.ListField(
        child=serializers.CharField(),
        help_text="Slugs of the markets that the transaction interacts with; empty when none is known.",
    )
    native = serializers.JSONField(required=False, help_text="Further data as the source gave it; any JSON.")
    transferType = serializers.ChoiceField(
        required=False, choices=Transfer.Type.values, help_text="What the transfer was."
    )
    imageCacheUrl = fields.url(
        required=False, help_text="The NFT's image at its original size, from the service's cache."
    )


class TransferPageSerializer(RecordSerializer):
    """One page of transfers."""

    data = fields.records(TransferSerializer(), MAX_LIMIT, help_text="Transfers, in the order asked for.")  # type: ignore[assignment]
    nextCursor = serializers.CharField(
        required=False, help_text="Pass as `cursor` to get the next page; absent on the last one."
    )


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
    row = TransferRow._make(raw)
    return row._replace(
        value=_integer(row.value),
        nft_value_amount=_integer(row.nft_value_amount),
        amount=uint_from_key(raw[_AMOUNT]),
        stated_usd_value=_decimal(row.stated_usd_value),
        usd_value=_decimal(row.usd_value),
        stated_eth_value=_decimal(row.stated_eth_value),
        eth_value=_decimal(row.eth_value),
        is_commercial=None if row.is_commercial is None else bool(row.is_commercial),
    )


_AMOUNT = TransferRow._fields.index("amount")


def _integer(key: Any) -> int | None:
    return None if key is None else uint_from_key(key)


def _decimal(key: Any) -> Decimal | None:
    return None if key is None else unscaled(uint_from_key(key))


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
