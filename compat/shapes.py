"""What the methods answer of contracts and NFTs, as declared: names, types and nulls are theirs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from core.rest import record_fields as fields
from core.rest.records import RecordSerializer

CHECKSUMMED = "0x[0-9a-fA-F]{40}"
TOKEN_TYPES = ["ERC721", "ERC1155", "NO_SUPPORTED_NFT_STANDARD"]


def address(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of an address in the letter case of EIP-55."""
    return fields.text(CHECKSUMMED, help_text, **options)


def null(help_text: str) -> serializers.CharField:
    """Return a field of theirs that is not known here."""
    return serializers.CharField(allow_null=True, help_text=f"{help_text} Not known here: null.")


def maybe(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of a text that may not be known."""
    return serializers.CharField(allow_null=True, help_text=help_text, **options)


def whole(help_text: str, **options: Any) -> serializers.IntegerField:
    """Return a field of an integer that may not be known."""
    return serializers.IntegerField(allow_null=True, min_value=0, help_text=help_text, **options)


def digits(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of an integer as a text."""
    return fields.quantity(help_text, **options)


def page_key(help_text: str = "Leads to the next page; null on the last one.") -> serializers.CharField:
    """Return the field that leads to the next page."""
    return serializers.CharField(allow_null=True, help_text=help_text)


def with_or_without_metadata(
    name: str, whole: type[RecordSerializer], bare: type[RecordSerializer], help_text: str
) -> serializers.ListField:
    """Return a field of a list of either: all of it with metadata, or all without. ``name`` is the component's."""

    @extend_schema_field(
        PolymorphicProxySerializer(
            component_name=name, serializers=[whole, bare], resource_type_field_name=None, many=True
        )
    )
    class EitherField(serializers.ListField):
        """One of the two."""

    return EitherField(help_text=help_text)


# Contracts


class OpenSeaSerializer(RecordSerializer):
    """What OpenSea is known to say of a collection."""

    floorPrice = serializers.FloatField(
        allow_null=True,
        help_text="The lowest live ask on OpenSea, in whole units of the chain's currency; null: there is none.",
    )
    collectionName = maybe("The contract's own name.")
    collectionSlug = null("The collection's slug.")
    safelistRequestStatus = null("Its verification.")
    imageUrl = null("Its image.")
    description = null("Its description.")
    externalUrl = null("Its homepage.")
    twitterUsername = null("Its account there.")
    discordUrl = null("Its server there.")
    bannerImageUrl = null("Its banner.")
    lastIngestedAt = null("When that was read.")


class ContractSerializer(RecordSerializer):
    """A contract."""

    address = address("The contract.")
    name = maybe("Its name.")
    symbol = maybe("Its symbol.")
    totalSupply = digits(
        "How many NFTs of it are known; null for an ERC1155, as theirs, and for an unknown contract.",
        allow_null=True,
    )
    tokenType = serializers.ChoiceField(
        choices=TOKEN_TYPES,
        help_text="Its standard. NO_SUPPORTED_NFT_STANDARD: another one (CryptoPunks), or the contract is not known.",
    )
    contractDeployer = null("Who deployed it.")
    deployedBlockNumber = whole("The block of that. Not known here: null.")
    openSeaMetadata = OpenSeaSerializer(help_text="Of the collection.")


class NftContractSerializer(ContractSerializer):
    """The contract of an NFT."""

    isSpam = serializers.BooleanField(
        allow_null=True, help_text="true where the operator has marked the contract; else null."
    )
    spamClassifications = serializers.ListField(
        child=serializers.CharField(), help_text="Theirs have words of their own: always empty."
    )


class ContractsSerializer(RecordSerializer):
    """Contracts."""

    contracts = ContractSerializer(many=True, help_text="In the order in which they were asked for.")


# NFTs


class ImageSerializer(RecordSerializer):
    """An NFT's image."""

    cachedUrl = maybe("The cached image; null where none is cached.")
    thumbnailUrl = maybe("The cached image, at most 128 pixels wide and high.")
    pngUrl = null("The image as PNG.")
    contentType = maybe("Its media type.")
    size = whole("Its bytes. Not known here: null.")
    originalUrl = maybe("Where the metadata says it is, IPFS and Arweave content at a public gateway.")


class AnimationSerializer(RecordSerializer):
    """What an NFT plays."""

    cachedUrl = null("A copy.")
    contentType = maybe("Its media type.")
    size = whole("Its bytes. Not known here: null.")
    originalUrl = maybe("Where the metadata says it is, IPFS and Arweave content at a public gateway.")


@extend_schema_field({"type": "object", "additionalProperties": True})
class DocumentField(serializers.DictField):
    """A token's own document: name, description, image, animation_url, attributes."""


class RawSerializer(RecordSerializer):
    """What the token itself says."""

    tokenUri = maybe("The token URI as the contract tells it.")
    metadata = DocumentField(
        help_text="name, description, image, animation_url and attributes (trait_type, value) of its document, as far "
        "as they are known; empty where none is."
    )
    error = maybe("Why there is no metadata; null where there is some, or none was looked for yet.")


class CollectionSerializer(RecordSerializer):
    """The collection: its contract."""

    name = serializers.CharField(help_text="The contract's name.")
    slug = null("OpenSea's slug.")
    externalUrl = null("Its homepage.")
    bannerImageUrl = null("Its banner.")


class MintSerializer(RecordSerializer):
    """The first mint, where it is the first transfer that is known; else nulls."""

    mintAddress = address("Who received it.", allow_null=True)
    blockNumber = whole("The block.")
    timestamp = maybe("The block's time.")
    transactionHash = maybe("The transaction.")


class NftSerializer(RecordSerializer):
    """An NFT."""

    contract = NftContractSerializer(help_text="Its contract.")
    tokenId = digits("Its token id, decimal.")
    tokenType = serializers.ChoiceField(choices=TOKEN_TYPES, help_text="Its standard.")
    name = maybe("Its name.")
    description = maybe("Its description.")
    tokenUri = maybe("Where its metadata is, IPFS and Arweave content at a public gateway.")
    image = ImageSerializer(help_text="Its image.")
    animation = AnimationSerializer(help_text="Its animation, video or sound.")
    raw = RawSerializer(help_text="What the token itself says.")
    collection = CollectionSerializer(
        allow_null=True, help_text="Its collection; null where that has no name."
    )
    mint = MintSerializer(help_text="When it was minted.")
    owners = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Always null, as theirs: see getOwnersForNFT.",
    )
    timeLastUpdated = maybe("When its metadata was last read; null where no worker has read it.")


class BareNftSerializer(RecordSerializer):
    """An NFT without metadata."""

    contractAddress = address("Its contract.")
    tokenId = digits("Its token id, decimal.")


class NftsSerializer(RecordSerializer):
    """NFTs."""

    nfts = NftSerializer(many=True, help_text="In the order in which they were asked for.")


class NftsOfContractSerializer(RecordSerializer):
    """A page of a contract's NFTs."""

    nfts = with_or_without_metadata(
        "NftOrToken",
        NftSerializer,
        BareNftSerializer,
        "By token id; without metadata where withMetadata is false.",
    )
    pageKey = page_key(
        "The next token's id, hexadecimal: pass it as pageKey or startToken. null on the last page."
    )


class OwnersSerializer(RecordSerializer):
    """Owners of an NFT."""

    owners = serializers.ListField(
        child=address("An owner."), help_text="Most units first, then who came first, then by address."
    )
    pageKey = page_key()
