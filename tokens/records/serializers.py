"""The NFT record as declared, and a page of them. Its parts are built in ``tokens.records``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rest_framework import serializers

from core.rest import record_fields as fields
from core.rest.pagination import MAX_LIMIT
from core.rest.records import Record, RecordSerializer
from media.links import Links
from tokens.metadata.shortening import (
    MAX_DESCRIPTION_BYTES,
    MAX_NAME_BYTES,
    MAX_TRAIT_BYTES,
    MAX_TRAITS,
    MAX_TRAITS_BYTES,
)
from tokens.prices.currency_worths import NOTHING_DUE, DueRates
from tokens.records.asks import MAX_ASKS, orderbooks
from tokens.records.metadata import MAX_DATA_URI_BYTES
from tokens.records.nft import Side, nft_record, nft_rows
from tokens.records.owners import MAX_OWNERS, owners_of
from tokens.records.traits import trait_counts

# The one arrow upwards that is meant: an NFT's last transfer is a transfer record.
from transfers.records.serializers import TransferSerializer, transfer_records_by_id

URI_RULE = (
    "IPFS and Arweave content is shown at a public gateway, however it was written. "
    f"A `data:` URI longer than {MAX_DATA_URI_BYTES:,} bytes is left out."
)


class TraitSerializer(RecordSerializer):
    """One trait."""

    traitType = serializers.CharField(
        required=False, help_text="Key of the trait; absent for an untyped one."
    )
    traitValue = serializers.JSONField(
        help_text="Value of the trait: the JSON value as the metadata has it (string, number, boolean, …)."
    )
    traitRarity = serializers.FloatField(
        required=False,
        help_text="Known NFTs of the contract for each one that has the trait: `total / count`.",
    )
    traitFrequency = serializers.FloatField(
        required=False, help_text="Number of the contract's known NFTs that have the trait, or as stated."
    )
    traitPercentFrequency = serializers.FloatField(
        required=False, help_text="Share of the contract's known NFTs that have the trait, in percent."
    )


class MetadataSerializer(RecordSerializer):
    """What the NFT's metadata says; fields that it does not have are absent."""

    name = serializers.CharField(
        required=False, help_text=f"Name of the NFT, cut at {MAX_NAME_BYTES:,} bytes of UTF-8."
    )
    description = serializers.CharField(
        required=False,
        help_text=f"Description of the NFT, cut at {MAX_DESCRIPTION_BYTES:,} bytes of UTF-8.",
    )
    imageMediaType = serializers.CharField(required=False, help_text="MIME type of the image, as stated.")
    imageUrl = serializers.CharField(required=False, help_text=f"Original image URL. {URI_RULE}")
    imageCacheUrl = fields.url(
        required=False, help_text="Image at its original size, from the service's cache."
    )
    imageCachePreviewUrl = fields.url(
        required=False, help_text="Image at preview size (250 x 250), from the service's cache."
    )
    imageCacheThumbnailUrl = fields.url(
        required=False, help_text="Image at thumbnail size (128 x 128), from the service's cache."
    )
    mediaType = serializers.CharField(
        required=False, help_text="MIME type of the animation media (image, video or music), as stated."
    )
    mediaUrl = serializers.CharField(required=False, help_text=f"Original animation URL. {URI_RULE}")
    traits = fields.records(
        TraitSerializer(),
        MAX_TRAITS,
        required=False,
        help_text=f"Traits in the metadata's order, at most the first {MAX_TRAITS}, and {MAX_TRAITS_BYTES:,} bytes of "
        f"types and values. Texts are cut at {MAX_TRAIT_BYTES:,} bytes of UTF-8, longer values that are none left out.",
    )


class OwnerSerializer(RecordSerializer):
    """One holder."""

    address = fields.address(help_text="Owner's address.")
    amount = fields.quantity(help_text="Units owned. Exact decimal string.")
    enteredAtBlock = fields.whole(
        required=False,
        help_text="Block at which this owner first owned the token; selling and buying back keeps it.",
    )
    enteredAt = fields.whole(
        required=False, help_text="When this owner first owned the token, Unix time in seconds."
    )
    updatedAtBlock = fields.whole(
        required=False, help_text="Block at which this owner last interacted with the token."
    )
    updatedAt = fields.whole(
        required=False, help_text="When this owner last interacted with the token, Unix time in seconds."
    )


