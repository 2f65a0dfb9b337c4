"""The admin's first page: what needs an operator, why, and the link to where he acts."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from indexing.models import BookWalk
from media.models import CachedImage
from tests import indexed
from tests.admin.conftest import Operator
from tests.builders import APES, contract, load_lines, nft, transfer
from tokens.models import Chain, Contract, MetadataFetch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """A disk of a hundred gigabytes, of which half are free."""
    sizes = {"total": 100 * 2**30, "free": 50 * 2**30}
    usage = lambda _: (sizes["total"], sizes["total"] - sizes["free"], sizes["free"])  # noqa: E731
    monkeypatch.setattr("media.overview.shutil.disk_usage", usage)
    return sizes


def first_page(operator: Operator) -> str:
    """What it says above the tables, in one line."""
    html = operator.page("").partition('class="overview"')[2].partition('id="content-main"')[0]
    return re.sub(r"\s+", " ", unescape(strip_tags(html.replace("<", " <"))))


def test_nothing_needs_an_operator_where_nothing_is_wrong(operator: Operator) -> None:
    assert "Nothing needs an operator" in first_page(operator)


def test_a_chain_that_nobody_indexes_any_more_and_why(operator: Operator) -> None:
    now = int(time.time())
    indexed.an_indexed_chain(
        head_number=120, beat_at=now - 7_200, fault="the node does not answer", fault_at=now - 60
    )
    indexed.a_checkpoint(100, at=now - 7_500)
    found = first_page(operator)
    assert "1 thing needs an operator" in found
    assert "ethereum needs you at block 100 (20 blocks behind), no indexer at work for 2 h" in found
    assert "the node does not answer" in found
    assert '<a href="/admin/indexer/">indexer</a>' in operator.page("")


def test_metadata_and_images_that_failed_are_named_with_the_reason(operator: Operator) -> None:
    load_lines([contract(APES, name="Apes"), transfer("7", block=1)])
    MetadataFetch.objects.update(state="gone", fault="HTTP 404 from its server", next_attempt_at=None)
    CachedImage.objects.create(
        key="a" * 32,
        url="https://a.example/7.png",
        state="failed",
        fault="it is no picture",
        next_attempt_at=None,
    )
    found = first_page(operator)
    assert "2 things need an operator" in found
    assert "Apes #7 : HTTP 404 from its server" in found
    assert "https://a.example/7.png : it is no picture" in found
    page = operator.page("")
    assert "/admin/tokens/metadatafetch/?show=gone" in page
    assert "/admin/media/cachedimage/?show=failed" in page


def test_work_that_nobody_does_is_told_after_an_hour(operator: Operator) -> None:
    load_lines([transfer("7", block=1)])
    MetadataFetch.objects.update(next_attempt_at=timezone.now() - timedelta(minutes=59))
    assert "Nothing needs an operator" in first_page(operator)
    MetadataFetch.objects.update(next_attempt_at=timezone.now() - timedelta(minutes=61))
    assert "is fetch_metadata --follow at work?" in first_page(operator)


def test_books_events_marks_and_takedowns(operator: Operator) -> None:
    load_lines([contract(APES, name="Apes"), nft("1")])
    BookWalk.objects.create(
        chain=Chain.objects.get(slug="ethereum"),
        source="opensea",
        address=APES,
        state="failed",
        attempts=3,
        fault="HTTP 500",
    )
    indexed.a_market_fault(7, price=10**18)
    Contract.objects.update(marks_pending=True)
    found = first_page(operator)
    assert "could not be read, 3 times in a row: HTTP 500" in found
    assert "Market events that are not explained" in found
    assert "Apes needs you its mark is being applied to 1 NFTs: manage.py apply_marks ends it" in found
    assert "3 things need an operator" in found


def test_a_disk_that_is_nearly_full(operator: Operator, disk: dict[str, int]) -> None:
    disk["free"] = 2 * 2**30
    assert "disk needs you 2.0" in first_page(operator)


def test_it_takes_as_many_queries_however_much_failed(operator: Operator) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            operator.page("")
        return len(asked)

    operator.page("")
    load_lines([transfer(str(token), block=token) for token in range(1, 3)])
    MetadataFetch.objects.update(state="gone", fault="no")
    few = queries()
    load_lines([transfer(str(token), block=token) for token in range(3, 60)])
    MetadataFetch.objects.update(state="gone", fault="no")
    assert queries() == few


def test_lists_call_nfts_by_their_names_and_ranks_have_no_fraction(operator: Operator) -> None:
    load_lines([contract(APES, name="Apes"), nft("1", metadata={"name": "Ape the First"}, rank=9.0)])
    page = operator.page("tokens/nft/")
    assert "Ape the First" in page
    assert ">9<" in page
    assert "9.0" not in page
