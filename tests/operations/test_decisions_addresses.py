"""Operations and addresses of the service: where they are, what they take, and who is answered in what."""

from __future__ import annotations

import re

import pytest

from tests.builders import APES, nft
from tests.conftest import Api
from tests.operations.promises import given

pytestmark = pytest.mark.django_db

JSON = "application/json"
OPERATIONS = ("/api/v1/nfts/by-token", "/api/v1/transfers/by-token")
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
EVERY_OPERATION = pytest.mark.parametrize("address", OPERATIONS)


@EVERY_OPERATION
def test_both_operations_answer_at_their_addresses(api: Api, address: str) -> None:
    response = api.get(address, {"contractAddress": APES})
    assert (response.status_code, response.json()) == (200, {"data": []})


@EVERY_OPERATION
def test_an_address_with_a_slash_redirects_with_its_query_string(api: Api, address: str) -> None:
    response = api.get(address + "/", "contractAddress=%30x&limit=5&tokenId")
    assert response.status_code == 301
    assert response["Location"] == f"{address}?contractAddress=%30x&limit=5&tokenId"


@EVERY_OPERATION
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "trace"])
def test_nothing_can_be_written(api: Api, address: str, method: str) -> None:
    response = getattr(api.client, method)(address)
    assert response.status_code == 405
    assert {word.strip() for word in response["Allow"].split(",")} == {"GET", "HEAD", "OPTIONS"}


@EVERY_OPERATION
def test_head_is_get_without_a_body(api: Api, address: str) -> None:
    asked = {"contractAddress": APES}
    head, get = api.client.head(address, asked), api.client.get(address, asked)
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Length"] == str(len(get.content))
    assert head["ETag"] == get["ETag"]


@EVERY_OPERATION
def test_options_is_answered(api: Api, address: str) -> None:
    assert api.client.options(address).status_code == 200


@EVERY_OPERATION
@pytest.mark.parametrize("accept", [None, "*/*", JSON, f"{JSON}, text/plain, */*", "application/*"])
def test_api_clients_get_json(api: Api, address: str, accept: str | None) -> None:
    sent = {} if accept is None else {"accept": accept}
    response = api.get(address, {"contractAddress": APES}, **sent)
    assert response["Content-Type"] == JSON
    assert response.json() == {"data": []}


@EVERY_OPERATION
def test_a_browser_gets_a_page_with_the_filter_form(api: Api, address: str) -> None:
    given(nft("1"))
    response = api.get(address, {"contractAddress": APES}, accept=BROWSER)
    page = response.content.decode()
    assert response["Content-Type"].startswith("text/html")
    assert "<form" in page
    assert 'name="contractAddress"' in page


def test_the_form_leads_to_the_address_without_blank_parameters(api: Api) -> None:
    """Browsers send every control of a form, and a blank `tokenId` would mean an empty list."""
    page = api.get(OPERATIONS[0], accept=BROWSER).content.decode()
    hidden = re.search(r'<input[^>]*type="hidden"[^>]*>', page)
    assert hidden is not None
    marker = re.search(r'name="([^"]+)"', hidden[0])
    assert marker is not None
    sent = f"{marker[1]}=1&contractAddress={APES}&tokenId=&traits=&excludeMarkedNfts=&priceFilter=&limit=5"
    response = api.get(OPERATIONS[0], sent, accept=BROWSER)
    assert response.status_code == 302
    assert response["Location"] == f"{OPERATIONS[0]}?contractAddress={APES}&limit=5"


def test_the_service_says_whether_it_lives_and_is_ready(api: Api) -> None:
    for address in ("/healthz", "/readyz"):
        assert api.get(address).status_code == 200
        assert api.get(address)["Content-Type"] == JSON


def test_the_openapi_document_comes_in_json_and_yaml(api: Api) -> None:
    as_json = api.get("/api/v1/schema", {"format": "json"})
    assert as_json.json()["openapi"].startswith("3.1")
    assert set(as_json.json()["paths"]) >= set(OPERATIONS)
    as_yaml = api.get("/api/v1/schema", {"format": "yaml"})
    assert as_yaml.content.decode().startswith("openapi: 3.1")
    assert api.get("/api/v1/schema", accept="application/yaml").content == as_yaml.content
    assert api.get("/api/v1/schema", accept="application/json").json() == as_json.json()


def test_the_interactive_docs_need_nothing_from_elsewhere(api: Api) -> None:
    page = api.get("/api/v1/docs")
    assert page.status_code == 200
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.content.decode())
    assert loaded
    assert all(address.startswith(("/", "data:")) and not address.startswith("//") for address in loaded)


def test_the_documented_limits_of_records_are_stated(api: Api) -> None:
    """At most 100 owners, 50 asks, 500 traits, 8 kB of a data URI, 10 kB of description."""
    text = api.get("/api/v1/schema", {"format": "json"}).content.decode()
    for stated in ("at most 100", "at most 50", "500", "8,000", "10,000"):
        assert stated in text
