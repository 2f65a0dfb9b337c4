"""People at the browsable API, in a real browser, with scripts and without."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.builders import ALICE, APES, BOB, ask, contract, load_lines, nft, transfer

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # pages are not of an engine

NFTS = "/api/v1/nfts/by-token"


@pytest.fixture(scope="module", autouse=True)
def world(committed: None) -> None:
    """Seven apes: fur by turns, prices by number, each minted and once sold."""
    load_lines(
        [
            contract(APES, name="Apes"),
            *(
                nft(str(number), traits=[("Fur", ("Brown", "Golden, old")[number % 2])], rarity=number)
                for number in range(7)
            ),
            *(transfer(str(number), block=100 + number) for number in range(7)),
            *(
                transfer(str(number), block=200 + number, sender=ALICE, receiver=BOB, markets=["blur"])
                for number in range(7)
            ),
            *(ask(str(number), price=str(number + 1), maker=BOB) for number in range(4)),
        ]
    )


def submit(visit: Visit, **values: str) -> None:
    """Fill the form and send it."""
    for folded in ("Every filter", "More"):
        summary = visit.page.locator("summary", has_text=folded).first
        if not summary.evaluate("summary => summary.parentElement.open"):
            summary.click()
    for name, value in values.items():
        control = visit.page.get_by_label(name, exact=False).first
        if control.evaluate("control => control.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
    visit.follow(visit.page.get_by_role("button", name="Show"))


def titles(visit: Visit) -> list[str]:
    """The items of the page."""
    return visit.texts(".card h3")


def rows(visit: Visit) -> list[str]:
    """The NFTs of a page's transfers."""
    return visit.texts("#items tbody th a")


def test_the_landing_page_leads_to_a_query(visit: Visit) -> None:
    visit.open("/")
    visit.assert_labelled()
    visit.follow(visit.page.get_by_role("link", name="The rarest of Apes"))
    assert titles(visit) == [f"#{number}" for number in (6, 5, 4, 3, 2, 1, 0)]


def test_the_form_searches_by_contract_and_leaves_no_blank_parameters_in_the_address(visit: Visit) -> None:
    visit.open(NFTS)
    visit.assert_labelled()
    submit(visit, contractAddress=APES)
    assert visit.page.url == f"{visit.base}{NFTS}?contractAddress={APES}"
    assert len(titles(visit)) == 7


def test_the_form_searches_by_traits(visit: Visit) -> None:
    visit.open(NFTS)
    submit(visit, contractAddress=APES, traits='"Fur-Golden, old"', sortBy="tokenId")
    assert titles(visit) == ["#1", "#3", "#5"]


def test_the_form_searches_by_price(visit: Visit) -> None:
    visit.open(NFTS)
    submit(visit, Lowest="2", Highest="3")
    assert visit.page.url == f"{visit.base}{NFTS}?priceFilter=eth%2C2%2C3", "ETH where no currency is named"
    visit.follow(visit.page.get_by_role("link", name="Cheapest").first)
    assert titles(visit) == ["#1", "#2"]
    assert "2 ETH on opensea" in visit.texts(".card dd")


def test_a_walk_goes_forward_to_the_end_and_back_to_the_first_page(visit: Visit) -> None:
    visit.open(NFTS)
    submit(visit, contractAddress=APES, sortBy="tokenId", limit="3")
    seen = titles(visit)
    while visit.page.get_by_role("link", name="Next page").count():
        visit.follow(visit.page.get_by_role("link", name="Next page").last)
        seen += titles(visit)
    assert seen == [f"#{number}" for number in range(7)]
    visit.follow(visit.page.get_by_role("link", name="First page").first)
    assert titles(visit) == ["#0", "#1", "#2"]


def test_an_nft_leads_to_its_transfers_and_a_transfer_to_its_nft(visit: Visit) -> None:
    visit.open(f"{NFTS}?contractAddress={APES}&tokenId=3")
    visit.follow(visit.page.locator(".card").get_by_role("link", name="#3", exact=True))
    visit.follow(visit.page.get_by_role("link", name="Transfers by Token"))
    assert rows(visit) == ["#3", "#3"]
    assert visit.texts("#items .badge") == ["transfer", "mint"]
    visit.assert_labelled()
    visit.follow(visit.page.locator("#items tbody a").first)
    assert visit.page.locator("h1").inner_text() == "#3"


def test_raw_data_unfold_in_the_page_and_what_options_say(visit: Visit) -> None:
    visit.open(f"{NFTS}?contractAddress={APES}&tokenId=3")
    visit.page.get_by_text("Raw data").click()
    assert visit.page.get_by_text('"tokenId": "3"').is_visible()
    visit.page.get_by_text("OPTIONS", exact=True).click()
    assert visit.page.get_by_text('"renders"').is_visible()


def test_a_wrong_value_is_told_beside_its_control(visit: Visit) -> None:
    visit.expected = {400}
    visit.open(NFTS)
    submit(visit, contractAddress=APES, limit="99")
    assert "The limit is a whole number from 1 to 30" in visit.texts(".wrong")[0]
    assert visit.page.get_by_label("contractAddress").input_value() == APES


def test_a_phone_needs_no_sideways_scrolling(phone: Visit) -> None:
    phone.page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", NFTS, f"/api/v1/transfers/by-token?contractAddress={APES}"):
        phone.open(path)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_the_documentation_tries_a_query(scripted: Visit) -> None:
    scripted.open("/api/v1/docs")
    scripted.page.locator("#swagger-ui").scroll_into_view_if_needed()
    operation = scripted.page.locator("#operations-tag-NFTs, .opblock").first
    operation.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    answer = scripted.page.locator(".live-responses-table .response").first
    answer.locator(".response-col_status", has_text="200").wait_for()
    assert '"data"' in answer.inner_text()
