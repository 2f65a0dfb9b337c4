"""Pages of asks and of what the chain said of orders: why an ask is live, or is not, in words."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
import time_machine
from django.utils.html import strip_tags

from core.db.keys import uint_key
from tests import indexed
from tests.admin.conftest import Operator
from tests.builders import ALICE, APES, BOB, CAROL, START, ask, contract, load_lines, transfer
from tokens.admin.asks import liveness
from tokens.models import Ask
from transfers.models import OrderEvent

pytestmark = pytest.mark.django_db
NOW = START + 10_000
EXCHANGE = "0x" + "5e" * 20


def shown(operator: Operator, row: Ask) -> str:
    """The text of an ask's page, in one line."""
    page = operator.page(f"tokens/ask/{row.pk}/change/")
    return re.sub(r"\s+", " ", unescape(strip_tags(re.sub("<", " <", page))))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Yes."),
        ({"validUntil": NOW + 1}, "Yes."),
        ({"validUntil": NOW}, "No: it expired 0 s ago."),
        ({"validUntil": NOW - 7_200}, "No: it expired 2 h ago."),
        ({"validFrom": NOW + 90}, "No: it has not begun; it does in 1 min 30 s."),
        ({"taker": CAROL}, "No: it is for one buyer alone."),
        ({"maker": BOB}, "No: who must hold the NFT does not."),
        ({"maker": ALICE, "holder": EXCHANGE}, "No: who must hold the NFT does not."),
        ({"status": "filled"}, "No: it was filled."),
        ({"status": "cancelled"}, "No: it was cancelled."),
    ],
)
def test_why_an_ask_is_live_or_not_in_words(fields: dict[str, Any], words: str) -> None:
    load_lines([contract(), transfer(), ask(**fields)])
    assert liveness(Ask.objects.get(), NOW) == words


@time_machine.travel(NOW, tick=False)
def test_an_asks_page_shows_all_that_decides_it_and_what_the_chain_said(operator: Operator) -> None:
    named: dict[str, Any] = {"maker": ALICE, "operator": CAROL, "exchange": EXCHANGE, "nonce": "77"}
    line: dict[str, Any] = {"endPrice": "1", "priceFrom": NOW - 25, "priceUntil": NOW + 75}
    load_lines([contract(), transfer(), ask(price="2", order="0xab", source="somewhere", **named, **line)])
    told: dict[str, Any] = {
        "exchange": EXCHANGE,
        "maker": ALICE,
        "token_key": None,
        "contract": None,
        "operator": None,
    }
    indexed.an_order_event(3, order_hash="0xab", exchange=EXCHANGE, maker=None)
    indexed.an_order_event(4, kind="ended", order_hash=None, exchange=EXCHANGE, token_key=uint_key(1))
    indexed.an_order_event(5, kind="bulk-ended", **{**told, "order_hash": None})
    indexed.an_order_event(6, kind="nonce-ended", **{**told, "order_hash": None, "nonce": 77})
    approval: dict[str, Any] = {"kind": "approved", "exchange": "", "operator": CAROL}
    approval |= {"token_key": None, "order_hash": None}
    indexed.an_order_event(7, detail='{"is_approved": true}', **approval)
    indexed.an_order_event(8, **approval)
    page = shown(operator, Ask.objects.get())
    for text in ("1.75", "0x5e5e5e", CAROL, "77", "somewhere", "Why it is live, or is not Live now: Yes."):
        assert text in page, text
    words = ["approval of the market withdrawn", "market approved", "its maker ended the order with a nonce"]
    words += ["its maker ended all such orders", "ended", "offered"]
    told_of = page.partition("The chain said")[2]
    places = [told_of.index(f" {word} 1970") for word in words]
    assert places == sorted(places), "newest first"


def test_events_of_others_are_not_on_an_asks_page(operator: Operator) -> None:
    load_lines([contract(), transfer(), ask(order="0xab", maker=ALICE, exchange=EXCHANGE, operator=CAROL)])
    indexed.an_order_event(1, order_hash="0xac")
    indexed.an_order_event(2, order_hash="0xab", on="polygon")
    indexed.an_order_event(
        3, kind="bulk-ended", maker=BOB, exchange=EXCHANGE, order_hash=None, token_key=None
    )
    indexed.an_order_event(4, kind="bulk-ended", maker=ALICE, exchange=CAROL, order_hash=None, token_key=None)
    assert "1970" not in shown(operator, Ask.objects.get()).partition("The chain said")[2]


def test_asks_are_listed_by_why_they_are_not_live_with_their_number(operator: Operator) -> None:
    load_lines(
        [
            *(contract(), transfer()),
            ask(maker=ALICE),
            ask(maker=BOB),
            ask(maker=CAROL),
            ask(taker=BOB),
            ask(status="filled"),
        ]
    )
    page = re.sub(r"\s+", " ", strip_tags(re.sub("<", " <", operator.page("tokens/ask/"))))
    assert "that can be live, first to end first 1 " in page
    assert "that are not live: who must hold the NFT does not 2 " in page
    assert "that are not live: it is for one buyer alone 1 " in page
    assert "that are not live: it was filled 1 " in page
    assert "that are not live: it was cancelled 0 " in page
    response = operator.client.get("/admin/tokens/ask/", {"show": "not-owner"})
    assert {row.maker for row in response.context["cl"].result_list} == {BOB, CAROL}


def test_what_the_chain_said_is_found_by_order_maker_contract_and_nft(operator: Operator) -> None:
    first = indexed.an_order_event(1, order_hash="0x" + "ab" * 32)
    second = indexed.an_order_event(2, maker=BOB)
    withdrawn = indexed.an_order_event(3, kind="approved", maker=CAROL, token_key=None, order_hash=None)
    table = "transfers/orderevent"
    assert operator.found(table, "0x" + "AB" * 32) == [first.pk]
    assert operator.found(table, f"{APES}:2") == [second.pk]
    assert operator.found(table, BOB) == [second.pk]
    assert operator.found(table, APES) == [first.pk, second.pk]
    assert operator.found(table, f"{APES}/2") == [second.pk]
    assert operator.found(table, "something") == []
    response = operator.client.get(f"/admin/{table}/", {"show": "approved"})
    assert [row.pk for row in response.context["cl"].result_list] == [withdrawn.pk]
    assert "Approval of the market withdrawn, in block 3" in operator.page(f"{table}/{withdrawn.pk}/change/")
    assert OrderEvent.objects.count() == 3
