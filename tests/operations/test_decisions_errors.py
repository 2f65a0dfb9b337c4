"""Every error has one body and a code, and an error of ours shows nothing of its inside."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import APES, ens, nft
from tests.conftest import Api
from tests.operations.promises import given

pytestmark = pytest.mark.django_db


def errors_of(response: Any, status: int) -> list[dict[str, Any]]:
    """The errors of a response of this status, whose body must have the one shape."""
    assert response.status_code == status
    assert response["Content-Type"] == "application/json"
    body = response.json()
    assert set(body) == {"type", "errors"}
    assert body["type"] in {"validation_error", "client_error", "server_error"}
    errors: list[dict[str, Any]] = body["errors"]
    assert errors
    for error in errors:
        assert set(error) == {"code", "detail", "attr"}
        assert error["detail"]
    return errors


@pytest.mark.parametrize("address", ["/api/v1/nope", "/api/v1/nfts", "/api/v2/nfts/by-token"])
def test_an_address_where_nothing_is(api: Api, address: str) -> None:
    (error,) = errors_of(api.get(address), 404)
    assert error["code"] == "not_found"


def test_a_method_that_is_not_allowed(api: Api) -> None:
    (error,) = errors_of(api.client.post("/api/v1/nfts/by-token"), 405)
    assert (error["code"], error["attr"]) == ("method_not_allowed", None)


def test_a_form_of_answer_that_there_is_not(api: Api) -> None:
    (error,) = errors_of(api.get("/api/v1/nfts/by-token", accept="image/png"), 406)
    assert error["code"] == "not_acceptable"


@pytest.mark.parametrize(
    ("operation", "query", "expected"),
    [
        ("transfers", "", ("contractAddress", "required")),
        ("nfts", "limit=x", ("limit", "invalid")),
        ("nfts", "sortBy=x", ("sortBy", "invalid_choice")),
        ("nfts", "tokenId=" + ",".join(map(str, range(31))), ("tokenId", "max_length")),
        ("nfts", "tokenID=1", ("tokenID", "unknown_parameter")),
        ("nfts", "cursor=x", ("cursor", "cursor_invalid")),
        ("nfts", "contractAddress=nobody.eth", ("contractAddress", "ens_unavailable")),
    ],
)
def test_a_fault_names_the_parameter_and_has_a_code(
    api: Api, operation: str, query: str, expected: tuple[str, str]
) -> None:
    (error,) = errors_of(api.get(f"/api/v1/{operation}/by-token", query), 400)
    assert (error["attr"], error["code"]) == expected


def test_a_cursor_of_another_query(api: Api) -> None:
    given(nft("1"), nft("2"), ens("apes.eth", APES))
    cursor = api.nfts(limit=1)["nextCursor"]
    (error,) = errors_of(api.get("/api/v1/nfts/by-token", {"sortBy": "rarity", "cursor": cursor}), 400)
    assert (error["attr"], error["code"]) == ("cursor", "cursor_mismatch")


def test_a_failure_shows_no_internals_and_its_id_is_in_the_log(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr("tokens.viewsets.nft_records", fail)
    response = api.get("/api/v1/nfts/by-token", x_request_id="ticket-42")
    (error,) = errors_of(response, 500)
    assert response["X-Request-ID"] == "ticket-42"
    assert "ticket-42" in error["detail"]
    assert b"swordfish" not in response.content
    assert "swordfish" in caplog.text, "the log has it, for the operator"


def test_the_body_of_errors_is_documented(api: Api) -> None:
    document = api.get("/api/v1/schema", {"format": "json"}).json()
    for operation in ("nfts", "transfers"):
        answers = document["paths"][f"/api/v1/{operation}/by-token"]["get"]["responses"]
        assert {"200", "400", "404", "405", "406", "500", "503"} <= set(answers)
    for code in ("unknown_parameter", "cursor_invalid", "cursor_mismatch", "ens_unavailable"):
        assert code in api.get("/api/v1/schema", {"format": "json"}).content.decode()
