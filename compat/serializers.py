"""What the methods answer, and what bodies they take, as declared: names, types and nulls are theirs.

Fields that stand apart under "ours" are additions, which no client of theirs expects.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from compat.fields import ADDRESS, INTEGER, AddressField, TokenIdField
from core.rest import record_fields as fields
from core.rest.records import RecordSerializer

MOST_TOKENS = 100
"""Tokens, or contracts, of one body."""
_CHECKSUMMED = "0x[0-9a-fA-F]{40}"
TOKEN_TYPES = ["ERC721", "ERC1155", "NO_SUPPORTED_NFT_STANDARD"]


def address(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of an address in the letter case of EIP-55."""
    return fields.text(_CHECKSUMMED, help_text, **options)


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


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="NftOrToken",
        serializers=[NftSerializer, BareNftSerializer],
        resource_type_field_name=None,
        many=True,
    )
)
class NftsOrTokensField(serializers.ListField):
    """NFTs with metadata or without."""


class NftsOfContractSerializer(RecordSerializer):
    """A page of a contract's NFTs."""

    nfts = NftsOrTokensField(help_text="By token id; without metadata where withMetadata is false.")
    pageKey = page_key(
        "The next token's id, hexadecimal: pass it as pageKey or startToken. null on the last page."
    )


class OwnersSerializer(RecordSerializer):
    """Owners of an NFT."""

    owners = serializers.ListField(
        child=address("An owner."), help_text="Most units first, then who came first, then by address."
    )
    pageKey = page_key()


# Traits and prices


class RaritySerializer(RecordSerializer):
    """A trait of an NFT."""

    value = serializers.CharField(allow_blank=True, help_text="The trait's value as text.")
    traitType = serializers.CharField(allow_blank=True, help_text="Its type; empty for an untyped trait.")
    prevalence = serializers.FloatField(
        allow_null=True, help_text="The share of the contract's known NFTs that have it, from 0 to 1."
    )
    count = whole("Ours: how many have it.")


class RaritiesSerializer(RecordSerializer):
    """The traits of an NFT."""

    rarities = RaritySerializer(many=True, help_text="In the order of its metadata.")


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": {"type": "integer"}},
    }
)
class SummaryField(serializers.DictField):
    """Counts by value, by type."""


class SummarySerializer(RecordSerializer):
    """The traits of a contract."""

    summary = SummaryField(help_text="How many NFTs have each value, by type of trait.")
    totalSupply = digits(
        "How many NFTs of the contract are known; null: the contract is not.", allow_null=True
    )
    contractAddress = address("The contract.")


class FloorSerializer(RecordSerializer):
    """The lowest ask on a marketplace, or why there is none."""

    floorPrice = serializers.FloatField(allow_null=True, help_text="In whole units of priceCurrency.")
    priceCurrency = maybe("The chain's currency; what wraps it counts too.")
    collectionUrl = maybe("The contract's page there.")
    retrievedAt = maybe("When the last whole reading of the book began, else the moment of the request.")
    error = maybe("unable to fetch floor price: no live ask is known. Else null.")


class FloorsSerializer(RecordSerializer):
    """Floor prices."""

    openSea = FloorSerializer(help_text="On OpenSea.")
    looksRare = FloorSerializer(help_text="On LooksRare.")


# Sales


class FeeSerializer(RecordSerializer):
    """A part of a price; nulls where it is not known."""

    amount = digits("In the currency's smallest unit.", allow_null=True)
    tokenAddress = address("The currency's contract; the zero address is the chain's own.", allow_null=True)
    symbol = maybe("The currency's symbol.")
    decimals = whole("Its decimals.")


class SaleSerializer(RecordSerializer):
    """A sale of one NFT."""

    marketplace = serializers.CharField(
        help_text="seaport, wyvern, looksrare, x2y2, blur, cryptopunks, or another."
    )
    marketplaceAddress = address("The contract that filled the order.", allow_null=True)
    contractAddress = address("The NFT's contract.")
    tokenId = digits("The token id, decimal.")
    quantity = digits("Units sold.")
    buyerAddress = address("Who bought it.", allow_null=True)
    sellerAddress = address("Who sold it.", allow_null=True)
    taker = serializers.ChoiceField(choices=["BUYER", "SELLER"], help_text="Who took the other's order.")
    sellerFee = FeeSerializer(help_text="What the seller got.")
    protocolFee = FeeSerializer(help_text="What the marketplace got.")
    royaltyFee = FeeSerializer(help_text="What others got: royalties.")
    blockNumber = fields.whole("The block.")
    logIndex = fields.whole("The log by which the NFT moved.")
    bundleIndex = fields.whole("The NFT's place in that log, where it moved several.")
    transactionHash = fields.transaction("The transaction.")


class ValidAtSerializer(RecordSerializer):
    """Up to where the chain is indexed; nulls where it is not indexed from a node."""

    blockNumber = whole("The last block.")
    blockHash = maybe("Its hash, where it is kept.")
    blockTimestamp = maybe("Its time.")


class SalesSerializer(RecordSerializer):
    """A page of sales."""

    nftSales = SaleSerializer(
        many=True,
        help_text="In the order of blocks; fewer than the limit, even none, where few of many match.",
    )
    validAt = ValidAtSerializer(help_text="Up to where the chain is indexed.")
    pageKey = page_key()


# Bodies


class _FormField(serializers.Field[Any, Any, Any, Any]):
    """A member of a body that is read as the parameter of that name is."""

    form_field: type[Any]

    def to_internal_value(self, data: Any) -> Any:
        """Return the value. Raises ``ValidationError``."""
        text = self.text_of(data)
        try:
            value = self.form_field(required=True).clean([text])
        except Exception as error:
            raise serializers.ValidationError(getattr(error, "messages", [str(error)])) from None
        return value

    def text_of(self, data: Any) -> str:
        """Return the text of a member. Raises ``ValidationError``."""
        if not isinstance(data, str):
            raise serializers.ValidationError("A text is wanted.")
        return data


@extend_schema_field({"type": "string", "pattern": f"^({ADDRESS})$"})
class BodyAddressField(_FormField):
    """An address."""

    form_field = AddressField


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "pattern": f"^({INTEGER})$", "maxLength": 78},
            {"type": "integer", "minimum": 0},
        ]
    }
)
class BodyTokenIdField(_FormField):
    """A token id: a text, a number, or ethers' BigNumber as it writes itself."""

    form_field = TokenIdField

    def text_of(self, data: Any) -> str:
        """Return the text of a token id."""
        if isinstance(data, dict) and data.get("type") == "BigNumber":
            data = data.get("hex")
        if isinstance(data, int) and not isinstance(data, bool) and 0 <= data < 2**256:
            return str(data)
        return super().text_of(data)


class TokenBody(serializers.Serializer[Any]):
    """One token."""

    contractAddress = BodyAddressField(help_text="The contract, in any letter case.")
    tokenId = BodyTokenIdField(help_text="The token id, decimal or hexadecimal.")


class TokensBody(serializers.Serializer[Any]):
    """Tokens that metadata is asked of; other members are taken and without effect."""

    tokens = fields.records(TokenBody(), MOST_TOKENS, f"At most {MOST_TOKENS}.")


class ContractsBody(serializers.Serializer[Any]):
    """Contracts that metadata is asked of."""

    contractAddresses = serializers.ListField(
        child=BodyAddressField(), max_length=MOST_TOKENS, help_text=f"At most {MOST_TOKENS} addresses."
    )
