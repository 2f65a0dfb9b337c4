"""schemathesis sends Alchemy's methods what their description allows and forbids, and holds the answers to it."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.specs.openapi.checks import negative_data_rejection, unsupported_method

from compat.chains import BY_HOST
from compat.methods import METHODS
from tests.builders import ALICE, APES, BOB
from tests.openapi.wsgi import application
from tests.operations.promises import EDITIONS

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.slow,
    pytest.mark.usefixtures("world_and_sample", "kept_connection"),
]

ADDRESS, EXAMPLES = "/alchemy/schema", 10
BASE = "/alchemy/{chain}/nft/v3/{apiKey}"
ADDRESSES = [APES, EDITIONS, BOB, ALICE, APES.upper().replace("X", "x")]
WORDS = {
    "contractAddress": ADDRESSES,
    "contractAddresses[]": ADDRESSES,
    "owner": [*ADDRESSES, "apes.eth"],
    "buyerAddress": ADDRESSES,
    "sellerAddress": ADDRESSES,
    "tokenId": [*map(str, range(12)), "0x1", str(2**256 - 1)],
    "startToken": ["0", "0x3", "99"],
    "marketplace": ["seaport", "blur", "market-1", "unknown"],
}
"""Good texts of parameters; their patterns allow more than is good (an ENS name that nobody registered)."""
UNTOLD = ("block", "collectionSlug")
"""Parameters that are refused whatever they hold."""
LONG = settings(deadline=None, suppress_health_check=list(HealthCheck))


def described(mode: GenerationMode, *, by_words: bool = False) -> Any:
    """The methods as described by themselves, and what to send them: the same cases each time."""
    generation = GenerationConfig(modes=[mode], max_examples=EXAMPLES, deterministic=True)
    config = SchemathesisConfig(projects=ProjectsConfig(default=ProjectConfig(generation=generation)))
    document = Client().get(ADDRESS).json()
    for path in document["paths"].values():
        for operation in path.values():
            operation["parameters"] = [one for one in operation["parameters"] if one["name"] not in UNTOLD]
            for parameter in operation["parameters"] if by_words else ():
                text = parameter["schema"].get("items", parameter["schema"])
                if parameter["name"] in WORDS:
                    text["enum"] = WORDS[parameter["name"]]
    schema = schemathesis.openapi.from_dict(document, config=config)
    schema.app = application
    return schema


def test_every_method_is_described_with_all_that_it_takes() -> None:
    paths = Client().get(ADDRESS).json()["paths"]
    assert set(paths) == {f"{BASE}/{method.method}" for method in METHODS}
    assert len(BY_HOST) >= 15
    for path in paths.values():
        for operation in path.values():
            assert operation["description"]
            assert all(one["description"] for one in operation["parameters"])


def leave_one_filter(case: schemathesis.Case[Any]) -> None:
    """Both are good, but not together, which no schema says."""
    if case.query.get("excludeFilters[]"):
        case.query.pop("includeFilters[]", None)


@described(GenerationMode.POSITIVE, by_words=True).parametrize()
@LONG
def test_what_is_allowed_is_answered_as_described(case: schemathesis.Case[Any]) -> None:
    # No schema can say which keys are good: they are signed, and belong to a query.
    if "getNFTsForContract" not in case.path:
        case.query.pop("pageKey", None)
    if case.query.get("tokenId") is not None:
        case.query["contractAddress"] = case.query.get("contractAddress") or APES
    leave_one_filter(case)
    response = case.call()
    assert response.status_code == 200, response.content
    case.validate_response(response, excluded_checks=[unsupported_method])


@described(GenerationMode.NEGATIVE).parametrize()
@LONG
def test_what_is_forbidden_is_never_a_failure(case: schemathesis.Case[Any]) -> None:
    leave_one_filter(case)
    response = case.call()
    assert response.status_code < 500, response.content
    case.validate_response(response, excluded_checks=[negative_data_rejection, unsupported_method])
    if response.status_code >= 400:
        assert response.json()["error"]["message"]
