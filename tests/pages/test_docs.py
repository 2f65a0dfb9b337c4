"""The description of the API and its interactive page, which asks no other host for anything."""

import json
import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from tests.conftest import Api

OPERATIONS = ["/api/v1/nfts/by-token", "/api/v1/transfers/by-token"]
DOCUMENTED = {"200", "304", "400", "401", "404", "405", "406", "414", "429", "431", "500", "503"}
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", BROWSER])
def test_the_document_is_json_unless_asked_otherwise(api: Api, accept: str) -> None:
    response = api.get("/api/v1/schema", accept=accept)
    assert response["Content-Type"] == "application/json"
    document = response.json()
    assert document["openapi"] == "3.1.0"
    assert list(document["paths"]) == [*OPERATIONS, "/healthz", "/readyz"]


@pytest.mark.parametrize(("query", "accept"), [("format=yaml", "*/*"), ("", "application/yaml")])
def test_yaml(api: Api, query: str, accept: str) -> None:
    response = api.get("/api/v1/schema", query, accept=accept)
    assert response["Content-Type"].startswith("application/yaml")
    assert response.content.startswith(b"openapi: 3.1.0")


def test_json_by_format(api: Api) -> None:
    assert api.get("/api/v1/schema", "format=json", accept="application/yaml").json()["openapi"] == "3.1.0"


def test_the_document_is_the_same_each_time(api: Api) -> None:
    first = api.get("/api/v1/schema")
    assert api.get("/api/v1/schema", if_none_match=first["ETag"]).status_code == 304


def test_every_error_is_documented_in_the_one_shape(api: Api) -> None:
    document = api.get("/api/v1/schema").json()
    for address, path in document["paths"].items():
        responses = path["get"]["responses"]
        if address in OPERATIONS:
            assert set(responses) == DOCUMENTED
        for status, response in responses.items():
            assert "X-Request-ID" in response["headers"]
            if int(status) >= 400:
                reference = response["content"]["application/json"]["schema"]["$ref"]
                body = document["components"]["schemas"][reference.rpartition("/")[2]]
                assert set(body["required"]) == {"type", "errors"}


@pytest.mark.django_db  # to close an answer looks at the connection
def test_the_page_and_its_script_come_from_here(api: Api) -> None:
    page = api.get("/api/v1/docs", accept=BROWSER)
    assert page.status_code == 200
    html = page.content.decode()
    script = api.get("/api/v1/docs", "script=", accept="*/*").content.decode()
    assets = re.findall(r'(?:src|href)="(?!data:|#)([^"]+)"', html)
    static = [asset for asset in assets if asset.startswith("/static/")]
    assert len(static) >= 3
    assert all(asset.startswith("/") for asset in assets), assets
    for asset in static:
        assert finders.find(asset.removeprefix("/static/")), asset
        response = api.get(asset)
        assert response.status_code == 200
        response.close()
    for text in (html, script):
        assert re.findall(r"https?://(?!testserver)[^\s\"']+", text) == []
    assert json.dumps("/api/v1/schema") in script


def test_the_service_is_where_the_document_came_from_or_where_the_operator_says(
    api: Api, settings: Any
) -> None:
    assert api.get("/api/v1/schema").json()["servers"] == [{"url": "/"}]
    settings.PUBLIC_BASE_URL = "https://nft.example/service"
    assert api.get("/api/v1/schema").json()["servers"] == [{"url": "https://nft.example/service"}]
