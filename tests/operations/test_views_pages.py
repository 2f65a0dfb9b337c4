"""Both operations over HTTP: pages, their ends, headers and methods."""

from __future__ import annotations

import json
import time
from typing import Any
from unittest.mock import patch

import pytest

from tests.builders import APES
from tests.conftest import Api
from tests.operations.rows import make_ask, make_contract, make_image, make_nft, make_transfer
from tokens.models import Nft

pytestmark = pytest.mark.django_db

NFTS = "/api/v1/nfts/by-token"
TRANSFERS = "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("path", [NFTS, TRANSFERS])
OF_APES = f"contractAddress={APES}"


def make_nfts(count: int, **fields: Any) -> list[Nft]:
    """Store NFTs of one contract, each transferred once, the last one most recently."""
    contract = make_contract(nft_count=count)
    nfts = [make_nft(contract, str(number), **fields) for number in range(count)]
    for number, nft in enumerate(nfts):
        make_transfer(nft, block=number)
    return nfts


def walked(api: Api, path: str, query: str) -> list[list[str]]:
    """The token ids of every page of a walk."""
    pages, cursor = [], ""
    while True:
        body = api.get(path, f"{query}&cursor={cursor}").json()
        pages.append([record["tokenId"] for record in body["data"]])
        cursor = body.get("nextCursor", "")
        if not cursor:
            return pages


@BOTH
def test_a_walk_of_pages_meets_every_item_once_and_ends(api: Api, path: str) -> None:
    # Field reports F7, F13, F19: the last page has no cursor, and none is empty.
    make_nfts(12)
    pages = walked(api, path, f"{OF_APES}&limit=4")
    assert pages == [["11", "10", "9", "8"], ["7", "6", "5", "4"], ["3", "2", "1", "0"]]


@BOTH
def test_a_page_holds_30_items_unless_told_otherwise(api: Api, path: str) -> None:
    make_nfts(31)
    body = api.get(path, OF_APES).json()
    assert len(body["data"]) == 30
    assert "nextCursor" in body
    assert len(api.get(path, f"{OF_APES}&limit=").json()["data"]) == 30


@BOTH
def test_an_unknown_contract_is_an_empty_page(api: Api, path: str) -> None:
    # Field report F91.
    response = api.get(path, "contractAddress=0x" + "9" * 40)
    assert (response.status_code, response.json()) == (200, {"data": []})


@pytest.mark.parametrize("name", ["tokenId", "traits", "excludedTraits", "marketplaces", "excludedTokenIds"])
@pytest.mark.parametrize("blank", ["", ",", "%20,%22%22"])
def test_a_list_that_is_defined_but_empty_empties_the_answer(api: Api, name: str, blank: str) -> None:
    # Field report F90.
    make_nfts(2)
    assert api.nfts(f"{OF_APES}&{name}={blank}") == {"data": []}


def test_an_empty_list_is_answered_only_when_nothing_else_is_wrong(api: Api) -> None:
    make_nfts(2)
    cursor = api.nfts(f"{OF_APES}&limit=1")["nextCursor"]
    foreign = api.get(NFTS, f"{OF_APES}&tokenId=&cursor={cursor}")
    assert [error["code"] for error in foreign.json()["errors"]] == ["cursor_mismatch"]
    wrong = api.get(NFTS, f"{OF_APES}&tokenId=&limit=99&cursor={cursor}")
    assert [(error["attr"], error["code"]) for error in wrong.json()["errors"]] == [("limit", "invalid")]


@BOTH
def test_a_cursor_of_another_query_is_refused(api: Api, path: str) -> None:
    make_nfts(3)
    cursor = api.get(path, f"{OF_APES}&limit=1").json()["nextCursor"]
    other = TRANSFERS if path == NFTS else NFTS
    for wrong, query in ((path, f"{OF_APES}&sortBy=tokenId"), (path, f"{OF_APES}&chain=1"), (other, OF_APES)):
        response = api.get(wrong, f"{query}&cursor={cursor}")
        assert response.status_code == 400
        assert [(error["attr"], error["code"]) for error in response.json()["errors"]] == [
            ("cursor", "cursor_mismatch")
        ]


def test_the_limit_and_the_last_transfer_may_change_between_pages(api: Api) -> None:
    make_nfts(4)
    cursor = api.nfts(f"{OF_APES}&limit=1")["nextCursor"]
    page = api.nfts(f"{OF_APES}&limit=2&includeLastTransfer&cursor={cursor}")
    assert [record["lastTransfer"]["tokenId"] for record in page["data"]] == ["2", "1"]


def test_a_cursor_whose_rest_is_gone_gives_an_empty_page(api: Api) -> None:
    # Field report F6.
    nfts = make_nfts(2)
    cursor = api.nfts(f"{OF_APES}&limit=1")["nextCursor"]
    nfts[0].delete()
    assert api.nfts(f"{OF_APES}&limit=1&cursor={cursor}") == {"data": []}


