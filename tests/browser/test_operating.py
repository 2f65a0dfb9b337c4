"""An operator at the admin, in a real browser, with scripts and without."""

from __future__ import annotations

import time

import pytest
from django.contrib.auth.models import User

from tests import indexed
from tests.browser.accessible import violations_of
from tests.browser.conftest import Visit, Window
from tests.builders import ALICE as HOLDER
from tests.builders import APES, contract, load_lines, nft, transfer
from tests.ingestion.chain import Chain, FakeNode, tx
from tests.ingestion.chain import nft as chain_nft
from tests.ingestion.encoding import ALICE, ZERO
from tests.ingestion.indexing import index
from tests.ingestion.selling import sale
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]  # pages are not of an engine
NFTS = "/api/v1/nfts/by-token"


@pytest.fixture(autouse=True)
def world(transactional_db: None) -> None:
    """Three apes and an operator."""
    load_lines([contract(APES, name="Apes"), *(nft(str(number)) for number in range(1, 4))])
    User.objects.create_superuser("olga", password="a long one for tests")


def log_in(visit: Visit) -> None:
    """Come in by the login page."""
    visit.open("/admin/")
    visit.page.get_by_label("Username").fill("olga")
    visit.page.get_by_label("Password").fill("a long one for tests")
    visit.follow(visit.page.get_by_role("button", name="Log in"))


def test_an_operator_marks_an_nft_with_a_reason_and_the_api_drops_it(visit: Visit) -> None:
    log_in(visit)
    visit.follow(visit.page.get_by_role("link", name="NFTs", exact=True).first)
    visit.page.locator("#searchbar").fill("2")
    visit.follow(visit.page.locator("#changelist-search input[type=submit]"))
    rows = visit.page.locator("#result_list tbody tr")
    assert rows.count() == 1
    rows.locator("input.action-select").check()
    visit.page.locator("select[name=action]").select_option("mark")
    visit.follow(visit.page.locator("button[name=index]"))
    visit.page.get_by_label("Reason").fill("stolen in May")
    visit.follow(visit.page.locator("#content form [type=submit]").first)
    visit.page.get_by_text("Marked 1 NFT.").wait_for()

    visit.open(f"{NFTS}?contractAddress={APES}&excludeMarkedNfts=true&sortBy=tokenId")
    assert visit.texts(".card h3") == ["#1", "#3"]
    visit.open("/admin/admin/logentry/")
    assert "stolen in May" in visit.page.locator("#content").inner_text()


def test_every_control_of_the_admin_has_a_name(visit: Visit) -> None:
    log_in(visit)
    tables = ("tokens/nft", "tokens/contract", "transfers/transfer", "indexing/undecodedlog")
    for path in ("/admin/", "/admin/indexer/", *(f"/admin/{table}/" for table in tables)):
        visit.open(path)
        visit.assert_labelled()


def test_an_operator_sees_how_far_the_indexer_is_and_what_it_did_not_understand(visit: Visit) -> None:
    indexed.an_indexed_chain(head_number=120, beat_at=int(time.time()))
    indexed.a_checkpoint(117)
    indexed.an_undecoded_log(99)
    log_in(visit)
    visit.follow(visit.page.get_by_role("link", name="Indexer", exact=True).first)
    content = visit.page.locator("#content").inner_text()
    assert "an indexer is at work" in content
    assert "3 blocks behind" in content
    visit.follow(visit.page.locator("dd a"))
    assert visit.page.locator("#result_list tbody tr").count() == 1


def test_an_operator_sees_why_a_transfer_is_a_sale_and_what_is_not_explained(visit: Visit) -> None:
    chain = Chain()
    chain.mine(tx(chain_nft(1, ZERO, ALICE)))
    chain.mine(sale(1, 1_500_000_000_000_000_000))
    index(FakeNode(chain))
    indexed.a_market_fault(7, price=10**18)
    log_in(visit)
    visit.open(f"/admin/transfers/transfer/{Transfer.objects.get(transfer_type='sale').pk}/change/")
    visit.assert_labelled()
    content = visit.page.locator(".explanation").inner_text()
    assert "1.5 ETH: all that the buyer's side paid" in content
    assert "borne out" in content
    visit.open("/admin/indexing/marketfault/")
    visit.assert_labelled()
    visit.follow(visit.page.locator("#content .module td a").first)
    assert visit.page.locator("#result_list tbody tr").count() == 1


def test_a_wrong_password_is_told(visit: Visit) -> None:
    visit.open("/admin/")
    visit.page.get_by_label("Username").fill("olga")
    visit.page.get_by_label("Password").fill("guessed")
    visit.follow(visit.page.get_by_role("button", name="Log in"))
    visit.page.get_by_text("Please enter the correct username").wait_for()


def test_the_first_page_says_what_needs_an_operator_and_fits_a_phone(visit: Visit) -> None:
    indexed.an_indexed_chain(head_number=120, beat_at=int(time.time()) - 7_200)
    indexed.a_checkpoint(117)
    log_in(visit)
    assert "1 thing needs an operator" in visit.texts("h2")
    visit.page.set_viewport_size({"width": 390, "height": 844})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    visit.follow(visit.page.locator(".overview .needs .act a").first)
    assert visit.page.url.endswith("/admin/indexer/"), "each line has the link to where one acts"


def test_no_page_of_the_admin_is_wider_than_a_phone(visit: Visit) -> None:
    indexed.an_indexed_chain(head_number=120, beat_at=int(time.time()))
    indexed.a_market_fault(7, price=10**18)
    load_lines([nft(str(2**255), owner=HOLDER), transfer(str(2**255), receiver=HOLDER)])
    row = Transfer.objects.get()
    log_in(visit)
    visit.page.set_viewport_size({"width": 390, "height": 844})
    tables = ("tokens/nft", "tokens/contract", "transfers/transfer", "indexing/marketfault")
    forms = (f"transfers/transfer/{row.pk}/change", f"tokens/nft/{row.nft_id}/change")
    for path in ("", "indexer/", *(f"{one}/" for one in (*tables, *forms))):
        visit.open(f"/admin/{path}")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390, path
    visit.open("/admin/tokens/nft/")
    cut = "all => all.every(one => one.scrollWidth <= one.clientWidth)"
    assert visit.page.locator(".results").evaluate_all(cut), "nor scrolls within"
    assert "Chain: ethereum" in visit.page.locator("#result_list tr").last.evaluate(
        "row => [...row.cells].map(one => getComputedStyle(one, '::before').content.replaceAll('\"', '')"
        " + one.innerText).join('; ')"
    ), "each value says what it is"


def test_axe_has_nothing_against_the_login_the_first_page_and_a_list(window: Window, site: str) -> None:
    indexed.an_indexed_chain(head_number=120, beat_at=int(time.time()) - 7_200, fault="<b>no</b> answer")
    inside = ["/admin/", "/admin/indexer/", "/admin/tokens/nft/"]
    found = violations_of(window, site, ["/admin/login/"])
    found |= violations_of(window, site, inside, enter=log_in)
    assert found == {}
