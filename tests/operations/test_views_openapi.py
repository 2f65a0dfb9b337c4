"""The OpenAPI document says of both operations what they take and give."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from django.test import Client

from core.rest.filters import QueryFilterSet
from tokens.query.filters import NftFilterSet
from transfers.filters import TransferFilterSet

NFTS = "/api/v1/nfts/by-token"
TRANSFERS = "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("path", [NFTS, TRANSFERS])
LISTS = ("tokenId", "traits", "excludedTraits", "marketplaces", "excludedTokenIds")


@cache
def document() -> dict[str, Any]:
    """The document as served."""
    body: dict[str, Any] = Client().get("/api/v1/schema").json()
    return body


def operation(path: str) -> dict[str, Any]:
    """What the document says of an operation."""
    described: dict[str, Any] = document()["paths"][path]["get"]
    return described


def parameters(path: str) -> dict[str, dict[str, Any]]:
    """The parameters of an operation by name."""
    return {parameter["name"]: parameter for parameter in operation(path)["parameters"]}


@pytest.mark.parametrize(("path", "filterset"), [(NFTS, NftFilterSet), (TRANSFERS, TransferFilterSet)])
def test_every_parameter_is_described_and_no_other(path: str, filterset: type[QueryFilterSet]) -> None:
    described = parameters(path)
    assert list(described) == [*filterset.base_filters, "format"]
    assert all(parameter["description"] for parameter in described.values())
    assert all(parameter["in"] == "query" for parameter in described.values())


@BOTH
def test_operations_say_when_a_walk_ends(path: str) -> None:
    # Field report F19.
    assert "nextCursor is absent on the last page" in operation(path)["description"]


def test_only_the_contract_of_transfers_is_required() -> None:
    assert not [name for name, parameter in parameters(NFTS).items() if parameter.get("required")]
    required = [name for name, parameter in parameters(TRANSFERS).items() if parameter.get("required")]
    assert required == ["contractAddress"]
    assert parameters(TRANSFERS)["contractAddress"]["schema"]["minLength"] == 1


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_comma_separated(name: str) -> None:
    parameter = parameters(NFTS)[name]
    assert (parameter["style"], parameter["explode"]) == ("form", False)
    assert parameter["schema"]["type"] == "array"
    assert parameter["schema"].get("maxItems") == (None if name == "marketplaces" else 30)


@BOTH
def test_limits_and_closed_sets_can_be_read_from_the_document(path: str) -> None:
    # Field report F18.
    described = parameters(path)
    limit = described["limit"]["schema"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 30, 30)
    assert set(described["sortBy"]["schema"]["enum"]) == {
        "lowestAsk",
        "highestAsk",
        "tokenId",
        "tokenId-asc",
        "tokenId-desc",
        "rarity",
    }


@BOTH
def test_every_answer_is_described_with_its_headers(path: str) -> None:
    responses = operation(path)["responses"]
    assert responses.keys() >= {"200", "304", "400", "404", "405", "406", "500", "503"}
    assert responses["200"]["headers"].keys() >= {"ETag", "Cache-Control", "X-Request-ID", "X-Result-Limit"}
    for status in ("400", "404", "405", "406", "500", "503"):
        schema = responses[status]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert document()["components"]["schemas"][schema]["properties"].keys() == {"type", "errors"}


@pytest.mark.parametrize(("path", "record"), [(NFTS, "Nft"), (TRANSFERS, "Transfer")])
def test_the_body_of_a_page_is_described(path: str, record: str) -> None:
    schemas = document()["components"]["schemas"]
    page = schemas[f"{record}Page"]
    assert page["required"] == ["data"]
    assert page["properties"]["data"]["items"] == {"$ref": f"#/components/schemas/{record}"}
    assert page["properties"]["nextCursor"]["type"] == "string"


def test_the_fields_that_every_record_has_are_marked_required() -> None:
    schemas = document()["components"]["schemas"]
    assert set(schemas["Nft"]["required"]) == {"chain", "tokenId", "owner"}
    assert set(schemas["Transfer"]["required"]) == {
        "tokenId",
        "chain",
        "blockNumber",
        "transactionHash",
        "swaps",
        "amount",
        "timestamp",
        "markets",
    }
    assert set(schemas["Owner"]["required"]) == {"address", "amount"}
    assert set(schemas["TokenValue"]["required"]) == {"tokenAddress", "amount"}
    assert set(schemas["Swap"]["required"]) == {"contractAddress", "fromAddress", "toAddress", "amount"}
    assert schemas["TransferTypeEnum"]["enum"] == ["mint", "transfer", "sale", "swap", "burn"]


@BOTH
def test_the_example_fits_the_description(path: str) -> None:
    success = operation(path)["responses"]["200"]["content"]["application/json"]
    schemas = document()["components"]["schemas"]

    def check(value: Any, schema: dict[str, Any]) -> None:
        for part in schema.get("allOf", []):
            check(value, part)
        if "$ref" in schema:
            check(value, schemas[schema["$ref"].rpartition("/")[2]])
        elif schema.get("type") == "array":
            for item in value:
                check(item, schema["items"])
        elif schema.get("type") == "object":
            assert value.keys() <= schema["properties"].keys()
            assert value.keys() >= set(schema.get("required", ()))
            for name, member in value.items():
                check(member, schema["properties"][name])

    for example in success["examples"].values():
        check(example["value"], success["schema"])
        assert example["value"]["data"]


def test_how_rarity_is_scored_and_ranked_is_published() -> None:
    """F43: the order of ranks was disputed because nobody said how ties go."""
    described = document()["components"]["schemas"]["Nft"]["properties"]
    assert "OpenRarity" in described["rarity"]["description"]
    assert "equal ones share it" in described["rank"]["description"]
