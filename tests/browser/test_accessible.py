"""Everybody can use the pages: by keyboard, enlarged, in the dark, as axe-core judges them; and they weigh little."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest
from django.test import RequestFactory
from playwright.sync_api import Response

from nftsite.failures import failure
from tests.browser.accessible import violations_of
from tests.browser.conftest import Visit, Window, forget
from tests.builders import ALICE, APES, BOB, ask, contract, load_lines, nft, transfer

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # pages are not of an engine

NFTS = "/api/v1/nfts/by-token"
TRANSFERS = "/api/v1/transfers/by-token"
OF_APES = f"contractAddress={APES}"
PAGES = [
    "/",
    NFTS,
    f"{NFTS}?{OF_APES}&traits=Fur-Brown&sortBy=rarity",
    f"{NFTS}?{OF_APES}&_facet=Hat&_find=1",
    f"{NFTS}?tokenId=12345",
    f"{NFTS}?{OF_APES}&limit=99&nope=1&traits=x&priceFilter=1&cursor=z",
    TRANSFERS,
    f"{TRANSFERS}?{OF_APES}",
    f"{TRANSFERS}?{OF_APES}&tokenId=999",
    "/api/v1/docs",
    "/api/v1/docs/walk",
    "/api/v1/docs/errors",
]
KILOBYTES = 60
MARK: dict[str, Any] = {"marked": True, "markedReason": "Stolen in May"}


@pytest.fixture(scope="module", autouse=True)
def world(committed: None) -> None:
    """Forty apes with 22 traits each, asks, sales, and one mark: pages are as full as they get."""
    load_lines(
        [
            contract(APES, name="Apes"),
            *(
                nft(
                    str(number),
                    traits=[
                        ("Fur", ("Brown", "Golden, old")[number % 2]),
                        ("Hat", f"Hat {number}"),
                        *((f"Part {kind}", f"Shape number {number % 9}") for kind in range(20)),
                    ],
                    rarity=number,
                    **(MARK if number == 39 else {}),
                )
                for number in range(40)
            ),
            *(transfer(str(number), block=100 + number) for number in range(40)),
            *(
                transfer(
                    str(number),
                    block=200 + number,
                    sender=ALICE,
                    receiver=BOB,
                    markets=["blur"],
                    ethValue=1.5,
                )
                for number in range(40)
            ),
            *(ask(str(number), price=str(number + 1), maker=BOB) for number in range(36)),
        ]
    )


def test_axe_finds_no_violation_on_any_page(window: Window, site: str) -> None:
    """Lists are of nine items: one that is marked, and one that is for sale; thirty have nothing else to be judged."""
    few = [f"{path}&limit=9" if path.endswith(("rarity", "_find=1", OF_APES)) else path for path in PAGES]
    few[few.index(NFTS)] += "?limit=9"
    assert violations_of(window, site, [*few, "/nothing", "/collections/ethereum/0x12"]) == {}


def test_axe_finds_no_violation_on_pages_of_failures(window: Window, site: str, rf: RequestFactory) -> None:
    request = rf.get("/", headers={"accept": "text/html"})
    statuses = (400, 404, 500, 503)
    made = {f"/{status}": failure(request, HTTPStatus(status)).content.decode() for status in statuses}
    assert violations_of(window, site, [], made) == {}


@pytest.mark.parametrize("width", [390, 640])
def test_no_page_scrolls_sideways_on_a_phone_or_at_twice_the_size(phone: Visit, width: int) -> None:
    """1,280 pixels at 200 % are 640 wide."""
    phone.expected = {400}
    phone.page.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        phone.open(path)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_a_query_is_narrowed_by_keyboard_alone(visit: Visit) -> None:
    visit.open(f"{NFTS}?{OF_APES}")
    visit.page.keyboard.press("Tab")
    assert visit.page.locator(":focus").inner_text() == "Skip to content"
    brown = visit.page.locator(".facet a", has_text="Brown").element_handle()
    for _ in range(60):
        visit.page.keyboard.press("Tab")
        if brown.evaluate("one => one === document.activeElement"):
            break
    outline = visit.page.locator(":focus").evaluate("one => getComputedStyle(one).outlineStyle")
    assert outline == "solid", "where the focus is can be seen"
    with visit.page.expect_navigation():
        visit.page.keyboard.press("Enter")
    assert visit.page.url.endswith("traits=Fur-Brown")


def test_a_page_weighs_at_most_60_kilobytes_without_pictures(phone: Visit) -> None:
    """As it is before it is compressed, for who has seen none before."""
    phone.expected = {400}
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.request.resource_type != "image":
            sizes[response.url] = len(response.body())

    phone.hear("response", note)
    for path in PAGES:
        forget(phone.page, phone.base)
        sizes.clear()
        phone.open(path)
        phone.page.wait_for_load_state("networkidle")
        assert len(sizes) >= 2, "the page and its styles"
        assert sum(sizes.values()) <= KILOBYTES * 1000, sizes


def test_filters_are_beside_the_results_on_a_wide_screen_and_behind_one_line_on_a_phone(
    visit: Visit, phone: Visit
) -> None:
    path = f"{NFTS}?{OF_APES}&traits=Fur-Brown"
    visit.open(path)
    filters, items = (visit.page.locator(name).bounding_box() for name in ("#filters", "#items"))
    assert filters is not None
    assert items is not None
    assert filters["x"] + filters["width"] < items["x"]
    assert visit.page.locator(".facet").first.is_visible()
    phone.page.set_viewport_size({"width": 390, "height": 800})
    phone.open(path)
    assert (
        phone.page.locator("#filters > summary")
        .inner_text()
        .split("\n")[0]
        .startswith("Filters Apes · Fur-Brown")
    )
    assert not phone.page.locator(".facet").first.is_visible()
    card = phone.page.locator(".card").first.bounding_box()
    assert card is not None
    assert card["y"] < 800, "results first"
    phone.open(NFTS)
    assert phone.page.locator(".facet").first.is_visible(), "open while nothing is set"
