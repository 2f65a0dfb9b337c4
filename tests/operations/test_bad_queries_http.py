"""Bad queries over HTTP, one of each code: refused with each parameter's name and every fault, never a 500.

What each query of the table is refused for needs no HTTP (`test_filters_refusals`).
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conftest import Api
from tests.operations.bad_queries import BAD_QUERIES, EVM, NFTS, TRANSFERS

pytestmark = pytest.mark.django_db

CODES = {
    "required",
    "invalid",
    "invalid_choice",
    "max_length",
    "unknown_parameter",
    "cursor_invalid",
    "cursor_mismatch",
    "ens_unavailable",
    "ens_unsupported",
}

ONE_OF_EACH = list({(row[0], code): row for row in reversed(BAD_QUERIES) for _, code in row[2]}.values())


@pytest.mark.parametrize(("operation", "query", "expected"), ONE_OF_EACH)
def test_a_bad_query_is_refused_with_every_fault(
    api: Api, operation: str, query: str, expected: list[tuple[str, str]]
) -> None:
    response = api.get(f"{api.base}/{operation}/by-token", query)
    assert response.status_code == 400
    body = response.json()
    assert body["type"] == "validation_error"
    assert Counter((error["attr"], error["code"]) for error in body["errors"]) == Counter(expected)
    assert all(error["code"] in CODES and error["detail"].strip() for error in body["errors"])
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("operation", [NFTS, TRANSFERS])
def test_each_operation_has_a_hundred_bad_queries(operation: str) -> None:
    assert sum(row[0] == operation for row in BAD_QUERIES) >= 100


@pytest.mark.parametrize(("operation", "query"), [row[:2] for row in ONE_OF_EACH])
def test_a_browser_is_told_on_the_page(api: Api, operation: str, query: str) -> None:
    response = api.get(f"{api.base}/{operation}/by-token", query, accept="text/html")
    assert response.status_code in (302, 400), "302: the form's own marker, without blanks"
    assert response["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("method", ["head", "options"])
def test_other_methods_fail_no_worse(api: Api, method: str) -> None:
    for operation, query, _ in ONE_OF_EACH:
        response = getattr(api.client, method)(f"{api.base}/{operation}/by-token?{query}")
        assert response.status_code == (400 if method == "head" else 200)


def test_a_query_beyond_all_measure_is_refused(api: Api) -> None:
    for query in ("&".join(f"a{number}=1" for number in range(2000)), "traits=" + "a-b," * 2000, "&" * 5000):
        response = api.get(f"{api.base}/transfers/by-token", query)
        assert response.status_code == 400
        assert response.json()["errors"]


def test_what_is_refused_is_refused_whatever_is_stored(api: Api) -> None:
    """Faults are found before any filter is run, so a fault and an empty list together are a fault."""
    response = api.get(f"{api.base}/nfts/by-token", f"contractAddress={EVM}&tokenId=&limit=31")
    assert [error["attr"] for error in response.json()["errors"]] == ["limit"]
