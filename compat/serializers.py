"""What the methods answer of owners, traits, prices and sales, as declared: names, types and nulls are theirs.

What is ours beside it says so.
"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from compat.shapes import (
    CHECKSUMMED,
    BareNftSerializer,
    ContractSerializer,
    ImageSerializer,
    NftSerializer,
    address,
    digits,
    maybe,
    page_key,
    whole,
    with_or_without_metadata,
)
from core.rest import record_fields as fields
from core.rest.records import RecordSerializer

_BARE = "Without metadata where withMetadata is false."


class ValidAtSerializer(RecordSerializer):
    """Up to where the chain is indexed; nulls where it is not indexed from a node."""

    blockNumber = whole("The last block.")
    blockHash = maybe("Its hash, where it is kept.")
    blockTimestamp = maybe("Its time.")


# Who owns what


_BALANCE = {
    "type": "object",
    "properties": {"tokenId": {"type": "string"}, "balance": {"type": "string"}},
    "required": ["tokenId", "balance"],
}
_HOLDER = {
    "type": "object",
    "properties": {"ownerAddress": {"type": "string"}, "tokenBalances": {"type": "array", "items": _BALANCE}},
    "required": ["ownerAddress", "tokenBalances"],
}


@extend_schema_field(
    {"type": "array", "items": {"oneOf": [{"type": "string", "pattern": f"^{CHECKSUMMED}$"}, _HOLDER]}}
)
class HoldersField(serializers.ListField):
    """Addresses, or what each holds, which may go on upon the next page."""


class ContractOwnersSerializer(RecordSerializer):
    """A page of a contract's owners, by address."""

    owners = HoldersField(help_text="Addresses; with withTokenBalances what each holds.")
    pageKey = page_key()
    totalCount = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="With includeCount: how many owners there are, where all are on one page; else null.",
    )


class AcquiredSerializer(RecordSerializer):
    """When its owner got an NFT; nulls unless orderBy is transferTime, as theirs."""

    blockTimestamp = maybe("The time.")
    blockNumber = whole("The block.")


class OwnedNftSerializer(NftSerializer):
    """An NFT of an owner."""

    balance = digits("How many units he holds.")
    acquiredAt = AcquiredSerializer(help_text="Since when: of the transfer by which his units last changed.")


class OwnedTokenSerializer(BareNftSerializer):
    """An NFT of an owner without metadata."""

    balance = digits("How many units he holds.")


class DisplayNftSerializer(RecordSerializer):
    """One of the NFTs that an owner holds of a contract."""

    tokenId = digits("Its token id, decimal.")
    name = maybe("Its name.")


class OwnedContractSerializer(ContractSerializer):
    """A contract of which an address holds NFTs."""

    totalBalance = digits(
        "Units of all its NFTs that he holds; null where a holder of very many has too many to add up.",
        allow_null=True,
    )
    numDistinctTokensOwned = digits("How many of its NFTs he holds.")
    isSpam = serializers.BooleanField(help_text="Whether the operator has marked it.")
    displayNft = DisplayNftSerializer(help_text="One of them.")
    image = ImageSerializer(help_text="That one's image.")


class BareContractSerializer(RecordSerializer):
    """A contract of which an address holds NFTs, without metadata: numbers are numbers here, as theirs."""

    address = fields.text("0x[0-9a-f]{40}", "The contract, in lower case.")
    totalBalance = whole("Units of all its NFTs that he holds.")
    numDistinctTokensOwned = fields.whole("How many of its NFTs he holds.")
    isSpam = serializers.BooleanField(help_text="Whether the operator has marked it.")
    tokenId = fields.text("0x[0-9a-f]{64}", "One of them, as 32 bytes.")


class OwnedContractsSerializer(RecordSerializer):
    """A page of the contracts of which an address holds NFTs."""

    contracts = with_or_without_metadata(
        "ContractOrTotals", OwnedContractSerializer, BareContractSerializer, _BARE
    )
    totalCount = whole("How many there are; null for an owner of very many NFTs.")
    pageKey = page_key()


class OwnedNftsSerializer(RecordSerializer):
    """A page of an owner's NFTs."""

    ownedNfts = with_or_without_metadata("OwnedNftOrToken", OwnedNftSerializer, OwnedTokenSerializer, _BARE)
    totalCount = whole("How many match in all; null where an owner has too many to count those that match.")
    validAt = ValidAtSerializer(help_text="Up to where the chain is indexed.")
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
    price = FeeSerializer(help_text="Ours: the whole price, which the parts come to.")
    otherFee = FeeSerializer(
        help_text="Ours: what went to others of whom no event says what they are to the sale."
    )


class SalesSerializer(RecordSerializer):
    """A page of sales."""

    nftSales = SaleSerializer(
        many=True,
        help_text="In the order of blocks; fewer than the limit, even none, where few of many match.",
    )
    validAt = ValidAtSerializer(help_text="Up to where the chain is indexed.")
    pageKey = page_key()
