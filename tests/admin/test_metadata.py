"""Operators see what became of the metadata of each NFT, and have it read again."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.utils.html import strip_tags

from core.db import states
from tests.admin.conftest import Operator
from tests.builders import load_lines, nft, transfer
from tests.waiting import a_document, a_refresh, all_read, waits
from tokens.models import Contract, MetadataFetch, MetadataRefresh, Nft

pytestmark = pytest.mark.django_db
State = MetadataFetch.State


def page_of(operator: Operator, row: Nft) -> str:
    return operator.page(f"tokens/nft/{row.pk}/change/")


def test_an_nfts_page_says_why_there_is_no_metadata(operator: Operator) -> None:
    load_lines([transfer("1"), nft("2")])
    MetadataFetch.objects.update(state=State.UNREACHABLE, fault="No gateway answers <b>.")
    one, other = Nft.objects.order_by("token_key")
    page = page_of(operator, one)
    assert "a node, gateway or server does not answer" in page
    assert "No gateway answers &lt;b&gt;." in page
    assert "next attempt 20" in page
    assert f"/admin/tokens/metadatafetch/{one.pk}/change/" in page
    assert "it was stated, or nothing has asked for it yet" in page_of(operator, other)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b'{"name": "<script>alert(1)</script>"}', "{&quot;name&quot;: &quot;&lt;script&gt;alert(1)"),
        ("é".encode() * 20_000, "40,000 bytes, application/json"),
        (b"x" + "é".encode() * 20_000, "é"),  # is cut within a character
        (b"\x89PNG\x00", "89 50 4e 47 00"),
        (b"a\x00b", "a\N{SYMBOL FOR NULL}b"),
        (b"", "0 bytes"),
    ],
)
def test_an_nfts_page_shows_the_document_as_it_came(operator: Operator, body: bytes, shown: str) -> None:
    load_lines([nft("1")])
    row = Nft.objects.get()
    a_document(row, body)
    page = page_of(operator, row)
    assert shown in page
    assert "<script>alert" not in page
    assert shown in operator.page(f"tokens/metadatadocument/{row.pk}/change/")


def test_nfts_are_listed_by_what_came_of_them_and_read_again(operator: Operator) -> None:
    load_lines([transfer(str(token), block=token) for token in range(1, len(State) + 1)])
    for row, state in zip(MetadataFetch.objects.order_by("nft"), State, strict=True):
        MetadataFetch.objects.filter(pk=row.pk).update(state=state, next_attempt_at=None)
    for state in State:
        assert len(operator.ids("tokens/metadatafetch", show=state.value)) == 1
    (gone,) = operator.ids("tokens/metadatafetch", show="gone")
    assert "1 NFT(s) will be read again" in operator.act("tokens/metadatafetch", "request_again", gone)
    assert operator.ids("tokens/metadatafetch", show="due") == [gone]
    assert LogEntry.objects.get().get_change_message() == "Asked for the metadata to be read again."


def test_the_metadata_of_whole_contracts_is_read_again(operator: Operator) -> None:
    load_lines([transfer(str(token), block=token) for token in range(1, 4)])
    all_read()
    contract = Contract.objects.get()
    told = operator.act("tokens/contract", "request_metadata", contract.pk)
    assert "The metadata of 3 NFT(s) will be fetched again." in told
    row = MetadataRefresh.objects.get()
    assert row.reason == "olga asked for it."
    assert "the first to the last" in operator.page("tokens/metadatarefresh/")
    assert waits() == {1, 2, 3}


def test_ranges_that_wait_can_be_forgotten_and_that_is_kept_in_the_audit_trail(operator: Operator) -> None:
    load_lines([nft("1")])
    row = a_refresh(Contract.objects.get())
    assert "1 range(s) will not be read again" in operator.act("tokens/metadatarefresh", "forget", row.pk)
    assert not MetadataRefresh.objects.exists()
    assert LogEntry.objects.get().object_id == str(row.pk)


def test_an_overview_counts_nfts_by_state(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ">Metadata</h3>" not in operator.page("")
    load_lines([transfer(str(token), block=token) for token in range(1, 7)])
    MetadataFetch.objects.filter(nft__token_key="013").update(state=State.GONE)
    first = re.sub(r"\s+", " ", strip_tags(operator.page("").replace("<", " <")))
    assert "pending 5: not read yet, or asked for again" in first
    assert "gone needs you 1: there is no usable document" in first
    page = operator.page("metadata/")
    assert "the contract knows no such token" in page
    assert "/admin/tokens/metadatafetch/?show=gone" in page
    monkeypatch.setattr(states, "COUNTED", 3)
    counts = {one.state: one.text for one in states.state_counts(MetadataFetch, State)}
    assert counts[State.GONE] == "1"
    assert counts[State.PENDING].startswith(("more than 3", "about "))
