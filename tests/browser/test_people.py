"""A stranger at the pages of collections, NFTs and transfers: five tasks from the start page, by what can be seen."""

from __future__ import annotations

import json
import shlex
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response

from tests.browser.accessible import violations_of
from tests.browser.conftest import Visit, Window
from tests.builders import ask, contract, load_lines, nft
from tests.conftest import Api
from tests.ingestion.chain import Chain, FakeNode, tx
from tests.ingestion.chain import nft as moved
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.ingestion.indexing import index
from tests.ingestion.selling import sale
from transfers.figures.counting import sweep
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # pages are not of an engine
ETHER = 10**18
PRICES = {1: 1.5, 2: 0.5, 3: 2.25, 4: 1.25}
"""For how much each ape was sold, in ETH, in this order."""
MARKS: dict[int, dict[str, Any]] = {2: {"marked": True, "markedReason": "reported stolen"}}
PAGE = f"/collections/ethereum/{APES}"
KILOBYTES = 60


@pytest.fixture(scope="module", autouse=True)
def world(committed: None) -> None:
    """Four apes that were minted and sold on a chain that was indexed; two are golden, one is marked."""
    chain = Chain()
    chain.mine(*(tx(moved(number, ZERO, ALICE)) for number in PRICES))
    for number, price in PRICES.items():
        chain.mine(sale(number, int(price * ETHER), order=f"0x{number:064x}"))
    index(FakeNode(chain))
    load_lines(
        [
            contract(APES, name="Apes"),
            *(
                nft(
                    str(number),
                    APES,
                    traits=[("Fur", "Gold" if number > 2 else "Brown")],
                    rarity=float(number),
                    **MARKS.get(number, {}),
                )
                for number in PRICES
            ),
            *(ask(str(number), APES, price=str(10 - number), maker=BOB) for number in PRICES),
        ]
    )
    sweep()


def into_the_collection(visit: Visit) -> None:
    """From the start page to the collection."""
    visit.open("/")
    visit.follow(visit.page.get_by_role("link", name="Apes", exact=True))
    assert visit.page.locator("h1").inner_text() == "Apes"


def the_cheapest_golden(visit: Visit) -> None:
    """From the start page to the cheapest NFT with a given trait."""
    into_the_collection(visit)
    visit.follow(visit.page.get_by_role("link", name="Gold"))
    visit.follow(visit.page.get_by_role("link", name="Cheapest").first)


def test_the_cheapest_nft_with_a_given_trait(visit: Visit) -> None:
    the_cheapest_golden(visit)
    assert visit.texts(".card h3") == ["#4", "#3"]
    assert "6 ETH on opensea" in visit.texts(".card dd")


def test_what_it_was_last_sold_for_and_why_that_is_believed(visit: Visit) -> None:
    the_cheapest_golden(visit)
    visit.follow(visit.page.get_by_role("link", name="#4", exact=True))
    first = visit.page.locator("#history ~ table tbody tr").first
    assert "sale" in first.inner_text()
    assert "1.25 ETH" in first.inner_text()
    assert "The market's own record of the sale (opensea)" in first.inner_text()
    visit.follow(first.get_by_role("link", name="How this was found"))
    visit.assert_labelled()
    found = visit.page.locator("main").inner_text()
    for said in (
        "The event in log 0 sold it, and this is the transfer that delivers it.",
        "1.25 ETH: all that the buyer's side paid, as the event tells, fees included.",
        "The market was called with 1.25 ETH; its events tell 1.25 ETH together. (holds)",
        "borne out",
    ):
        assert said in found, said
    assert "/admin/" not in visit.page.content(), "it is for everyone"


