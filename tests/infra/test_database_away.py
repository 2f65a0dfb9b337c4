"""While the database is away each page is a 503 that says when to come back, in the form that was asked for."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client

ADDRESSES = [
    *(
        "/",
        "/admin/",
        "/admin/login/",
        "/admin/tokens/nft/",
        "/admin/indexer/",
        "/admin/tokens/nft/1/change/",
    ),
    *(
        "/api/v1/nfts/by-token",
        "/api/v1/transfers/by-token?contractAddress=0x" + "1a" * 20,
        "/readyz",
        "/metrics",
    ),
]
INDEPENDENT = ["/healthz", "/api/v1/docs", "/api/v1/schema"]


@pytest.fixture(params=[OperationalError, InterfaceError])
def away(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client with a session's cookie, of a service whose database refuses connections."""

    def refused(*_: Any, **__: Any) -> None:
        raise request.param("connection to 10.0.0.7 refused")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", refused)
    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", refused)
    monkeypatch.setattr(BaseDatabaseWrapper, "connect", refused)
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "a" * 32
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["text/html", "application/json", "*/*"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_each_page_is_unavailable(away: Client, address: str, accept: str) -> None:
    response = away.get(address, headers={"accept": accept})
    if address == "/admin/login/" and response.status_code == 200:
        return  # a form, for which nothing is asked
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert response["Cache-Control"] == "no-store" or "no-store" in response["Cache-Control"]
    assert b"10.0.0.7" not in response.content
    is_page = accept == "text/html" and not address.startswith(("/api/", "/readyz", "/metrics"))
    if is_page:
        assert response["Content-Type"].startswith("text/html")
        assert b"Try again later" in response.content
    else:
        assert response.json()["errors"][0]["code"] == "service_unavailable"


@pytest.mark.django_db
@pytest.mark.parametrize("address", INDEPENDENT)
def test_what_asks_no_database_is_answered(away: Client, address: str) -> None:
    assert away.get(address).status_code == 200


@pytest.mark.django_db
def test_a_login_is_unavailable(away: Client) -> None:
    response = away.post("/admin/login/", {"username": "a", "password": "b"}, headers={"accept": "text/html"})
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
