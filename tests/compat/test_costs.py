"""A page of each method takes few queries, whatever is stored and however much of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compat.methods import METHODS
from tests.builders import APES, BOB, nft, transfer
from tests.compat.client import Alchemy
from tests.operations.counting import MOST
from tests.operations.everything import everything
from tests.operations.promises import EDITIONS, given

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

QUERIES: dict[str, dict[str, Any]] = {
    "getNFTSales": {"contractAddress": APES, "marketplace": "blur", "taker": "BUYER"},
    "computeRarity": {"contractAddress": APES, "tokenId": "2"},
    "summarizeNFTAttributes": {"contractAddress": APES},
    "getNFTsForContract": {"contractAddress": APES},
    "getNFTMetadata": {"contractAddress": APES, "tokenId": "2"},
    "getNFTMetadataBatch": {"tokens": [{"contractAddress": APES, "tokenId": str(one)} for one in range(40)]},
    "getOwnersForNFT": {"contractAddress": EDITIONS, "tokenId": "1"},
    "getOwnersForContract": {"contractAddress": EDITIONS, "withTokenBalances": "true"},
    "getNFTsForOwner": {"owner": BOB, "contractAddresses": [APES, EDITIONS], "excludeFilters": ["SPAM"]},
    "getContractsForOwner": {"owner": BOB},
    "getContractMetadata": {"contractAddress": APES},
    "getContractMetadataBatch": {"contractAddresses": [APES, EDITIONS, BOB]},
    "getFloorPrice": {"contractAddress": APES},
}


def queries_of(alchemy: Alchemy, method: str) -> tuple[int, int]:
    """How many queries a page takes, and how long its answer is."""
    asked = QUERIES[method]
    with CaptureQueriesContext(connection) as queries:
        found = alchemy.post(method, asked) if method.endswith("Batch") else alchemy.get(method, **asked)
    return len(queries), len(json.dumps(found))


def test_every_method_is_looked_at() -> None:
    assert set(QUERIES) == {method.method for method in METHODS}


@pytest.mark.parametrize("method", QUERIES)
def test_a_page_takes_as_many_queries_however_much_there_is(alchemy: Alchemy, method: str) -> None:
    given(
        *everything(),
        transfer("2", block=500, sender=BOB, receiver=BOB, transferType="sale", markets=["blur"]),
    )
    few, _ = queries_of(alchemy, method)
    given(
        *(nft(str(one), traits=[("Hat", one % 9)]) for one in range(100, 160)),
        *(transfer(str(one), block=1000 + one, receiver=BOB) for one in range(100, 160)),
        *(
            transfer(
                str(one), block=2000 + one, sender=BOB, receiver=BOB, transferType="sale", markets=["blur"]
            )
            for one in range(100, 160)
        ),
        *(transfer(str(one), EDITIONS, block=3000 + one, receiver=BOB, amount="3") for one in range(30)),
    )
    many, _ = queries_of(alchemy, method)
    assert few <= many <= few + 1, "the places behind a query that ends early may be looked for"
    assert many <= MOST
