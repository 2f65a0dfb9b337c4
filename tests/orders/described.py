"""What OpenSea says of its API, by the OpenAPI document of its npm package, and what it says of an exchange of ours."""

from __future__ import annotations

import json
import tarfile
from functools import cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from jsonschema import Draft202012Validator

from tests.evm.toolchain import CACHE
from tests.npm import find_node, packed

PIN = "@opensea/api-types@0.12.0"
INTEGRITY = "sha512-jbb403S36112cjrQsXCRRnA7tWbCrLSh4KpmtqbEeadlUKUP47+YIPsEJpLY3kmdxaFU17u8Yb7OApBD0vFWOg=="


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document; where there is no npm, or no registry, it is ``unavailable``."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tarfile.open(packed(find_node(), PIN, INTEGRITY, CACHE)) as files:
        member = files.extractfile("package/opensea-api.json")
        assert member is not None
        found: dict[str, Any] = json.load(member)
        return found


def check(address: str, status: int, body: Any) -> None:
    """Hold a GET request (path and query) and its answer to the document; fails where they do not fit."""
    parts = urlsplit(address)
    template, operation, values = _operation(parts.path)
    given = parse_qs(parts.query, keep_blank_values=True)
    for one in operation["parameters"]:
        told = values.get(one["name"]) if one["in"] == "path" else given.pop(one["name"], None)
        if told is not None:
            _validate(one["schema"], _typed(one["schema"], told))
        assert told is not None or not one["required"], f"{template} needs {one['name']}"
    assert not given, f"{template} knows no {', '.join(given)}"
    # 429 and 503 are the gateway's, and stand at no operation.
    assert str(status) in operation["responses"] or status in (429, 503), f"{template} gives no {status}"
    content = operation["responses"].get(str(status), {}).get("content")
    if content:
        (described,) = content.values()
        _validate(described["schema"], body)


def _operation(path: str) -> tuple[str, dict[str, Any], dict[str, str]]:
    """The one that a path is of, and what the path says of its parameters."""
    parts = path.split("/")
    for template, methods in document()["paths"].items():
        names = template.split("/")
        if len(names) == len(parts) and all(
            name == part or name.startswith("{") for name, part in zip(names, parts, strict=True)
        ):
            pairs = zip(names, parts, strict=True)
            return (
                template,
                methods["get"],
                {name[1:-1]: unquote(part) for name, part in pairs if name != part},
            )
    raise AssertionError(f"{path} is no path of the API")


def _typed(schema: dict[str, Any], told: str | list[str]) -> Any:
    """A parameter's text as what the schema says it is."""
    if schema.get("type") == "array":
        return told
    text = told if isinstance(told, str) else told[0]
    return json.loads(text) if schema.get("type") in ("integer", "boolean", "number") else text


def _validate(schema: dict[str, Any], value: Any) -> None:
    Draft202012Validator(schema | {"components": document()["components"]}).validate(value)
