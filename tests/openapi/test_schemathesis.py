"""schemathesis sends what the description allows, and what it forbids, and holds the answers to it."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.specs.openapi.checks import negative_data_rejection

from core.chains import EVM, WELL_KNOWN
from nftsite.sample.images import addresses
from tests.builders import APES, BOB
from tests.openapi.wsgi import application
from tests.operations.promises import COLLECTION, EDITIONS, MINT

# Made-up query strings reach both engines in tests/addresses; what is held here is the description.
pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

ADDRESS = "/api/v1/schema"
EXAMPLES = 24

BIGGEST = 2**256 - 1
TOKEN_IDS = [*map(str, range(45)), "0x1", "0X2A", "007", str(BIGGEST), hex(BIGGEST)]
WORDS = {
    "chain": [*(chain.slug for chain in WELL_KNOWN if chain.kind == EVM), "1", "EIP155:137", "Ethereum"],
    "contractAddress": [
        APES,
        EDITIONS,
        BOB,
        APES.upper().replace("X", "x"),
        COLLECTION,
        MINT,
        "apes.eth",
        *addresses(),
    ],
    "ownerAddress": [APES, BOB, BOB.upper().replace("X", "x"), COLLECTION, MINT, "apes.eth", *addresses()],
    "tokenId": TOKEN_IDS,
    "excludedTokenIds": TOKEN_IDS,
    "traits": ["Hat-1", "Level-3", "Sky-Dusk", "Paper-Amber", '"Tassel-Black, Knotted"', "Ribs-5", "Rings-4"],
    "excludedTraits": ["Hat-2", "Sky-Storm", "Spring Tide-true"],
    "priceFilter": ["eth,,", "eth,0.5,2", "USD,0,", "usdc,,7", "weth,1,1"],
}
"""Good texts of parameters that no pattern tells the whole of; good together: a chain decides what its ids are."""


def described(mode: GenerationMode, *, by_words: bool = False) -> Any:
    """The API as described by itself, and what to send it: the same cases each time.

    ``by_words``: the parameters above take those words. Their patterns allow more than is good (a name that nobody
    registered, bounds the wrong way round), which no schema can say.
    """
    generation = GenerationConfig(modes=[mode], max_examples=EXAMPLES, deterministic=True)
    config = SchemathesisConfig(projects=ProjectsConfig(default=ProjectConfig(generation=generation)))
    document = Client().get(ADDRESS).json()
    for path in document["paths"].values():
        for parameter in path["get"].get("parameters", ()):
            text = parameter["schema"].get("items", parameter["schema"])
            if by_words and parameter["name"] in WORDS:
                text["enum"] = WORDS[parameter["name"]]
    schema = schemathesis.openapi.from_dict(document, config=config)
    schema.app = application
    return schema


# One test a path: pytest-xdist runs tests of one name once, and those of `parametrize` over several paths share theirs.
NFTS, TRANSFERS, LIVENESS, READINESS = PATHS = (
    *("/api/v1/nfts/by-token", "/api/v1/transfers/by-token"),
    *("/healthz", "/readyz"),
)
FIXTURES = pytest.mark.usefixtures("world_and_sample", "kept_connection")
LONG = settings(deadline=None, suppress_health_check=list(HealthCheck))


def test_every_documented_path_is_tried_here() -> None:
    assert set(Client().get(ADDRESS).json()["paths"]) == set(PATHS)


def assert_answered(case: schemathesis.Case[Any]) -> None:
    """Send what is allowed, and the next page too."""
    # No schema can say which cursors are good: they are signed, and belong to a query. So a real one is sent.
    cursor = case.query.pop("cursor", None)
    response = case.call_and_validate()
    if cursor and response.status_code == 200 and "nextCursor" in response.json():
        case.query["cursor"] = response.json()["nextCursor"]
        case.call_and_validate()


@described(GenerationMode.POSITIVE, by_words=True).include(path=NFTS).parametrize()
@FIXTURES
@LONG
def test_allowed_queries_of_nfts_are_answered_as_described(case: schemathesis.Case[Any]) -> None:
    assert_answered(case)


@described(GenerationMode.POSITIVE, by_words=True).include(path=TRANSFERS).parametrize()
@FIXTURES
@LONG
def test_allowed_queries_of_transfers_are_answered_as_described(case: schemathesis.Case[Any]) -> None:
    assert_answered(case)


@described(GenerationMode.POSITIVE).include(path=LIVENESS).parametrize()
@FIXTURES
@LONG
def test_liveness_is_answered_as_described(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate()


@described(GenerationMode.POSITIVE).include(path=READINESS).parametrize()
@FIXTURES
@LONG
def test_readiness_is_answered_as_described(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate()


def assert_refused(case: schemathesis.Case[Any]) -> None:
    """Send what is forbidden."""
    read_kindly = any(is_read_kindly(value) for value in case.query.values())
    case.call_and_validate(excluded_checks=[negative_data_rejection] if read_kindly else [])


@described(GenerationMode.NEGATIVE).include(path=NFTS).parametrize()
@FIXTURES
@LONG
def test_forbidden_queries_of_nfts_are_refused_as_described(case: schemathesis.Case[Any]) -> None:
    assert_refused(case)


@described(GenerationMode.NEGATIVE).include(path=TRANSFERS).parametrize()
@FIXTURES
@LONG
def test_forbidden_queries_of_transfers_are_refused_as_described(case: schemathesis.Case[Any]) -> None:
    assert_refused(case)


def is_read_kindly(value: Any) -> bool:
    """Tell whether the API reads more than the schema says: nothing (as not given), or white space around a text.

    Clients have no use for it, and a pattern that allowed it would hide the form that is meant.
    """
    texts = [str(text) for text in (value if isinstance(value, list) else [value])]
    return any(not text or text != text.strip() for entry in texts for text in entry.split(","))