def test_all_sales_above_one_ether_newest_first(visit: Visit) -> None:
    into_the_collection(visit)
    visit.follow(visit.page.get_by_role("link", name="All sales", exact=True))
    visit.page.get_by_label("Only sales of at least, in ETH").fill("1")
    visit.follow(visit.page.get_by_role("button", name="Show"))
    assert visit.texts("main table tbody th a") == ["#4", "#3", "#1"]
    assert visit.page.url.endswith(f"{PAGE}/sales?from=1"), "every state is an address"
    visit.follow(visit.page.get_by_role("link", name="At least 1 ETH"))
    assert visit.texts("main table tbody th a") == ["#4", "#3", "#2", "#1"]


def test_which_nfts_of_a_collection_are_marked_and_why(visit: Visit) -> None:
    into_the_collection(visit)
    visit.follow(visit.page.get_by_role("link", name="Marked NFTs"))
    assert visit.texts(".card h3") == ["#2"]
    assert visit.texts(".card .mark-reason") == ["Marked: reported stolen"]


def test_the_curl_line_for_what_is_on_the_screen(visit: Visit, api: Api) -> None:
    the_cheapest_golden(visit)
    visit.follow(visit.page.get_by_role("link", name="#4", exact=True))
    program, address = shlex.split(visit.page.locator("#request ~ pre").inner_text())
    assert program == "curl"
    parts = urlsplit(address)
    (record,) = json.loads(api.get(parts.path, parts.query).content)["data"]
    assert (record["contractAddress"], record["tokenId"]) == (APES, "4")


def test_a_collection_is_found_by_the_beginning_of_its_name(visit: Visit) -> None:
    visit.open("/")
    visit.assert_labelled()
    visit.page.get_by_label("Search by name or address").fill("ap")
    visit.follow(visit.page.get_by_role("button", name="Search"))
    assert visit.texts(".card h3") == ["Apes"]


def pages() -> list[str]:
    """Every kind of page."""
    row = Transfer.objects.filter(transfer_type="sale").first()
    assert row is not None
    transfer = f"/transfers/ethereum/{row.transaction_hash}/{row.log_index}/{row.batch_index}"
    own = [
        PAGE,
        f"{PAGE}/sales",
        f"{PAGE}/sales?from=x",
        f"{PAGE}/marked",
        f"/nfts/ethereum/{APES}/4",
        transfer,
    ]
    return ["/", "/?q=nothing", *own, f"/nfts/ethereum/{APES}/999"]


def test_axe_finds_no_violation_on_any_page(window: Window, site: str) -> None:
    assert violations_of(window, site, pages()) == {}


@pytest.mark.parametrize("width", [320, 390, 640])
def test_no_page_scrolls_sideways_also_unfolded_on_a_phone_or_at_twice_the_size(
    phone: Visit, width: int
) -> None:
    """1,280 pixels at 200 % are 640 wide."""
    phone.expected = {400, 404}
    phone.page.set_viewport_size({"width": width, "height": 800})
    for path in pages():
        phone.open(path)
        phone.page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_pages_weigh_at_most_60_kilobytes_without_pictures_as_the_server_makes_them(phone: Visit) -> None:
    phone.expected = {400, 404}
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.request.resource_type != "image":
            sizes[response.url] = len(response.body())

    phone.hear("response", note)
    for path in pages():
        sizes.clear()
        phone.open(path)
        phone.page.wait_for_load_state("load")
        assert sum(sizes.values()) <= KILOBYTES * 1000, sizes


def test_from_the_start_page_to_how_a_sale_was_found_by_keyboard_alone(visit: Visit) -> None:
    visit.open("/")
    for name in ("Apes", "#4", "How this was found: sale"):
        for _ in range(60):
            visit.page.keyboard.press("Tab")
            if visit.page.evaluate(
                "(document.activeElement.innerText || '').replaceAll('\\n', '')"
            ).startswith(name):
                break
        else:
            pytest.fail(f"{name} is not reached by the keyboard")
        with visit.page.expect_navigation():
            visit.page.keyboard.press("Enter")
    assert "How this was found" in visit.texts("h2")
    assert visit.page.locator("h1").inner_text() == "Sale of Apes #4"
