"""A stranger's tasks, from the start page, by what can be seen alone."""

from __future__ import annotations

import json
import shlex
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import Visit
from tests.builders import APES, BOB, ask, contract, load_lines, nft, transfer
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # pages are not of an engine


@pytest.fixture(scope="module", autouse=True)
def world(committed: None) -> None:
    """Nine apes: every third is golden, all are for sale, two are marked."""
    reasons = {4: "Reported stolen by its holder", 7: "Counterfeit"}
    marks: dict[int, dict[str, Any]] = {
        number: {"marked": True, "markedReason": reason} for number, reason in reasons.items()
    }
    load_lines(
        [
            contract(APES, name="Apes"),
            *(
                nft(
                    str(number),
                    traits=[("Fur", "Gold" if number % 3 == 0 else "Brown")],
                    **marks.get(number, {}),
                )
                for number in range(9)
            ),
            *(transfer(str(number), block=100 + number, receiver=BOB) for number in range(9)),
            *(ask(str(number), price=f"{(number * 5) % 9 + 1}", maker=BOB) for number in range(9)),
        ]
    )


def all_apes(visit: Visit) -> None:
    """Go from the start page to all NFTs of the collection."""
    visit.open("/")
    visit.follow(
        visit.page.get_by_role("navigation", name="Main").get_by_role("link", name="NFTs", exact=True)
    )
    visit.follow(visit.page.locator(".facet").get_by_role("link", name="Apes"))


def test_the_cheapest_nft_with_a_given_trait(visit: Visit) -> None:
    all_apes(visit)
    visit.follow(visit.page.locator(".facet").get_by_role("link", name="Gold"))
    visit.follow(visit.page.get_by_role("link", name="Cheapest").first)
    assert visit.texts(".card h3") == ["#0", "#6", "#3"], "at 1, 4 and 7 ETH"
    assert "1 ETH on opensea" in visit.page.locator(".card").first.inner_text()


def test_which_nfts_of_a_collection_are_marked_and_why(visit: Visit) -> None:
    all_apes(visit)
    marked = visit.page.locator(".card", has_text="Marked")
    found = {
        card.locator("h3").inner_text(): card.locator(".mark-reason").inner_text() for card in marked.all()
    }
    assert found == {"#4": "Marked: Reported stolen by its holder", "#7": "Marked: Counterfeit"}


def test_what_is_set_is_taken_away_by_its_chip(visit: Visit) -> None:
    all_apes(visit)
    visit.follow(visit.page.locator(".facet").get_by_role("link", name="Gold"))
    assert len(visit.texts(".card h3")) == 3
    visit.follow(visit.page.get_by_role("list", name="What is set").get_by_role("link", name="Fur-Gold"))
    assert len(visit.texts(".card h3")) == 9


def test_the_curl_line_for_what_is_on_the_screen(visit: Visit, api: Api) -> None:
    all_apes(visit)
    visit.follow(visit.page.locator(".facet").get_by_role("link", name="Gold"))
    program, address = shlex.split(visit.page.locator("pre", has_text="curl ").first.inner_text())
    assert program == "curl"
    assert address == visit.page.url
    parts = urlsplit(address)
    answer = json.loads(api.get(parts.path, parts.query).content)
    assert [f"#{one['tokenId']}" for one in answer["data"]] == visit.texts(".card h3")
