"""The indexer's page: whether it works, how far it is, what went wrong, and the tables of what it keeps."""

from __future__ import annotations

import re
from html import unescape

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from indexing import progress as status
from indexing.models import IndexedChain
from tests import indexed
from tests.admin.conftest import Operator
from tests.builders import ALICE, APES, contract, load_lines, nft, transaction_hash
from tokens.models import Nft

pytestmark = pytest.mark.django_db
NOW = 1_700_000_000


@pytest.fixture(autouse=True)
def still() -> object:
    """The clock stands, so that ages are what they are."""
    with time_machine.travel(NOW, tick=False):
        yield


def shown(operator: Operator, address: str = "indexer/") -> str:
    """The text of a page, in one line."""
    return re.sub(r"\s+", " ", unescape(strip_tags(operator.page(address))))


def test_a_chain_that_is_being_indexed(operator: Operator) -> None:
    indexed.an_indexed_chain(
        head_number=20_000_010,
        head_seen_at=NOW - 2,
        beat_at=NOW - 2,
        blocks_per_second=0.5,
        logs_per_second=1_234.56,
        logs_total=9_876_543,
        rewinds=3,
    )
    indexed.a_checkpoint(20_000_000, at=NOW - 125)
    page = shown(operator)
    for said in (
        "State an indexer is at work, told of itself 2 s ago",
        "Last indexed block 20,000,000, of 2023-11-14 22:11:15 UTC, 2 min 5 s ago",
        "Newest block of the node 20,000,010, seen 2 s ago",
        "Behind 10 blocks behind, about 20 s at this speed",
        "0.5 blocks/s, 1,234.6 logs/s",
        "Logs taken in 9,876,543",
        "Reorganisations followed 3",
        "Undecoded logs none",
        "Unexplained market events none",
        "Last fault none",
    ):
        assert said in page
    assert "at block 20,000,000 (10 blocks behind), an indexer is at work" in shown(operator, "")


def test_an_indexer_that_has_gone_is_said_to_be_gone_and_has_no_speed(operator: Operator) -> None:
    indexed.an_indexed_chain(head_number=50, beat_at=NOW - 7_300, blocks_per_second=40.0, fault="gone away")
    indexed.a_checkpoint(50)
    page = shown(operator)
    assert "no indexer at work for 2 h 1 min" in page
    assert "40.0" not in page
    assert "at the head" in page
    assert "Last fault gone away" in page


def test_an_indexer_that_waits_for_a_failing_node_is_at_work(operator: Operator) -> None:
    """It pauses for a minute at most between two attempts."""
    indexed.an_indexed_chain(beat_at=NOW - 70, fault="503 from node", fault_at=NOW - 70)
    page = shown(operator)
    assert "an indexer is at work" in page
    assert "Last fault 2023-11-14 22:12:10 UTC, 1 min 10 s ago: 503 from node" in page
    assert "nothing yet" in page


def test_contracts_that_are_indexed_by_themselves_are_listed_the_least_far_first(operator: Operator) -> None:
    load_lines([contract(APES, name="Apes")])
    indexed.an_indexed_chain(head_number=900)
    indexed.a_checkpoint(800, ALICE, first_block=10)
    indexed.a_checkpoint(700, APES, first_block=500)
    page = shown(operator)
    assert page.index("Apes (0x1a1a1a…1a1a)") < page.index("0xaaaaaa…aaaa")
    assert "200 blocks behind" in page


