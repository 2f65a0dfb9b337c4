"""Cursors: what they are bound to, what may change between pages, and what happens meanwhile."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from unittest.mock import patch

import pytest
import time_machine

from core.rest.cursors import decode, encode
from tests.builders import ALICE, APES, ask, ens, nft, transfer
from tests.conftest import Api
from tests.operations.promises import EVERY_ORDER, given, ids, page_of, pages, refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

BOTH = pytest.mark.parametrize("operation", ["nfts", "transfers"])


def test_the_limit_and_the_last_transfer_may_change_between_pages(api: Api) -> None:
    given(*(transfer(str(number), block=number) for number in range(9)))
    first = api.nfts(limit=2)
    second = api.nfts(limit=3, includeLastTransfer="true", cursor=first["nextCursor"])
    third = api.nfts(cursor=second["nextCursor"])
    assert ids(first) + ids(second) + ids(third) == [str(number) for number in range(8, -1, -1)]
    assert all("lastTransfer" in record for record in second["data"])


def test_an_ens_name_counts_as_the_address_it_stood_for(api: Api) -> None:
    given(*(nft(str(number)) for number in range(3)), ens("apes.eth", APES))
    first = api.nfts(contractAddress="apes.eth", limit=1)
    assert len(ids(api.nfts(contractAddress=APES, cursor=first["nextCursor"]))) == 2
    given(ens("apes.eth", ALICE))
    assert refused(api, contractAddress="apes.eth", cursor=first["nextCursor"]) == [
        ("cursor", "cursor_mismatch")
    ]


def test_the_same_page_gives_the_same_bytes_whenever_it_is_asked(
    api: Api, clock: time_machine.Traveller
) -> None:
    given(*(transfer(str(number), block=number) for number in range(3)))
    address = f"{api.base}/nfts/by-token"
    first = api.get(address, {"limit": "1"})
    clock.shift(86_400 * 400)
    again = api.get(address, {"limit": "1"})
    assert again.content == first.content
    assert again["ETag"] == first["ETag"]
    assert len(api.nfts(cursor=first.json()["nextCursor"])["data"]) == 2, "cursors do not expire"


def test_a_cursor_that_was_tampered_with_is_refused(api: Api) -> None:
    given(nft("1"), nft("2"))
    cursor = api.nfts(limit=1)["nextCursor"]
    for place in range(0, len(cursor), 7):
        changed = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
        assert refused(api, cursor=changed) == [("cursor", "cursor_invalid")]
    assert refused(api, cursor=cursor[:-1]) == [("cursor", "cursor_invalid")]


@pytest.mark.parametrize("order", EVERY_ORDER)
@BOTH
def test_a_cursor_is_safe_in_a_url_and_holds_no_number_that_loses_digits(
    api: Api, operation: str, order: str
) -> None:
    """F26: nor does any JSON that a client may look into."""
    given(*(transfer(str(2**256 - 1 - number), log=number) for number in range(3)))
    cursor = page_of(api, operation, contractAddress=APES, limit=1, sortBy=order)["nextCursor"]
    assert re.fullmatch(r"[\w.~-]+", cursor, re.ASCII)
    payload = cursor.partition(".")[0]
    parts = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    assert all(abs(part) < 2**53 for part in parts if isinstance(part, int))


@BOTH
def test_a_cursor_is_refused_by_another_query_and_operation_once_nothing_else_is_wrong(
    api: Api, operation: str
) -> None:
    """F10, F21. Which filters make another query is told by its fingerprint."""
    given(*(transfer(str(number), block=number) for number in range(3)))
    query = {"contractAddress": APES}
    cursor = page_of(api, operation, **query, limit=1)["nextCursor"]
    for other in ({"sortBy": "tokenId"}, {"chain": "1"}, {"tokenId": "1"}):
        assert refused(api, operation=operation, **query, **other, cursor=cursor) == [
            ("cursor", "cursor_mismatch")
        ]
    other_operation = "transfers" if operation == "nfts" else "nfts"
    assert refused(api, operation=other_operation, **query, cursor=cursor) == [("cursor", "cursor_mismatch")]
    assert refused(api, operation=operation, chain="1", limit=99, **query, cursor=cursor) == [
        ("limit", "invalid")
    ]


def test_an_empty_list_is_a_query_like_any_other(api: Api) -> None:
    given(nft("1"), nft("2"))
    cursor = api.nfts(limit=1)["nextCursor"]
    assert refused(api, tokenId="", cursor=cursor) == [("cursor", "cursor_mismatch")]
    assert refused(api, tokenId="", limit=99, cursor=cursor) == [("limit", "invalid")]


def test_a_cursor_whose_rest_is_gone_gives_an_empty_page(api: Api) -> None:
    """F6: a stale end cursor is 200 with no data, and no cursor to go on with."""
    given(*(nft(str(number)) for number in range(4)))
    query = {"excludeMarkedNfts": "true", "sortBy": "tokenId", "limit": "2"}
    cursor = api.nfts(**query)["nextCursor"]
    given(nft("2", marked=True), nft("3", marked=True))
    assert api.nfts(**query, cursor=cursor) == {"data": []}


@pytest.mark.parametrize("order", ["lowestAsk", "highestAsk"])
@BOTH
def test_an_order_by_asks_serves_item_10000_and_not_item_10001(api: Api, operation: str, order: str) -> None:
    """F16: a walk broke in the middle ("skip must be between 0 and 5000"); here it ends, and a header says why."""
    given(
        *(transfer(str(number), log=number) for number in range(8)),
        *(ask(str(number)) for number in range(8)),
    )
    address = f"{api.base}/{operation}/by-token"
    query = {"contractAddress": APES, "sortBy": order, "limit": "2"}
    place = decode(api.get(address, query).json()["nextCursor"])
    assert place.served == 2
    middle = api.get(address, {**query, "cursor": encode(replace(place, served=9997))})
    assert len(middle.json()["data"]) == 2
    assert "X-Result-Limit" not in middle
    last = api.get(address, {**query, "cursor": middle.json()["nextCursor"]})
    assert len(last.json()["data"]) == 1
    assert "nextCursor" not in last.json()
    assert last["X-Result-Limit"] == "10000"


def test_other_orders_are_not_cut(api: Api) -> None:
    given(*(nft(str(number)) for number in range(7)))
    with patch("tokens.query.selection.DEPTH_CAP", 5):
        assert [len(page) for page in pages(api, sortBy="tokenId", limit=3)] == [3, 3, 1]
        assert [len(page) for page in pages(api, sortBy="lowestAsk", limit=3)] == [3, 2]
