"""What the admin says is said in an operator's words."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from core.backoffice.tables import TableAdmin
from tests import indexed
from tests.admin.conftest import Operator
from tests.builders import APES, contract, load_lines, nft, transfer
from tokens.models import Contract, Nft
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # words are not of an engine


def heading(operator: Operator, row: Any) -> str:
    """What the page of a row is called."""
    page = operator.page(f"{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/")
    return page.partition("<h1>")[2].partition("</h1>")[0]


def test_every_list_says_what_it_is_and_when_it_is_needed(operator: Operator) -> None:
    tables = [
        (model, table) for model, table in admin.site._registry.items() if isinstance(table, TableAdmin)
    ]
    assert len(tables) > 25
    for model, table in tables:
        said = type(table).__dict__["__doc__"]
        assert "here" in said or "page" in said, model
        page = operator.page(f"{model._meta.app_label}/{model._meta.model_name}/")
        assert escape(said.splitlines()[0]) in page


def test_a_page_is_called_by_the_name_of_its_nft_or_else_by_contract_and_token_id(operator: Operator) -> None:
    named = nft("1", metadata={"name": "Ape <One>"})
    load_lines([contract(name="Apes"), named, nft("2"), transfer("1"), nft("3", APES[:-1] + "b")])
    (one, two, three) = Nft.objects.order_by("token_key")
    short = f"{three.contract.address[:8]}…{three.contract.address[-4:]}"
    assert [heading(operator, row) for row in (one, two, three)] == [
        "Ape &lt;One&gt;",
        "Apes #2",
        f"{short} #3",
    ]
    assert heading(operator, Transfer.objects.get()) == "Mint of Ape &lt;One&gt;"
    assert heading(operator, one.contract) == "Apes"


@pytest.mark.parametrize("metadata", ['["name"]', '{"name": 7}', '{"name": " "}', "{", '{"name": "\\ud800"}'])
def test_an_nft_whose_metadata_names_it_in_no_usable_way_has_a_page(
    operator: Operator, metadata: str
) -> None:
    load_lines([contract(name="Apes"), nft("1")])
    Nft.objects.update(metadata=metadata)
    assert heading(operator, Nft.objects.get()) in ("Apes #1", "?")


def test_the_audit_trail_names_an_nft_by_contract_and_token_id(operator: Operator) -> None:
    load_lines([nft("1"), nft("2")])
    ids = Nft.objects.order_by("token_key").values_list("pk", flat=True)
    operator.act("tokens/nft", "mark", *ids, confirmed="1", reason="spam")
    assert sorted(LogEntry.objects.values_list("object_repr", flat=True)) == [f"{APES} #1", f"{APES} #2"]


@pytest.mark.parametrize(("rank", "shown"), [(91.0, "91"), (91.5, "91.5"), (None, "–")])
def test_a_rank_has_a_fraction_only_where_it_has_one(
    operator: Operator, rank: float | None, shown: str
) -> None:
    load_lines([nft("1")])
    Nft.objects.update(rank=rank)
    assert f'<td data-label="Rank" class="field-rank_text">{shown}</td>' in operator.page("tokens/nft/")
    page = operator.page(f"tokens/nft/{Nft.objects.get().pk}/change/")
    assert f'<div class="readonly">{shown}</div>' in page.partition("Rank:")[2][:200]


def test_whoever_may_view_the_indexed_chains_sees_the_indexers_page(client: Client) -> None:
    indexed.an_indexed_chain()
    user = User.objects.create_user("ida", is_staff=True)
    client.force_login(user)
    assert client.get("/admin/indexer/").status_code == 403
    may = Permission.objects.get(content_type__app_label="indexing", codename="view_indexedchain")
    user.user_permissions.add(may)
    assert client.get("/admin/indexer/").status_code == 200


def test_lists_of_what_belongs_to_a_row_are_linked_by_what_is_in_them(operator: Operator) -> None:
    load_lines([contract(), nft("1")])
    row = Contract.objects.get()
    page = operator.page(f"tokens/contract/{row.pk}/change/")
    for address, text in (
        ("tokens/nft", "NFTs"),
        ("transfers/transfer", "transfers"),
        ("tokens/ask", "asks"),
    ):
        assert f'<a href="/admin/{address}/?contract={row.pk}">{text}</a>' in page


def test_a_narrowed_list_says_what_it_is_narrowed_to_for_no_query_more(operator: Operator) -> None:
    load_lines([contract(), nft("7"), transfer("7"), transfer("7", block=2)])
    row = Nft.objects.get()
    operator.page("transfers/transfer/")  # content types are looked up once a process
    with CaptureQueriesContext(connection) as whole:
        operator.page("transfers/transfer/")
    for narrowing, title in (
        ({"nft": row.pk}, f"NFT {APES} #7"),
        ({"contract": row.contract_id}, f"contract {APES}"),
    ):
        with CaptureQueriesContext(connection) as narrowed:
            page = operator.page("transfers/transfer/", **narrowing)
        assert f"Transfers: of {title}, newest first" in page
        assert len(narrowed) <= len(whole)  # PostgreSQL is asked for an estimate of a whole table
    assert "Transfers: of NFT 999, newest first" in operator.page("transfers/transfer/", nft=999)