def test_undecoded_logs_are_counted_and_linked(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = indexed.an_indexed_chain()
    for number in range(3):
        indexed.an_undecoded_log(number)
    link = f'<a href="/admin/indexing/undecodedlog/?chain={chain.pk}">3</a>'
    assert link in operator.page("indexer/")
    monkeypatch.setattr(status, "COUNTED", 2)
    assert status.statuses()[0].undecoded == 3, "counted no further than one more"


def test_without_any_chain_it_says_how_to_begin(operator: Operator) -> None:
    assert "python manage.py index --chain ethereum" in shown(operator)
    assert "Indexer:" not in shown(operator, "")


def test_only_who_may_see_the_chains_sees_it(operator: Operator) -> None:
    indexed.an_indexed_chain()
    User.objects.create_user("nora", password="a long one for tests", is_staff=True)
    client = Client()
    client.force_login(User.objects.get(username="nora"))
    assert client.get("/admin/indexer/").status_code == 403
    assert "ethereum" not in client.get("/admin/").content.decode()
    assert Client().get("/admin/indexer/").status_code == 302


def test_what_a_node_said_is_escaped(operator: Operator) -> None:
    indexed.an_indexed_chain(fault="<script>alert(1)</script>")
    indexed.an_undecoded_log(1)
    for address in ("indexer/", "indexing/indexedchain/", "indexing/undecodedlog/"):
        assert "<script>alert" not in operator.page(address)


def test_the_page_takes_a_handful_of_queries_however_many_contracts_and_logs(operator: Operator) -> None:
    indexed.an_indexed_chain()
    operator.page("indexer/")
    with CaptureQueriesContext(connection) as few:
        operator.page("indexer/")
    for number in range(60):
        indexed.a_checkpoint(number, "0x" + f"{number:040x}")
        indexed.an_undecoded_log(number)
    with CaptureQueriesContext(connection) as many:
        assert "40 more have come further." in operator.page("indexer/")
    assert len(many) == len(few) <= 8


def test_evidence_is_unpacked_on_its_page(operator: Operator) -> None:
    row = indexed.an_evidence(117)
    page = shown(operator, f"indexing/evidence/{row.pk}/change/")
    for said in (ALICE, APES, "2,000,000,000,000,000,000", indexed.TRANSFER_TOPIC, "00" * 32):
        assert said in page


@pytest.mark.parametrize("packed", [b"", b"\x09abc", b"\x01abc"])
def test_evidence_that_cannot_be_read_says_so(operator: Operator, packed: bytes) -> None:
    row = indexed.an_evidence(117, packed=packed)
    assert "It cannot be read:" in shown(operator, f"indexing/evidence/{row.pk}/change/")


def test_what_indexing_keeps_is_found_by_exact_terms(operator: Operator) -> None:
    load_lines([nft("7")])
    indexed.an_indexed_chain()
    opening = indexed.an_opening(Nft.objects.get())
    rows = {
        number: (indexed.an_evidence(number), indexed.an_undecoded_log(number), indexed.a_block(number))
        for number in (7, 8)
    }
    evidence, log, block = rows[7]
    hash_ = transaction_hash("evidence", 7)
    checkpoint = indexed.a_checkpoint(7, APES)
    assert operator.found("indexing/evidence", hash_.upper().replace("0X", "0x")) == [evidence.pk]
    assert operator.found("indexing/evidence", "7") == [evidence.pk]
    assert operator.found("indexing/undecodedlog", hash_) == [log.pk]
    assert set(operator.found("indexing/undecodedlog", APES.upper())) == {log.pk, rows[8][1].pk}
    assert operator.found("indexing/block", "7") == [block.pk]
    assert operator.found("indexing/indexedcontract", APES) == [checkpoint.pk]
    assert operator.found("transfers/opening", f"{APES}/7") == [opening.pk]
    for table in ("evidence", "undecodedlog", "block", "indexedcontract"):
        assert "cannot be searched for here" in operator.page(f"indexing/{table}/", q="what?")


def test_undecoded_logs_of_one_contract_are_a_list(operator: Operator) -> None:
    log = indexed.an_undecoded_log(7)
    indexed.an_undecoded_log(8, ALICE)
    response = operator.client.get("/admin/indexing/undecodedlog/", {"address": APES})
    assert [row.pk for row in response.context["cl"].result_list] == [log.pk]


def test_a_chain_has_its_row(operator: Operator) -> None:
    row = indexed.an_indexed_chain(fault="no answer", fault_at=NOW)
    page = shown(operator, f"indexing/indexedchain/{row.pk}/change/")
    assert "no answer" in page
    assert "2023-11-14 22:13:20" in page
    assert IndexedChain.objects.count() == 1
