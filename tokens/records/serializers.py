"""The NFT record and the transfer record as declared; the latter is an NFT's ``lastTransfer``, too (specification)."""

from __future__ import annotations

from rest_framework import serializers

from core.rest import record_fields as fields
from core.rest.records import RecordSerializer
from tokens.metadata.shortening import (
    MAX_DESCRIPTION_BYTES,
    MAX_NAME_BYTES,
    MAX_TRAIT_BYTES,
    MAX_TRAITS,
    MAX_TRAITS_BYTES,
)
from tokens.records.asks import MAX_ASKS
from tokens.records.metadata import MAX_DATA_URI_BYTES
from tokens.records.owners import MAX_OWNERS

URI_RULE = (
    "IPFS and Arweave content is shown at a public gateway, however it was written. "
    f"A `data:` URI longer than {MAX_DATA_URI_BYTES:,} bytes is left out."
)
TRANSFER_TYPES = ["mint", "transfer", "sale", "swap", "burn"]
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
        required=False, choices=TRANSFER_TYPES, help_text="What the transfer was."
    )
    imageCacheUrl = fields.url(
        required=False, help_text="The NFT's image at its original size, from the service's cache."
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
        required=False, help_text=f"Description of the NFT, cut at {MAX_DESCRIPTION_BYTES:,} bytes of UTF-8."
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
            "units, at this second where that changes with time. Not narrowed by `marketplaces`."
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