class NftSerializer(RecordSerializer):
    """One NFT. Fields that are not known are absent."""

    chain = serializers.CharField(
        help_text="Identifier of the chain: one contract address can live on several chains."
    )
    contractAddress = fields.address(
        required=False,
        help_text="Contract, lower case on EVM chains; absent for an NFT that belongs to no collection.",
    )
    contractStandard = serializers.CharField(
        required=False, help_text="Contract standard: ERC721, ERC1155, CryptoPunks, Metaplex, …"
    )
    tokenId = fields.token_id(
        help_text="Token id: an exact decimal string, or the base58 mint on a chain that identifies tokens by mint."
    )
    uri = serializers.CharField(required=False, help_text=f"URL of the NFT's metadata. {URI_RULE}")
    metadata = MetadataSerializer(required=False, help_text="Metadata; absent when nothing is known of it.")
    owner = fields.address(
        help_text=(
            "Owner; of several the one that holds most, then the one that entered first, then by address. The zero "
            "address (the system program's on a mint-identified chain) when nobody holds it or it is not known."
        )
    )
    owners = fields.records(
        OwnerSerializer(),
        MAX_OWNERS,
        required=False,
        help_text=(
            f"Current owners in the order of `owner`, at most {MAX_OWNERS}; empty when it is known that nobody holds "
            "the NFT, absent when it is not known."
        ),
    )
    ownersTotal = fields.whole(
        required=False, help_text=f"Number of owners, when there are more than {MAX_OWNERS}."
    )
    minter = fields.address(
        required=False,
        help_text="Sender of the minting transaction, of the newest one where the NFT was burnt and minted anew.",
    )
    lastTransfer = TransferSerializer(
        required=False, help_text="The last transfer; only with `includeLastTransfer=true`."
    )
    markets = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Markets on which the NFT was transferred."
    )
    rarity = serializers.FloatField(
        required=False,
        help_text="OpenRarity score (or as stated), over the contract's NFTs that have metadata; higher is rarer.",
    )
    orderbook = serializers.ListField(
        child=fields.text("[^,]+,[^,]+,[0-9]+(\\.[0-9]+)?", "One ask."),
        max_length=MAX_ASKS,
        required=False,
        help_text=(
            f"Live asks, cheapest first, at most {MAX_ASKS}, each as `<marketplace>,<CURRENCY>,<price>` in whole "
            "units. Not narrowed by `marketplaces`."
        ),
    )
    native = serializers.JSONField(required=False, help_text="Further data as the source gave it; any JSON.")
    rank = serializers.FloatField(
        required=False,
        help_text=(
            "Rank within the contract, 1 being the rarest; equal ones share it. By the number of values that only "
            "this NFT has, then by score, so that it may differ from the order of `rarity`."
        ),
    )


class NftPageSerializer(RecordSerializer):
    """One page of NFTs."""

    data = fields.records(NftSerializer(), MAX_LIMIT, help_text="NFTs, in the order asked for.")  # type: ignore[assignment]
    nextCursor = serializers.CharField(
        required=False, help_text="Pass as `cursor` to get the next page; absent on the last one."
    )


class NftRecords(NamedTuple):
    """The records of a page, and when the first ask in them ends (Unix seconds; ``None``: none does)."""

    records: list[Record]
    first_end: int | None


def nft_records(
    nft_ids: Sequence[int], *, now: int, links: Links, last_transfers: bool, due: DueRates = NOTHING_DUE
) -> NftRecords:
    """Return the records of these NFTs in the given order, by at most five queries whatever they hold.

    ``now`` (Unix seconds) decides which asks are live, ``due`` how they compare; ``last_transfers`` adds each NFT's
    last transfer.
    """
    rows = nft_rows(nft_ids)
    owners = owners_of([row.id for row in rows if row.owners_total])
    counts = trait_counts([row.id for row in rows if row.metadata])
    books = orderbooks([row.id for row in rows], now, due)
    last_ids = [row.last_transfer_id for row in rows if row.last_transfer_id] if last_transfers else []
    last = transfer_records_by_id(last_ids, links=links) if last_ids else {}
    records = []
    for row in rows:
        side = Side(
            owners=owners.get(row.id, []),
            trait_counts=counts.get(row.id, {}),
            asks=books.asks.get(row.id, []),
            last_transfer=last.get(row.last_transfer_id or 0),
        )
        records.append(nft_record(row, side, links))
    return NftRecords(records, books.first_end)
