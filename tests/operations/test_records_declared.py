"""The declared records and the functions that build them tell of the same fields, types and optional ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework import serializers

from core.db.keys import token_key, uint_key
from core.rest.records import Record
from tests.builders import ALICE, BOB, ZERO
from tests.operations.rows import BARE_NFT, BARE_TRANSFER, LINKS, decimal_key
from tokens.records.nft import Side, nft_record
from tokens.records.serializers import TRANSFER_TYPES, NftSerializer, TransferSerializer
from transfers.models import Transfer
from transfers.records.transfer import transfer_record

LEG = {
    "contractAddress": ZERO,
    "tokenId": "1",
    "fromAddress": ALICE,
    "toAddress": BOB,
    "amount": "5",
    "market": "blur",
}
FULL_TRANSFER = transfer_record(
    BARE_TRANSFER._replace(
        token_key=token_key("1"),
        from_address=ALICE,
        to_address=BOB,
        value=uint_key(1),
        nft_value_token=ZERO,
        nft_value_name="Ether",
        nft_value_amount=uint_key(1),
        swaps=json.dumps([LEG]),
        usd_value=decimal_key("2500.25"),
        eth_value=decimal_key("1.5"),
        is_commercial=True,
        markets='["opensea"]',
        native="{}",
        transfer_type="swap",
        image_path="a.png",
    ),
    LINKS,
)
OWNER = {
    "address": ALICE,
    "amount": "1",
    "enteredAtBlock": 1,
    "enteredAt": 1,
    "updatedAtBlock": 1,
    "updatedAt": 1,
}
METADATA = {
    "name": "n",
    "description": "d",
    "imageUrl": "u",
    "imageMediaType": "image/png",
    "mediaUrl": "u",
    "mediaType": "video/mp4",
    "traits": [{"traitType": "T", "traitValue": "v"}],
}
FULL_NFT = nft_record(
    BARE_NFT._replace(
        contract_standard="ERC1155",
        nft_count=3,
        uri="u",
        metadata=json.dumps(METADATA),
        native="1",
        rarity=1.5,
        rank=1.0,
        minter=ALICE,
        markets='["opensea"]',
        owners_total=101,
        original_path="o.png",
        preview_path="p.png",
        thumbnail_path="t.png",
    ),
    Side(
        owners=[OWNER],
        trait_counts={("T", "v"): 2},
        asks=["opensea,ETH,1"],
        last_transfer=FULL_TRANSFER,
    ),
    LINKS,
)


def differences(declared: Any, value: Any, path: str) -> list[str]:
    """Where a full value and its declaration part ways."""
    if isinstance(declared, serializers.ListSerializer):
        return differences(declared.child, value[0], f"{path}[]") if value else [f"{path} is empty"]
    if isinstance(declared, serializers.Serializer):
        missing = declared.fields.keys() ^ value.keys()
        found = [f"{path}.{name} is on one side only" for name in missing]
        for name in declared.fields.keys() & value.keys():
            found += differences(declared.fields[name], value[name], f"{path}.{name}")
        return found
    kinds: dict[type, Any] = {
        serializers.ListField: list,
        serializers.IntegerField: int,
        serializers.FloatField: (int, float),
        serializers.BooleanField: bool,
        serializers.CharField: str,
        serializers.ChoiceField: str,
        serializers.JSONField: object,
    }
    return [] if isinstance(value, kinds[type(declared)]) else [f"{path} is a {type(value).__name__}"]


@pytest.mark.parametrize(
    ("declared", "full"), [(NftSerializer, FULL_NFT), (TransferSerializer, FULL_TRANSFER)]
)
def test_every_declared_field_is_produced_and_no_other(declared: Any, full: Record) -> None:
    assert differences(declared(), full, "record") == []


@pytest.mark.parametrize(
    ("declared", "bare"),
    [
        (NftSerializer, nft_record(BARE_NFT, Side(), LINKS)),
        (TransferSerializer, transfer_record(BARE_TRANSFER, LINKS)),
    ],
)
def test_the_fields_that_every_record_has_are_those_declared_required(declared: Any, bare: Record) -> None:
    required = {name for name, field in declared().fields.items() if field.required}
    # The contract belongs to what names an NFT; only one of no collection has none.
    assert bare.keys() == required | {"contractAddress"}


@pytest.mark.parametrize("declared", [NftSerializer, TransferSerializer])
def test_every_field_says_what_it_means(declared: Any) -> None:
    def silent(serializer: Any, path: str) -> list[str]:
        serializer = getattr(serializer, "child", serializer)
        found = []
        for name, field in serializer.fields.items():
            if not field.help_text:
                found.append(f"{path}.{name}")
            if isinstance(field, serializers.BaseSerializer):
                found += silent(field, f"{path}.{name}")
        return found

    assert silent(declared(), "record") == []


def test_the_types_that_a_record_declares_are_those_that_are_stored() -> None:
    assert Transfer.Type.values == TRANSFER_TYPES
