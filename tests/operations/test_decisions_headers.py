"""What stands around an answer: tags, caching, compression, CORS and request ids, on real pages."""

from __future__ import annotations

import gzip
import re

import pytest
import time_machine

from tests.builders import ALICE, APES, BOB, ask, nft, transfer
from tests.conftest import Api
from tests.operations.promises import NOW, given

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
OF_APES = {"contractAddress": APES}
BOTH = pytest.mark.parametrize("address", [NFTS, TRANSFERS])


@BOTH
def test_a_page_has_a_strong_tag_and_is_not_sent_again_while_it_holds(api: Api, address: str) -> None:
    given(transfer("1"))
    first = api.get(address, OF_APES)
    assert re.fullmatch(r'"[^"]+"', first["ETag"])
    again = api.get(address, OF_APES, if_none_match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    given(transfer("1", block=2, sender=ALICE, receiver=BOB))
    changed = api.get(address, OF_APES, if_none_match=first["ETag"])
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


@BOTH
def test_clients_ask_again_each_time_by_default(api: Api, address: str) -> None:
    response = api.get(address, OF_APES)
    assert response["Cache-Control"] == "no-cache"
    assert "Accept" in [word.strip() for word in response["Vary"].split(",")]


def test_a_configured_age_ends_with_the_first_ask_of_the_answer(
    api: Api, settings: object, clock: time_machine.Traveller
) -> None:
    settings.API_MAX_AGE = 600  # type: ignore[attr-defined]
    given(nft("1"), ask("2", validUntil=NOW + 90), ask("2", price="2", validUntil=NOW + 30))
    assert api.get(NFTS, {"tokenId": "1"})["Cache-Control"].endswith("max-age=600")
    assert api.get(NFTS)["Cache-Control"].endswith("max-age=30")
    clock.shift(29)
    assert api.get(NFTS)["Cache-Control"].endswith("max-age=1")
    clock.shift(1)
    assert api.get(NFTS)["Cache-Control"].endswith("max-age=60")


@BOTH
def test_pages_are_compressed_for_who_takes_it(api: Api, address: str) -> None:
    given(*(transfer(str(number), block=number) for number in range(20)))
    plain = api.get(address, OF_APES)
    packed = api.get(address, OF_APES, accept_encoding="gzip, deflate, br")
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert packed["ETag"] != plain["ETag"]
    known = api.get(address, OF_APES, accept_encoding="gzip", if_none_match=packed["ETag"])
    assert known.status_code == 304


@BOTH
def test_scripts_of_any_origin_may_read_a_page_and_its_headers(api: Api, address: str) -> None:
    response = api.get(address, OF_APES, origin="https://app.example")
    assert response["Access-Control-Allow-Origin"] == "*"
    exposed = response["Access-Control-Expose-Headers"]
    for name in ("ETag", "X-Request-ID", "X-Result-Limit", "X-Indexed-Block", "X-Indexed-At", "Retry-After"):
        assert name in exposed


@BOTH
def test_a_preflight_for_a_conditional_request_is_answered(api: Api, address: str) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    response = api.client.options(
        address, headers={**asked, "Access-Control-Request-Headers": "if-none-match"}
    )
    assert response.status_code in (200, 204)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "GET" in response["Access-Control-Allow-Methods"]
    assert "if-none-match" in response["Access-Control-Allow-Headers"].lower()


@pytest.mark.parametrize("given_id", ["abc-123", "a.b_C-9", "x" * 64])
def test_a_request_id_comes_back(api: Api, given_id: str) -> None:
    assert api.get(NFTS, x_request_id=given_id)["X-Request-ID"] == given_id


@pytest.mark.parametrize("given_id", ["", "x" * 65, "a b", "é", "a\tb", "<script>"])
def test_another_one_is_replaced(api: Api, given_id: str) -> None:
    replaced = api.get(NFTS, x_request_id=given_id)["X-Request-ID"]
    assert replaced != given_id
    assert re.fullmatch(r"[\w.-]{1,64}", replaced)
