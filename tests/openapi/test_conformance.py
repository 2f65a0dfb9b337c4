"""The description and the code say the same, both ways: what is answered is described, and what is described comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

from core.rest.headers import EXPOSED_HEADERS
from core.rest.schema import OTHER_CODES, PARAMETER_CODES
from interchange.load import load_files
from tests.builders import settle
from tests.conftest import Api
from tests.operations.bad_queries import BAD_QUERIES
from tests.operations.full_records import FULL_NFT, FULL_TRANSFER
from tests.operations.promises import EVERY_ORDER
from tests.shared import REAL

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as served."""
    body: dict[str, Any] = Client().get("/api/v1/schema").json()
    return body


def closed(value: Any) -> Any:
    """The same schemas, in which an object has no key but those described."""
    if isinstance(value, list):
        return [closed(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    inner = {name: closed(entry) for name, entry in value.items()}
    return {**inner, "additionalProperties": False} if "properties" in value else inner


_validators: dict[str, Draft202012Validator] = {}
"""By their schemas: to make one of the whole document takes longer than what is asked of it."""


def faults(document: dict[str, Any], schema: dict[str, Any], value: Any) -> list[str]:
    """Where a value is not as its schema, of the one document, says, or holds a key that it does not name."""
    key = json.dumps(schema)
    if key not in _validators:
        whole = {**closed(schema), "components": closed(document["components"])}
        _validators[key] = Draft202012Validator(whole, format_checker=FormatChecker())
    return [f"{fault.json_path}: {fault.message}" for fault in _validators[key].iter_errors(value)]


def body_schema(document: dict[str, Any], path: str, status: int) -> dict[str, Any]:
    """The schema of an answer's body."""
    content = document["paths"][path]["get"]["responses"][str(status)]["content"]
    schema: dict[str, Any] = content["application/json"]["schema"]
    return schema


def undescribed(document: dict[str, Any]) -> Iterator[str]:
    """Everything in the document that should say what it is, and does not."""
    for name, schema in document["components"]["schemas"].items():
        for field, described in schema.get("properties", {}).items():
            if not described.get("description"):
                yield f"{name}.{field}"
    for path in document["paths"].values():
        operation = path["get"]
        yield from (p["name"] for p in operation.get("parameters", ()) if not p.get("description"))
        yield from (status for status, answer in operation["responses"].items() if not answer["description"])
        if not (operation["summary"] and operation["description"] and operation["tags"]):
            yield operation["operationId"]


def test_everything_has_a_description(document: dict[str, Any]) -> None:
    assert list(undescribed(document)) == []


@pytest.mark.parametrize(("name", "record"), [("Nft", FULL_NFT), ("Transfer", FULL_TRANSFER)])
def test_a_record_that_has_everything_has_every_key_described_and_no_other(
    document: dict[str, Any], name: str, record: dict[str, Any]
) -> None:
    schemas = document["components"]["schemas"]
    assert faults(document, {"$ref": f"#/components/schemas/{name}"}, record) == []

    def absent(schema: dict[str, Any], value: Any, path: str) -> list[str]:
        reference = schema.get("$ref") or schema.get("allOf", [{}])[0].get("$ref")
        schema = schemas[reference.rpartition("/")[2]] if reference else schema
        if schema.get("type") == "array":
            return absent(schema["items"], value[0], f"{path}[]") if value else [path]
        missing = []
        for field, inner in schema.get("properties", {}).items():
            missing += (
                absent(inner, value[field], f"{path}.{field}") if field in value else [f"{path}.{field}"]
            )
        return missing

    assert absent({"$ref": f"#/components/schemas/{name}"}, record, name) == []


@pytest.mark.usefixtures("world")
def test_answers_fit_the_description(api: Api, document: dict[str, Any]) -> None:
    for order in EVERY_ORDER:
        for path, query in (
            (NFTS, {"includeLastTransfer": "true"}),
            (NFTS, {"chain": "solana"}),
            (TRANSFERS, {"contractAddress": "apes.eth"}),
        ):
            body = api.get(path, {**query, "sortBy": order}).json()
            assert body["data"] or "solana" in query.values()
            assert faults(document, body_schema(document, path, 200), body) == []


@pytest.mark.django_db
@pytest.mark.sqlite  # no database has a part in it
def test_refusals_fit_the_description(api: Api, document: dict[str, Any]) -> None:
    for operation, query, _ in BAD_QUERIES:
        path = NFTS if operation == "nfts" else TRANSFERS
        body = api.get(path, query).json()
        assert faults(document, body_schema(document, path, 400), body) == [], query


def test_the_examples_of_errors_fit_the_description(document: dict[str, Any]) -> None:
    for path in (NFTS, TRANSFERS):
        for status in (400, 404, 405, 406, 414, 431, 500, 503):
            examples = document["paths"][path]["get"]["responses"][str(status)]["content"]["application/json"]
            assert examples["examples"]
            for example in examples["examples"].values():
                assert faults(document, body_schema(document, path, status), example["value"]) == []


def test_every_code_of_an_error_is_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["ParameterErrorCodeEnum"]["enum"] == PARAMETER_CODES
    assert schemas["OtherErrorCodeEnum"]["enum"] == OTHER_CODES


@pytest.mark.django_db
def test_every_example_of_a_parameter_is_good_by_itself(api: Api, document: dict[str, Any]) -> None:
    for path in (NFTS, TRANSFERS):
        for parameter in document["paths"][path]["get"]["parameters"]:
            schema = parameter["schema"]
            assert schema.get("examples") or parameter["name"] == "cursor"
            for example in schema.get("examples", ()):
                assert faults(document, schema, example) == []
                written = ",".join(example) if isinstance(example, list) else str(example)
                query = {"contractAddress": PUNKS} if path == TRANSFERS else {}
                response = api.get(path, {**query, parameter["name"]: written.replace("True", "true")})
                assert response.status_code == 200, response.content


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        (NFTS, "", 200),
        (NFTS, "limit=31", 400),
        (NFTS, "format=xml", 400),
        (TRANSFERS, "", 400),
        ("/healthz", "", 200),
        ("/readyz", "", 200),
    ],
)
def test_the_headers_are_those_described(
    api: Api, document: dict[str, Any], path: str, query: str, status: int
) -> None:
    response = api.get(path, query, accept_encoding="gzip")
    assert response.status_code == status
    described = document["paths"][path]["get"]["responses"][str(status)]["headers"]
    components = document["components"]["headers"]
    for name, reference in described.items():
        header = components[reference["$ref"].rpartition("/")[2]]
        if name in response:
            assert faults(document, header["schema"], response[name]) == []
        else:
            assert not header["required"], name
    ordinary = {
        "Content-Type",
        "Content-Length",
        "X-Frame-Options",
        "X-Content-Type-Options",
        "Referrer-Policy",
    }
    others = set(response.headers) - set(described) - ordinary - {"Cross-Origin-Opener-Policy", "Allow"}
    # A health page is for one reader, and never kept: no use in saying so.
    assert others <= ({"Cache-Control", "Expires", "Vary"} if path.endswith("z") else {"Vary"})