@pytest.mark.parametrize("order", ["lowestAsk", "highestAsk"])
@BOTH
def test_an_order_by_asks_is_cut_at_the_last_item_allowed_and_says_so(
    api: Api, path: str, order: str
) -> None:
    # Field report F16; here at the 5th item instead of the 10,000th.
    for nft in make_nfts(7):
        make_ask(nft, "1")
    with patch("tokens.query.selection.DEPTH_CAP", 5):
        first = api.get(path, f"{OF_APES}&sortBy={order}&limit=3")
        assert "X-Result-Limit" not in first
        last = api.get(path, f"{OF_APES}&sortBy={order}&limit=3&cursor={first.json()['nextCursor']}")
    assert len(last.json()["data"]) == 2
    assert "nextCursor" not in last.json()
    assert last["X-Result-Limit"] == "10000"


def test_other_orders_are_not_cut(api: Api) -> None:
    make_nfts(7)
    with patch("tokens.query.selection.DEPTH_CAP", 5):
        assert [len(page) for page in walked(api, NFTS, f"{OF_APES}&limit=3")] == [3, 3, 1]


@BOTH
def test_head_answers_as_get_without_a_body(api: Api, path: str) -> None:
    make_nfts(1)
    full = api.get(path, OF_APES)
    head = api.client.head(f"{path}?{OF_APES}")
    assert (head.status_code, head.content) == (200, b"")
    assert head["ETag"] == full["ETag"]


@BOTH
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_not_allowed(api: Api, path: str, method: str) -> None:
    response = getattr(api.client, method)(f"{path}?{OF_APES}")
    assert response.status_code == 405
    assert response.json()["errors"][0]["code"] == "method_not_allowed"
    assert {word.strip() for word in response["Allow"].split(",")} == {"GET", "HEAD", "OPTIONS"}


@BOTH
def test_options_describes_the_operation(api: Api, path: str) -> None:
    response = api.client.options(path)
    assert response.status_code == 200
    assert response.json()["name"] in {"NFTs by Token", "Transfers by Token"}
    assert response.json()["description"]


@BOTH
def test_equal_answers_have_equal_tags_and_are_not_sent_twice(api: Api, path: str) -> None:
    nft = make_nfts(2)[0]
    first = api.get(path, OF_APES)
    assert api.get(path, OF_APES, if_none_match=first["ETag"]).status_code == 304
    make_transfer(nft, block=99)
    assert api.get(path, OF_APES, if_none_match=first["ETag"]).status_code == 200


def test_an_answer_is_not_reused_beyond_the_end_of_an_ask_in_it(api: Api, settings: Any) -> None:
    settings.API_MAX_AGE = 3600
    nft = make_nfts(1)[0]
    make_ask(nft, "1", valid_until=int(time.time()) + 100)
    age = int(api.get(NFTS, OF_APES)["Cache-Control"].rpartition("=")[2])
    assert 90 <= age <= 100
    assert api.get(TRANSFERS, OF_APES)["Cache-Control"] == "public, max-age=3600"


def test_cached_images_are_linked_under_the_host_that_was_asked(api: Api, settings: Any) -> None:
    image = make_image(state="ready", original_path="o.png", thumbnail_path="t.png")
    make_nfts(1, image=image)
    asked = api.get(NFTS, OF_APES, host="localhost:8000").json()["data"][0]["metadata"]
    assert asked == {
        "imageCacheUrl": "http://localhost:8000/files/o.png",
        "imageCacheThumbnailUrl": "http://localhost:8000/files/t.png",
    }
    settings.PUBLIC_BASE_URL = "https://nft.example/service"
    assert api.transfers(OF_APES)["data"][0]["imageCacheUrl"] == "https://nft.example/service/files/o.png"


def test_texts_that_no_encoding_knows_do_not_break_an_answer(api: Api) -> None:
    metadata = '{"name":"\\ud800 \\u0000 ok"}'
    make_nft(make_contract(), "1", metadata=metadata, native=metadata)
    response = api.get(NFTS, OF_APES)
    assert response.status_code == 200
    assert json.loads(response.content)["data"][0]["native"] == json.loads(metadata)
    assert api.get(NFTS, OF_APES, accept="text/html").status_code == 200


def test_json_is_what_clients_get_that_ask_for_nothing_else(api: Api) -> None:
    for headers in (
        {},
        {"accept": "*/*"},
        {"accept": "application/json"},
        {"accept": "Application/JSON; q=0.9"},
    ):
        assert api.get(NFTS, OF_APES, **headers)["Content-Type"] == "application/json"
    assert api.get(NFTS, f"{OF_APES}&format=json", accept="text/html")["Content-Type"] == "application/json"
    assert api.get(NFTS, OF_APES, accept="image/png").status_code == 406
    assert api.get(NFTS, f"{OF_APES}&format=xml").status_code == 400
