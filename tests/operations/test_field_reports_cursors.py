"""Field reports F15 to F23: deep walks, walks over moving data, and what a client can find out beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.rest.cursors import decode, encode
from tests.builders import ALICE, APES, BOB, ask, nft, transfer
from tests.conftest import Api
from tests.operations.promises import given, ids, refused, walked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_answers_to_different_queries_are_never_taken_for_each_other(api: Api) -> None:
    """F15: a cache key joined limit and offset, so that (1, 10) was (11, 0)."""
    given(*(nft(str(number)) for number in range(30)))
    queries = [
        "limit=1&tokenId=10",
        "limit=11&tokenId=0",
        "limit=1&tokenId=1,0",
        "tokenId=1&excludedTokenIds=0",
    ]
    found = [ids(api.nfts(query)) for query in queries]
    assert found == [["10"], ["0"], found[2], ["1"]]
    assert found[2] in (["0"], ["1"])
    tags = {api.get(f"{api.base}/nfts/by-token", query)["ETag"] for query in queries}
    assert len(tags) >= 3


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_an_order_by_asks_serves_item_10000_and_not_item_10001(api: Api, operation: str) -> None:
    """F16: a walk broke in the middle ("skip must be between 0 and 5000"); here it ends, and a header says why."""
    given(
        *(transfer(str(number), log=number) for number in range(8)),
        *(ask(str(number)) for number in range(8)),
    )
    address = f"{api.base}/{operation}/by-token"
    query = {"contractAddress": APES, "sortBy": "lowestAsk", "limit": "2"}
    place = decode(api.get(address, query).json()["nextCursor"])
    assert place.served == 2
    middle = api.get(address, {**query, "cursor": encode(replace(place, served=9997))})
    assert len(middle.json()["data"]) == 2
    assert "X-Result-Limit" not in middle
    last = api.get(address, {**query, "cursor": middle.json()["nextCursor"]})
    assert len(last.json()["data"]) == 1
    assert "nextCursor" not in last.json()
    assert last["X-Result-Limit"] == "10000"


def test_an_order_whose_key_is_mostly_unknown_is_walked_to_its_end(api: Api) -> None:
    """F17: a column of nulls gave 205 of 2,679 rows, then "no more"."""
    given(*(nft(str(number), rarity=number if number % 13 == 0 else None) for number in range(104)))
    found = ids(walked(api, sortBy="rarity", limit=9))
    assert sorted(map(int, found)) == list(range(104))
    assert found[:8] == ["91", "78", "65", "52", "39", "26", "13", "0"]


def test_limits_can_be_read_before_they_are_met(api: Api) -> None:
    """F18: a page size changed on a date and clients broke; here the path has a version and OpenAPI has the limits."""
    assert api.base == "/api/v1"
    document = api.get(f"{api.base}/schema", {"format": "json"}).json()
    for operation in ("nfts", "transfers"):
        parameters = document["paths"][f"{api.base}/{operation}/by-token"]["get"]["parameters"]
        limit = next(parameter for parameter in parameters if parameter["name"] == "limit")
        assert (limit["schema"]["maximum"], limit["schema"]["default"]) == (30, 30)
    token_ids = next(
        parameter
        for parameter in document["paths"][f"{api.base}/nfts/by-token"]["get"]["parameters"]
        if parameter["name"] == "tokenId"
    )
    assert token_ids["schema"]["maxItems"] == 30


def test_how_a_walk_ends_is_documented(api: Api) -> None:
    """F19: "When do I know I got to the end?" """
    document = api.get(f"{api.base}/schema", {"format": "json"}).json()
    described = document["components"]["schemas"]["NftPage"]["properties"]["nextCursor"]["description"]
    assert "absent on the last" in described


def test_a_cursor_of_another_operation_is_refused_cleanly(api: Api) -> None:
    """F21: a valid cursor where it does not belong gave a stack trace."""
    given(transfer("1", block=1), transfer("2", block=2))
    cursor = api.nfts(contractAddress=APES, limit=1)["nextCursor"]
    faults = refused(api, operation="transfers", contractAddress=APES, limit=1, cursor=cursor)
    assert faults == [("cursor", "cursor_mismatch")]


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_newer_transfers_between_pages_shift_nothing(api: Api, operation: str) -> None:
    """F23: with an offset for a cursor, each new row shifted every later page by one."""
    given(*(transfer(str(number), block=number) for number in range(1, 7)))
    ask_for = api.nfts if operation == "nfts" else api.transfers
    page = ask_for(contractAddress=APES, limit=2)
    found = ids(page)
    block = 100
    while "nextCursor" in page:
        block += 1
        given(
            transfer(str(block), block=block),
            transfer("6", block=block, log=1, sender=ALICE, receiver=BOB),
        )
        page = ask_for(contractAddress=APES, limit=2, cursor=page["nextCursor"])
        found += ids(page)
    assert found == ["6", "5", "4", "3", "2", "1"]
