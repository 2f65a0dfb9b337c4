"""Field reports F1 to F14: what went wrong in other services' pages and cursors, and does not go wrong here."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, BOB, START, ask, nft, transfer
from tests.conftest import Api
from tests.operations.promises import EVERY_ORDER, given, ids, pages, refused, walked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_two_blocks_of_one_second_lose_no_row_at_a_page_edge(api: Api) -> None:
    """F1: on a fast chain two blocks share a time stamp; block and log index still tell their transfers apart."""
    given(
        *(
            transfer("1", block=block, log=log, on="base", timestamp=START, sender=ALICE, receiver=BOB)
            for block in (7, 8, 9)
            for log in (0, 5, 2**15)
        )
    )
    found = pages(api, "transfers", contractAddress=APES, limit=1)
    blocks = [record["blockNumber"] for page in found for record in page]
    assert blocks == [9, 9, 9, 8, 8, 8, 7, 7, 7]
    assert len({record["transactionHash"] for page in found for record in page}) == 9


def test_units_of_one_batch_are_paged_one_by_one(api: Api) -> None:
    """F1: within one log only the index in the batch differs, and it decides too."""
    given(*(transfer("1", block=7, log=3, batch=batch, native=batch) for batch in range(5)))
    found = walked(api, "transfers", contractAddress=APES, limit=2)
    assert [record["native"] for record in found] == [4, 3, 2, 1, 0]


def test_equal_and_unknown_rarities_are_each_shown_once(api: Api) -> None:
    """F2: ties were skipped and NFTs of no rank came again on each page."""
    given(
        *(nft(str(number), rarity=2) for number in range(20)),
        *(nft(str(number)) for number in range(20, 40)),
        *(nft(str(number), rarity=3) for number in range(40, 60)),
    )
    found = ids(walked(api, sortBy="rarity", limit=7))
    assert sorted(map(int, found)) == list(range(60))
    assert {int(number) for number in found[:20]} == set(range(40, 60))
    assert {int(number) for number in found[40:]} == set(range(20, 40))


@pytest.mark.parametrize("order", ["lowestAsk", "highestAsk"])
def test_unpriced_nfts_follow_the_last_priced_one_across_the_page_edge(api: Api, order: str) -> None:
    """F3: a cursor behind the last priced item dropped everything without an ask."""
    given(
        *(ask(str(number), price=str(number)) for number in range(1, 4)),
        *(transfer(str(number), block=number) for number in range(4, 10)),
    )
    found = pages(api, sortBy=order, limit=3)
    assert [ids(page) for page in found] == [["1", "2", "3"], ["9", "8", "7"], ["6", "5", "4"]]


def test_a_contract_is_really_sorted_by_price(api: Api) -> None:
    """F4: the order was silently ignored when it came together with a contract."""
    given(ask("1", price="3"), ask("2", price="1"), ask("3", price="2"))
    assert ids(api.nfts(contractAddress=APES, sortBy="lowestAsk")) == ["2", "3", "1"]


def test_an_order_that_does_not_exist_is_refused(api: Api) -> None:
    """F4: never ignored."""
    assert refused(api, contractAddress=APES, sortBy="floorAskPrice") == [("sortBy", "invalid_choice")]


@pytest.mark.parametrize("order", EVERY_ORDER)
def test_every_order_shows_the_same_set(api: Api, order: str) -> None:
    """F5: high to low hid what was not listed."""
    given(
        ask("1", price="3"),
        ask("2", price="1", validUntil=START),
        nft("3", rarity=5),
        transfer("4"),
        nft("5"),
    )
    assert sorted(ids(walked(api, sortBy=order, limit=2))) == ["1", "2", "3", "4", "5"]


def test_five_pages_of_twenty_end_without_a_cursor(api: Api) -> None:
    """F6: the cursor of the last page led to a 500."""
    given(*(nft(str(number)) for number in range(100)))
    found = pages(api, contractAddress=APES, sortBy="tokenId", limit=20)
    assert [len(page) for page in found] == [20] * 5


def test_a_cursor_whose_rest_is_gone_gives_an_empty_page(api: Api) -> None:
    """F6: a stale end cursor is 200 with no data, and no cursor to go on with."""
    given(*(nft(str(number)) for number in range(4)))
    query = {"excludeMarkedNfts": "true", "sortBy": "tokenId", "limit": "2"}
    cursor = api.nfts(**query)["nextCursor"]
    given(nft("2", marked=True), nft("3", marked=True))
    assert api.nfts(**query, cursor=cursor) == {"data": []}


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
@pytest.mark.parametrize("count", [30, 60])
def test_full_pages_are_not_followed_by_an_empty_one(api: Api, operation: str, count: int) -> None:
    """F7: a cursor came whenever a page was full."""
    given(*(transfer(str(number), block=number + 1) for number in range(count)))
    found = pages(api, operation, contractAddress=APES)
    assert [len(page) for page in found] == [30] * (count // 30)


@pytest.mark.parametrize("cursor", ['{"mumbai":null}', "null", "undefined", "None", "0", "e30", "bnVsbA=="])
@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_malformed_cursor_never_starts_again(api: Api, operation: str, cursor: str) -> None:
    """F8: an end cursor of nulls restarted from page one, in an endless loop."""
    faults = refused(api, operation=operation, contractAddress=APES, cursor=cursor)
    assert faults == [("cursor", "cursor_invalid")]


@pytest.mark.parametrize("order", EVERY_ORDER)
@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_every_page_has_a_cursor_of_its_own(api: Api, operation: str, order: str) -> None:
    """F9: page two gave the cursor of page one again."""
    given(*(transfer(str(number), block=1, log=number) for number in range(6)))
    ask_for = api.nfts if operation == "nfts" else api.transfers
    cursors = [ask_for(contractAddress=APES, sortBy=order, limit=1)["nextCursor"]]
    while True:
        page = ask_for(contractAddress=APES, sortBy=order, limit=1, cursor=cursors[-1])
        if "nextCursor" not in page:
            break
        cursors.append(page["nextCursor"])
    assert len(set(cursors)) == len(cursors) == 5


def test_a_cursor_goes_on_with_its_own_filters_and_no_others(api: Api) -> None:
    """F10: a filter of two types leaked into, or was lost from, the next page's parameters."""
    given(*(nft(str(number), traits=[("Type", "Ape")]) for number in range(4)))
    query = {"traits": "Type-Ape,Type-Alien", "sortBy": "tokenId", "limit": "2"}
    cursor = api.nfts(**query)["nextCursor"]
    assert ids(api.nfts(**{**query, "traits": "Type-Alien,Type-Ape"}, cursor=cursor)) == ["2", "3"]
    for other in ({**query, "traits": "Type-Ape"}, {"sortBy": "tokenId"}, {**query, "excludeMarkedNfts": ""}):
        assert refused(api, **other, cursor=cursor) == [("cursor", "cursor_mismatch")]


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_page_claims_no_total_that_it_cannot_count(api: Api, operation: str) -> None:
    """F11: page one was full, page two empty, and `total` said 0."""
    given(*(transfer(str(number), block=number + 1) for number in range(3)))
    ask_for = api.nfts if operation == "nfts" else api.transfers
    first = ask_for(contractAddress=APES, limit=2)
    assert set(first) == {"data", "nextCursor"}
    assert set(ask_for(contractAddress=APES, limit=2, cursor=first["nextCursor"])) == {"data"}


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_page_is_never_longer_than_asked_and_has_a_cursor_exactly_when_more_follows(
    api: Api, operation: str
) -> None:
    """F12: a full page without a cursor ended walks early; 101 items came for a size of 100."""
    given(*(transfer(str(number), block=number + 1) for number in range(12)))
    ask_for = api.nfts if operation == "nfts" else api.transfers
    for limit in (1, 5, 11, 12, 13, 30):
        page = ask_for(contractAddress=APES, limit=limit)
        assert len(page["data"]) == min(limit, 12)
        assert ("nextCursor" in page) == (limit < 12)


def test_236_rows_are_eight_pages_and_the_last_has_26(api: Api) -> None:
    """F13: only 200 of 236 rows could be reached."""
    given(*(transfer("1", block=number + 1, sender=ALICE, receiver=BOB) for number in range(236)))
    found = pages(api, "transfers", contractAddress=APES, tokenId="1")
    assert [len(page) for page in found] == [30] * 7 + [26]
    assert [record["blockNumber"] for page in found for record in page] == list(range(236, 0, -1))


def test_the_union_of_the_pages_is_the_whole_set(api: Api) -> None:
    """F14: the mints of ids 1453 to 1461 were missing from a walk and were found only one by one."""
    given(*(transfer(str(number), block=number // 9, log=number % 9) for number in range(1440, 1475)))
    found = walked(api, "transfers", contractAddress=APES, limit=4)
    assert sorted(int(number) for number in ids(found)) == list(range(1440, 1475))
    for number in range(1453, 1462):
        assert ids(api.transfers(contractAddress=APES, tokenId=number)) == [str(number)]
