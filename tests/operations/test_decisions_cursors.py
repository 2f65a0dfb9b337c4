"""Cursors: what they are bound to, what may change between pages, and what happens meanwhile."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine

from tests.builders import ALICE, APES, BOB, ask, ens, nft, transfer
from tests.conftest import Api
from tests.operations.promises import NOW, given, ids, refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

FILTERS = {
    "contractAddress": APES,
    "chain": "ethereum",
    "traits": "Type-Ape,Hat-Cap",
    "excludedTraits": "Fur-Red",
    "excludedTokenIds": "10,11",
    "marketplaces": "blur,opensea",
    "priceFilter": "eth,0.5,2",
    "excludeMarkedNfts": "true",
    "sortBy": "lowestAsk",
}
SAME = {
    "contractAddress": APES.upper().replace("X", "x"),
    "chain": "eip155:1",
    "traits": "Hat-Cap,Type-Ape,Hat-Cap",
    "excludedTraits": '"Fur-Red"',
    "excludedTokenIds": "0xb,010,10",
    "marketplaces": ["OpenSea", "BLUR"],
    "priceFilter": "ETH,0.50,2.0",
    "excludeMarkedNfts": "",
    "sortBy": "LOWESTASK",
}
OTHER = {
    "contractAddress": ALICE,
    "chain": "polygon",
    "traits": "Type-Ape",
    "excludedTraits": "Fur-Blue",
    "excludedTokenIds": "10",
    "marketplaces": "blur",
    "priceFilter": "eth,0.5,2.5",
    "excludeMarkedNfts": "false",
    "sortBy": "highestAsk",
}


def make_world() -> None:
    given(
        *(nft(str(number), traits=[("Type", "Ape"), ("Hat", "Cap")]) for number in range(4)),
        *(ask(str(number), price="1") for number in range(4)),
    )


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_may_be_spelled_differently_on_the_next_page(api: Api, name: str) -> None:
    make_world()
    first = api.nfts(**FILTERS, limit=2)
    rest = api.nfts(**{**FILTERS, name: SAME[name]}, cursor=first["nextCursor"])
    assert len({*ids(first), *ids(rest)}) == 4


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("change", ["other", "dropped"])
def test_a_cursor_is_refused_by_any_other_query(api: Api, name: str, change: str) -> None:
    make_world()
    cursor = api.nfts(**FILTERS, limit=2)["nextCursor"]
    changed = {other: value for other, value in FILTERS.items() if other != name}
    if change == "other":
        changed[name] = OTHER[name]
    assert refused(api, **changed, cursor=cursor) == [("cursor", "cursor_mismatch")]


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


def test_a_cursor_is_safe_in_a_url(api: Api) -> None:
    given(*(nft(str(2**256 - 1 - number)) for number in range(3)))
    for order in ("", "tokenId", "tokenId-desc", "rarity", "lowestAsk"):
        cursor = api.nfts(limit=1, sortBy=order)["nextCursor"]
        assert re.fullmatch(r"[\w.~-]+", cursor, re.ASCII)
        assert len(api.nfts(f"sortBy={order}&cursor={cursor}")["data"]) == 2


def test_a_cursor_that_was_tampered_with_is_refused(api: Api) -> None:
    given(nft("1"), nft("2"))
    cursor = api.nfts(limit=1)["nextCursor"]
    for place in range(0, len(cursor), 7):
        changed = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
        assert refused(api, cursor=changed) == [("cursor", "cursor_invalid")]
    assert refused(api, cursor=cursor[:-1]) == [("cursor", "cursor_invalid")]


@pytest.mark.parametrize("order", ["", "tokenId", "tokenId-desc", "rarity", "lowestAsk", "highestAsk"])
def test_what_does_not_move_comes_once_whatever_is_inserted_meanwhile(api: Api, order: str) -> None:
    def lines(number: int, at: int) -> list[dict[str, Any]]:
        token_id = str(number)
        return [transfer(token_id, block=at), nft(token_id, rarity=number), ask(token_id, price=str(number))]

    given(*(line for number in range(10, 20) for line in lines(number, number)))
    page = api.nfts(sortBy=order, limit=3)
    found = ids(page)
    for step in range(1, 5):
        given(*lines(step, step), *lines(100 - step, 100 + step))
        if "nextCursor" not in page:
            break
        page = api.nfts(sortBy=order, limit=3, cursor=page["nextCursor"])
        found += ids(page)
    assert len(set(found)) == len(found)
    if "nextCursor" in page:
        found += ids(api.nfts(sortBy=order, cursor=page["nextCursor"]))
    assert len(set(found)) == len(found)
    assert {str(number) for number in range(10, 20)} <= set(found)


def test_an_ask_that_ends_between_pages_takes_nothing_else_along(
    api: Api, clock: time_machine.Traveller
) -> None:
    """What has an ask to the end, or never had one, comes exactly once; what loses it may come again."""
    given(
        *(
            ask(str(number), price=str(number), validUntil=NOW + 5 if number % 2 else NOW + 500)
            for number in range(8)
        ),
        *(nft(str(number)) for number in range(8, 12)),
    )
    page = api.nfts(sortBy="lowestAsk", limit=3)
    found = ids(page)
    clock.shift(5)
    while "nextCursor" in page:
        page = api.nfts(sortBy="lowestAsk", limit=3, cursor=page["nextCursor"])
        found += ids(page)
    for steady in (0, 2, 4, 6, 8, 9, 10, 11):
        assert found.count(str(steady)) == 1


def test_the_last_page_has_no_cursor_and_never_leads_to_an_empty_one(api: Api) -> None:
    given(*(nft(str(number)) for number in range(6)))
    for limit in (1, 2, 3, 6):
        page, count = api.nfts(limit=limit), 1
        while "nextCursor" in page:
            page, count = api.nfts(limit=limit, cursor=page["nextCursor"]), count + 1
            assert page["data"]
        assert count == 6 // limit


def test_a_page_contradicts_nothing_else_in_it(api: Api) -> None:
    """Owner, owners, last transfer and markets of a record are of one state of the database."""
    given(transfer("1", block=1), transfer("1", block=2, sender=ALICE, receiver=BOB, markets=["blur"]))
    (record,) = api.nfts(includeLastTransfer="true")["data"]
    assert record["owner"] == record["owners"][0]["address"] == record["lastTransfer"]["toAddress"] == BOB
    assert record["markets"] == record["lastTransfer"]["markets"] == ["blur"]
