"""Operations and addresses of the service: where they are, what they take, and who is answered in what."""

from __future__ import annotations

import pytest

from tests.builders import APES
from tests.conftest import Api

pytestmark = pytest.mark.django_db

JSON = "application/json"
OPERATIONS = ("/api/v1/nfts/by-token", "/api/v1/transfers/by-token")
EVERY_OPERATION = pytest.mark.parametrize("address", OPERATIONS)


@EVERY_OPERATION
def test_both_operations_answer_at_their_addresses(api: Api, address: str) -> None:
    response = api.get(address, {"contractAddress": APES})
    assert (response.status_code, response.json()) == (200, {"data": []})


@EVERY_OPERATION
@pytest.mark.parametrize("accept", [None, "*/*", JSON, f"{JSON}, text/plain, */*", "application/*"])
def test_api_clients_get_json(api: Api, address: str, accept: str | None) -> None:
    sent = {} if accept is None else {"accept": accept}
    response = api.get(address, {"contractAddress": APES}, **sent)
    assert response["Content-Type"] == JSON
    assert response.json() == {"data": []}


def test_the_service_says_whether_it_lives_and_is_ready(api: Api) -> None:
    for address in ("/healthz", "/readyz"):
        assert api.get(address).status_code == 200
        assert api.get(address)["Content-Type"] == JSON


def test_the_documented_limits_of_records_are_stated(api: Api) -> None:
    """At most 100 owners, 50 asks, 500 traits, 8 kB of a data URI, 10 kB of description."""
    text = api.get("/api/v1/schema", {"format": "json"}).content.decode()
    for stated in ("at most 100", "at most 50", "500", "8,000", "10,000"):
        assert stated in text


@EVERY_OPERATION
def test_what_is_asked_for_by_format_goes_before_what_is_accepted(api: Api, address: str) -> None:
    query = f"contractAddress={APES}&format="
    assert api.get(address, f"{query}json", accept="text/html")["Content-Type"] == JSON
    assert api.get(address, f"{query}xml").status_code == 400
    assert api.get(address, accept="image/png").status_code == 406
