"""The start page: collections, what there is, how fresh that is, and queries that find something."""

from __future__ import annotations

import re
from html import unescape

import pytest

from nftsite import overview
from tests import indexed
from tests.builders import ALICE, APES, BOB, ask, contract, load_lines, nft, transfer
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def home(api: Api) -> str:
    """The landing page."""
    response = api.get("/")
    assert response.status_code == 200
    html: str = response.content.decode()
    return html


def fill() -> None:
    """A contract with two NFTs, a sale, an ask and a trait whose value needs quotes."""
    load_lines(
        [
            contract(APES, name="Apes"),
            nft("1", traits=[("Fur", 'Brown, "dark"')], rarity=2),
            nft("2"),
            transfer("1", block=100, timestamp=1_700_000_000),
            transfer("1", block=101, timestamp=1_700_000_012, sender=ALICE, receiver=BOB, markets=["blur"]),
            ask("2", price="1.5"),
        ]
    )


def test_it_counts_what_there_is_and_says_how_fresh_it_is(api: Api) -> None:
    fill()
    html = home(api)
    figures = html.partition("What is here")[2]
    assert re.findall(r"<dt>(\w+)</dt><dd>([\d,]+)</dd>", figures) == [
        ("NFTs", "2"),
        ("Contracts", "1"),
        ("Transfers", "2"),
    ]
    assert ">block 101, 2023-11-14 22:13:32 UTC</td>" in html


def test_it_says_up_to_where_a_chain_is_indexed_from_a_node(api: Api) -> None:
    fill()
    assert "not from a node" in home(api)
    indexed.a_checkpoint(117, at=1_700_000_100)
    assert ">block 117, 2023-11-14 22:15:00 UTC</td>" in home(api)


def test_six_queries_are_linked_and_each_finds_something(api: Api) -> None:
    fill()
    links = [unescape(link) for link in re.findall(r'<li><a href="([^"]+)"', home(api))]
    assert len(links) == 6
    for link in links:
        path, _, query = link.partition("?")
        assert api.get(path, query).json()["data"], link


def test_an_empty_service_says_how_to_bring_data(api: Api) -> None:
    html = home(api)
    assert "There is no data yet" in html
    assert "python manage.py load" in html


def test_beyond_what_may_be_counted_a_number_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    monkeypatch.setattr(overview, "COUNTED", 1)
    nfts, contracts, _ = overview.figures()
    assert nfts.text.startswith("about ")
    assert nfts.number >= 2, "at least what was seen"
    assert contracts.text == "1"


def test_names_are_escaped(api: Api) -> None:
    load_lines([contract(APES, name="<script>alert(1)</script>"), nft("1")])
    assert "<script" not in home(api)
