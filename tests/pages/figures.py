"""A collection with figures, and its pages as people read them."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client
from django.utils.html import strip_tags

from tests.builders import ALICE, APES, BOB, Line, ask, contract, load_lines, nft, rate, transfer
from transfers.figures.counting import sweep

NOW = 1_700_000_000
DAY = 86_400
PAGE = f"/collections/ethereum/{APES}"
COLLECTION = "C9H2KDGgvh1Nmz3rWQmjKX7zdzuHkhd2fCPFSnfr4b3E"


def html(address: str, status: int = 200) -> str:
    """A page."""
    response = Client(headers={"accept": "text/html"}).get(address)
    assert response.status_code == status, response.headers
    text: str = response.content.decode()
    return text


def text(address: str, status: int = 200) -> str:
    """What a person reads of it, in one line."""
    return re.sub(r"\s+", " ", unescape(strip_tags(html(address, status).replace("<", " <"))))


def cards(address: str) -> list[str]:
    """The titles of the cards of a page."""
    return [unescape(one) for one in re.findall(r"<h3[^>]*>.*?<bdi>(.*?)</bdi>", html(address))]


def apes() -> list[Line]:
    """Three apes: two sold, one with asks of which one is over; one marked."""
    return [
        contract(APES, name="Apes of Old"),
        rate("ETH", "2000", NOW - 60 * DAY),
        nft("1", traits=[("Fur", 'Brown, "dark"')], rarity=1.0),
        nft("2", traits=[("Fur", "Gold")], rarity=2.0, marked=True, markedReason="stolen in <May>"),
        *(
            transfer(str(number), block=number, timestamp=NOW - 50 * DAY, receiver=ALICE)
            for number in (1, 2, 3)
        ),
        transfer(
            *("1",),
            block=10,
            timestamp=NOW - DAY,
            sender=ALICE,
            receiver=BOB,
            transferType="sale",
            ethValue=1.5,
        ),
        transfer(
            *("3",),
            block=11,
            timestamp=NOW - 2 * DAY,
            sender=ALICE,
            receiver=BOB,
            transferType="sale",
            ethValue=0.25,
        ),
        ask("1", price="3", maker=BOB),
        ask("1", price="2.5", maker=BOB, validUntil=NOW),
        ask("3", price="2.75", maker=BOB),
    ]


def filled() -> None:
    """The apes, counted."""
    load_lines(apes())
    sweep(lambda: NOW)
