"""Every error of the API has one body, whoever refuses the request, also with DEBUG on."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.rest.errors import ServiceUnavailable
from nftsite.urls import urlpatterns as real_urls
from tests.conftest import Api

RAISED: dict[str, Exception] = {
    "bug": ZeroDivisionError("a secret of the code"),
    "operational": OperationalError("could not connect to 10.0.0.7"),
    "interface": InterfaceError("connection already closed"),
    "suspicious": SuspiciousOperation("a trick"),
    "resolver": ServiceUnavailable("The resolver does not answer.", "ens_unavailable", wait=7),
}


class Raising(APIView):
    """Raises what its address names."""

    def get(self, request: Request, name: str) -> Response:
        """Never answers."""
        raise RAISED[name]


def plain(request: HttpRequest, name: str) -> HttpResponse:
    """Raises outside of DRF."""
    raise RAISED[name]


urlpatterns = [path("api/v1/raise/<name>", Raising.as_view()), path("api/v1/plain/<name>", plain), *real_urls]


@pytest.fixture(autouse=True, params=[False, True], ids=["", "DEBUG"])
def debug(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Each of these tests runs with DEBUG off and on."""
    with override_settings(ROOT_URLCONF=__name__, DEBUG=request.param):
        yield request.param


def check_body(response: Any, status: int, code: str) -> dict[str, Any]:
    """The one error of a body of the standard shape."""
    assert response.status_code == status
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    assert response["X-Request-ID"]
    body = response.json()
    assert body["type"] == ("server_error" if status >= 500 else "client_error")
    assert [set(error) for error in body["errors"]] == [{"code", "detail", "attr"}]
    error: dict[str, Any] = body["errors"][0]
    assert (error["code"], error["attr"]) == (code, None)
    return error


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "text/html"])
@pytest.mark.parametrize("address", ["/api/v1/nothing", "/api/v2/nfts/by-token", "/api/", "/api/v1/nothing/"])
def test_unknown_address(api: Api, address: str, accept: str) -> None:
    check_body(api.get(address, accept=accept), 404, "not_found")


def test_unknown_address_outside_of_the_api(api: Api) -> None:
    """JSON for whoever does not ask for a page; a page for browsers."""
    check_body(api.get("/nothing", accept="*/*"), 404, "not_found")
    assert api.get("/nothing", accept="text/html,*/*;q=0.8")["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
@pytest.mark.parametrize(
    "address",
    ["/api/v1/nfts/by-token", "/api/v1/transfers/by-token", "/api/v1/schema", "/api/v1/docs", "/healthz"],
)
def test_wrong_method(api: Api, method: str, address: str) -> None:
    response = api.client.generic(method, address)
    check_body(response, 405, "method_not_allowed")
    assert {"GET", "HEAD"} <= set(response["Allow"].split(", "))


@pytest.mark.parametrize(("query", "accept"), [("format=xml", "*/*"), ("", "image/png")])
def test_a_wrong_method_is_told_before_a_wrong_format(api: Api, query: str, accept: str) -> None:
    response = api.client.generic(
        "POST", "/api/v1/nfts/by-token", QUERY_STRING=query, headers={"accept": accept}
    )
    check_body(response, 405, "method_not_allowed")


def test_not_acceptable(api: Api) -> None:
    check_body(api.get("/api/v1/nfts/by-token", accept="image/png"), 406, "not_acceptable")


@pytest.mark.parametrize(
    "word", ["xml", "XML", "json2", "html", "%00", "a" * 3000, "%F0%9F%A6%96", "json%20"]
)
@pytest.mark.parametrize("address", ["nfts/by-token", "transfers/by-token", "schema", "docs"])
def test_a_format_that_there_is_not_is_a_fault_of_its_parameter(api: Api, address: str, word: str) -> None:
    if (address, word) == ("docs", "html"):
        return
    response = api.get(f"/api/v1/{address}", f"format={word}", accept="text/html")
    assert response.status_code == 400
    (error,) = response.json()["errors"]
    assert (error["attr"], error["code"]) == ("format", "invalid_choice")
    assert "Known formats: " in error["detail"]
    assert len(error["detail"]) < 300


def test_bad_host(api: Api) -> None:
    check_body(api.get("/api/v1/nfts/by-token", host="evil.example"), 400, "invalid")


@pytest.mark.parametrize("kind", ["raise", "plain"])
def test_a_fault_of_ours(api: Api, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """No internals, but the id under which the log has the traceback."""
    response = api.get(f"/api/v1/{kind}/bug", x_request_id="find-me.1")
    error = check_body(response, 500, "error")
    assert "find-me.1" in error["detail"]
    assert b"secret" not in response.content
    assert any(
        record.exc_info and "ZeroDivisionError" in str(record.exc_info[0]) for record in caplog.records
    )


@pytest.mark.parametrize("name", ["operational", "interface"])
def test_the_database_does_not_answer(api: Api, name: str) -> None:
    response = api.get(f"/api/v1/raise/{name}")
    error = check_body(response, 503, "service_unavailable")
    assert "10.0.0.7" not in error["detail"]
    assert int(response["Retry-After"]) > 0


def test_a_resolver_does_not_answer(api: Api) -> None:
    response = api.get("/api/v1/raise/resolver")
    check_body(response, 503, "ens_unavailable")
    assert response["Retry-After"] == "7"


@pytest.mark.parametrize("kind", ["raise", "plain"])
def test_what_django_finds_suspicious(api: Api, kind: str) -> None:
    check_body(api.get(f"/api/v1/{kind}/suspicious"), 400, "invalid")


@pytest.mark.django_db
def test_more_parameters_than_django_takes(api: Api) -> None:
    response = api.get("/api/v1/nfts/by-token", "&".join(f"a{n}=1" for n in range(1500)))
    assert response.status_code == 400
    assert response.json()["errors"]
