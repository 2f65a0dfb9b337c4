"""What a page costs does not grow with what is stored: queries are counted, plans on PostgreSQL are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.backoffice import paging
from core.backoffice.paging import EstimatingPaginator
from core.backoffice.tables import EditableTableAdmin, TableAdmin
from indexing.models import IndexedChain
from tests import indexed, waiting
from tests.admin.conftest import Operator
from tests.builders import ALICE, APES, BOB, Line, ask, contract, load_lines, nft, transaction_hash, transfer
from tests.plans.explain import plan_of
from tokens.models import Contract, Nft
from tokens.store import fetches
from transfers.models import Transfer

pytestmark = pytest.mark.django_db
TABLES = [
    "tokens/nft",
    "tokens/contract",
    "tokens/ask",
    "tokens/owner",
    "tokens/traitvalue",
    "tokens/metadatafetch",
    "tokens/metadatadocument",
    "tokens/metadatarefresh",
    "tokens/contractrarity",
    "transfers/transfer",
    "transfers/collectionfigures",
    "indexing/indexedcontract",
    "indexing/block",
    "indexing/evidence",
    "indexing/undecodedlog",
    "transfers/opening",
    "indexing/marketfault",
    "transfers/orderevent",
    "transfers/orderfill",
    "transfers/paidtoken",
    "indexing/punkbid",
    "transfers/transferstatement",
]


def lines(numbers: range) -> list[Line]:
    """NFTs with everything, each with an image and a contract of its own beside the common one."""
    made: list[Line] = []
    for number in numbers:
        token, other = str(number), "0x" + f"{number:040x}"
        image = {"imageUrl": f"https://example.com/{number}.png"}
        made += [
            contract(other, ensName=f"c{number}.eth"),
            nft("1", other, metadata=image),
            nft(token, metadata=image, traits=[("Hat", token), ("Level", str(number % 3))]),
            transfer(token, block=number + 1, receiver=ALICE),
            transfer(token, block=number + 2_000, sender=ALICE, receiver=BOB),
            ask(token, maker=BOB, exchange=APES, operator=APES, nonce=token),
        ]
    return made


def indexed_rows(numbers: range) -> None:
    """What indexing keeps of as many blocks."""
    if not IndexedChain.objects.exists():
        indexed.an_indexed_chain()
    nft_of = {row.token_id: row for row in Nft.objects.filter(contract__address=APES)}
    for number in numbers:
        indexed.a_checkpoint(number, "0x" + f"{number:040x}")
        indexed.a_block(number)
        indexed.an_evidence(number)
        indexed.an_undecoded_log(number, "0x" + f"{number:040x}")
        indexed.an_opening(nft_of[str(number)])
        indexed.a_market_fault(number, price=number)
        indexed.an_order_fill(number, "0x" + f"{number:064x}")
        indexed.an_order_event(number, order_hash="0x" + f"{number:064x}")
        indexed.a_punk_bid(number)
        indexed.a_statement(number)
        indexed.a_paid_token("0x" + f"{number:040x}")
        one = Contract.objects.get(address="0x" + f"{number:040x}")
        waiting.a_document(nft_of[str(number)])
        waiting.a_refresh(one)
        waiting.a_rarity(one)
    fetches.request((nft_of[str(number)].pk for number in numbers), timezone.now())


def queries_of(run: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        run()
    return len(queries)


def test_lists_take_no_more_queries_for_more_rows(operator: Operator) -> None:
    load_lines(lines(range(1, 4)))
    indexed_rows(range(1, 4))
    ContentType.objects.clear_cache()
    few = {table: queries_of(lambda table=table: operator.page(f"{table}/")) for table in TABLES}  # type: ignore[misc]
    load_lines(lines(range(4, 70)))
    indexed_rows(range(4, 70))
    many = {table: queries_of(lambda table=table: operator.page(f"{table}/")) for table in TABLES}  # type: ignore[misc]
    assert many == few
    assert many.pop("indexing/marketfault") <= 10  # a summary by protocol stands above the list
    assert max(many.values()) <= 6


def test_a_row_takes_no_more_queries_for_more_that_hangs_on_it(operator: Operator) -> None:
    load_lines([contract(standard="ERC1155"), nft("1", traits=[("Hat", "1")])])
    address = f"tokens/nft/{Nft.objects.get().pk}/change/"
    operator.page(address)  # content types are looked up once a process
    few = queries_of(lambda: operator.page(address))
    holders = [transfer("1", block=number, receiver="0x" + f"{number:040x}") for number in range(1, 80)]
    load_lines([nft("1", traits=[("Hat", str(number)) for number in range(80)]), *holders])
    assert queries_of(lambda: operator.page(address)) == few <= 14
    assert operator.page(address).count("Only the first 50 are shown.") == 2


def test_counts_stop_at_a_limit_and_so_do_pages(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "MOST_COUNTED", 60)
    monkeypatch.setattr(paging, "MOST_PAGES", 1)
    load_lines([nft(str(number)) for number in range(70)])
    page = operator.page("tokens/nft/", contract=Contract.objects.get().pk)
    assert "more than 60 NFTs" in page
    assert "search for what lies behind" in page
    assert operator.client.get("/admin/tokens/nft/", {"p": 2}).status_code == 302


@pytest.mark.postgresql
def test_a_whole_table_is_not_counted_but_estimated(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "MOST_COUNTED", 60)
    load_lines([nft(str(number)) for number in range(70)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tokens_nft")
    with CaptureQueriesContext(connection) as queries:
        assert "about 70 NFTs" in operator.page("tokens/nft/")
    assert not any("count(" in query["sql"].lower() for query in queries.captured_queries)
    assert EstimatingPaginator(Nft.objects.filter(token_key="017").order_by("id"), 50).count == 1


@pytest.mark.postgresql
def test_every_page_of_a_large_table_reads_an_index(operator: Operator) -> None:
    load_lines(lines(range(1, 150)))
    indexed_rows(range(1, 150))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        # The planner reads tables of this size whole; what is asked here is whether an index could serve.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    found = {}
    for address, query in pages():
        plan = plan_of(lambda address=address, query=query: operator.page(address, **query))  # type: ignore[misc]
        big = {
            table
            for table in plan.read_whole
            if table.startswith(("tokens_", "transfers_", "media_", "indexing_"))
        }
        if big - SMALL or plan.rows_sorted > 60:
            found[f"{address} {query}"] = (plan.read_whole, plan.rows_sorted)
    assert found == {}


SMALL = {
    *("tokens_chain", "tokens_market", "tokens_currency", "tokens_currencytoken"),
    "transfers_indexedchain",
}
SEARCHES = {
    "tokens/nft": ["7", f"{APES}/7", APES, "c9.eth", "https://example.com/7.png"],
    "tokens/contract": [APES, "c9.eth"],
    "tokens/contractrarity": [APES, "c9.eth"],
    "transfers/transfer": [transaction_hash("ethereum", 5, 0), "7", f"{APES}/7", APES],
    "tokens/ask": [transaction_hash("x"), f"{APES}/7"],
    "tokens/owner": [f"{APES}/7"],
    "tokens/traitvalue": ["Hat-7"],
    "tokens/statedownership": [f"{APES}/7"],
    "tokens/metadatafetch": [f"{APES}/7", "7"],
    "tokens/metadatadocument": [f"{APES}/7"],
    "media/cachedimage": ["https://example.com/7.png"],
    "tokens/ensname": ["a.eth"],
    "indexing/indexedcontract": ["0x" + f"{7:040x}"],
    "indexing/block": ["7"],
    "indexing/evidence": [transaction_hash("evidence", 7), "7"],
    "indexing/undecodedlog": [transaction_hash("evidence", 7), "0x" + f"{7:040x}"],
    "transfers/opening": [f"{APES}/7", "7"],
    "indexing/marketfault": [transaction_hash("evidence", 7)],
    "transfers/orderfill": [transaction_hash("evidence", 7), "0x" + f"{7:064x}"],
    "transfers/orderevent": ["0x" + f"{7:064x}", f"{APES}:7", ALICE, APES, f"{APES}/7"],
    "transfers/paidtoken": ["0x" + f"{7:040x}"],
}


def pages() -> list[tuple[str, dict[str, Any]]]:
    """Every list, link, search and row page of the tables that grow."""
    made: list[tuple[str, dict[str, Any]]] = []
    common = {
        "contract": Contract.objects.get(address=APES).pk,
        "nft": Nft.objects.filter(contract__address=APES).order_by("-id")[0].pk,
        "address": "0x" + f"{7:040x}",
        "protocol": "seaport-1.5",
    }
    for model, table in admin.site._registry.items():
        if not isinstance(table, TableAdmin) or isinstance(table, EditableTableAdmin):
            continue
        name = f"{model._meta.app_label}/{model._meta.model_name}"
        made += [(f"{name}/", {}), *((f"{name}/", {"show": shown}) for shown in table.lists)]
        made += [(f"{name}/", {link: common.get(link, 1)}) for link in table.links]
        made += [(f"{name}/", {"q": term}) for term in SEARCHES.get(name, [])]
        row = model._default_manager.order_by("-pk").first()
        if row is not None:
            made.append((f"{name}/{row.pk}/change/", {}))
    assert Transfer.objects.exists()
    return made
