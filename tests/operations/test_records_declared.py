"""The declared records and the functions that build them tell of the same fields, types and optional ones."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework import serializers

from core.rest.records import Record
from tests.operations.full_records import FULL_NFT, FULL_TRANSFER
from tests.operations.rows import BARE_NFT, BARE_TRANSFER, LINKS
from tokens.records.nft import Side, nft_record
from tokens.records.serializers import TRANSFER_TYPES, NftSerializer, TransferSerializer
from transfers.models import Transfer
from transfers.records.transfer import transfer_record


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