def test_what_is_exposed_to_scripts_is_described_once_it_exists(document: dict[str, Any]) -> None:
    described = document["paths"][NFTS]["get"]["responses"]
    names = {name for answer in described.values() for name in answer["headers"]}
    # Rate limits have their names kept, and come later.
    later = {name for name in EXPOSED_HEADERS.split(", ") if name.startswith("RateLimit-")}
    assert set(EXPOSED_HEADERS.split(", ")) - later <= names


@pytest.mark.django_db
@pytest.mark.shared
@pytest.mark.sqlite  # records are those of either engine (tests/walks): one run is enough
def test_real_records_fit_the_description(api: Api, document: dict[str, Any]) -> None:
    assert load_files([str(REAL)]).fault_count == 0
    settle()
    contracts = {record["contractAddress"] for record in api.nfts(limit=30, sortBy="rarity")["data"]} | {
        PUNKS
    }
    for address in contracts:
        for order in EVERY_ORDER:
            nfts = api.nfts(contractAddress=address, sortBy=order, includeLastTransfer="1")
            transfers = api.transfers(contractAddress=address, sortBy=order)
            assert nfts["data"]
            assert faults(document, body_schema(document, NFTS, 200), nfts) == []
            assert faults(document, body_schema(document, TRANSFERS, 200), transfers) == []
