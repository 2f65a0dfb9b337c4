"""Marks with reasons: an NFT's at once, a contract's in batches; both are in the audit trail."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.db import OperationalError

from core.backoffice import actions
from tests.admin.conftest import Operator
from tests.builders import APES, contract, load_lines, nft
from tests.conftest import Api
from tokens.admin import contracts
from tokens.models import Contract, Nft, NftRecent

pytestmark = pytest.mark.django_db
UNMARKED = f"contractAddress={APES}&excludeMarkedNfts=true"


def tokens(api: Api) -> list[str]:
    return sorted(record["tokenId"] for record in api.nfts(UNMARKED)["data"])


def test_an_operator_finds_an_nft_and_marks_it_and_the_api_leaves_it_out_until_it_is_unmarked(
    operator: Operator, api: Api
) -> None:
    load_lines([contract(), nft("1"), nft("2")])
    (found,) = operator.ids("tokens/nft", q="2")
    assert "Reason" in operator.act("tokens/nft", "mark", found)
    assert tokens(api) == ["1", "2"]
    assert "Marked 1 NFT." in operator.act("tokens/nft", "mark", found, confirmed="1", reason="stolen in May")
    assert tokens(api) == ["1"]
    assert "itself: stolen in May" in operator.page("tokens/nft/", show="marked")
    assert "Unmarked 1 NFT." in operator.act("tokens/nft", "unmark", found, confirmed="1", reason="returned")
    assert tokens(api) == ["1", "2"]
    assert Nft.objects.get(id=found).marked_reason is None
    assert [entry.get_change_message() for entry in LogEntry.objects.order_by("id")] == [
        "Marked. Reason: stolen in May",
        "Unmarked. Reason: returned",
    ]
    assert "stolen in May" in operator.page("admin/logentry/")


def test_a_mark_needs_a_reason(operator: Operator) -> None:
    load_lines([nft("1")])
    row = Nft.objects.get()
    page = operator.act("tokens/nft", "mark", row.pk, confirmed="1", reason="  ")
    assert "This field is required." in page
    assert not Nft.objects.get().marked


def test_a_small_contract_is_marked_with_its_nfts_at_once(operator: Operator, api: Api) -> None:
    load_lines([contract(), nft("1")])
    page = operator.act("tokens/contract", "mark", Contract.objects.get().pk, confirmed="1", reason="spam")
    assert "Marked 1 contract." in page
    assert "apply_marks" not in page
    assert tokens(api) == []


def test_a_large_contracts_mark_is_pending_until_apply_marks_has_finished_it(
    operator: Operator, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "AT_ONCE", 2)
    load_lines([contract(), *(nft(str(number)) for number in range(3))])
    row = Contract.objects.get()
    page = operator.act("tokens/contract", "mark", row.pk, confirmed="1", reason="spam")
    assert "run `manage.py apply_marks`" in page
    assert "spam (being applied)" in page
    assert operator.ids("tokens/contract", show="applying") == [row.pk]
    assert tokens(api) == ["0", "1", "2"]
    out = StringIO()
    call_command("apply_marks", stdout=out)
    assert out.getvalue() == "Marks applied: 1 contract(s).\n"
    assert tokens(api) == []
    assert operator.ids("tokens/contract", show="applying") == []
    call_command("apply_marks", stdout=out)
    assert out.getvalue().endswith("No marks are pending.\n")


def test_an_nft_of_a_marked_contract_stays_marked_when_its_own_mark_goes(operator: Operator) -> None:
    load_lines([contract(marked=True), nft("1", marked=True)])
    page = operator.act("tokens/nft", "unmark", Nft.objects.get().pk, confirmed="1", reason="")
    assert "1 of them stay marked through their contracts." in page
    assert list(Nft.objects.values_list("own_marked", "marked")) == [(False, True)]
    assert NftRecent.objects.get().marked


def test_many_rows_get_one_entry_in_the_audit_trail(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MOST_LOGGED", 2)
    load_lines([nft(str(number)) for number in range(3)])
    ids = list(Nft.objects.values_list("id", flat=True))
    operator.act("tokens/nft", "mark", *ids, confirmed="1", reason="wash trades")
    (entry,) = LogEntry.objects.all()
    assert entry.object_repr.startswith("3 NFTs, ids ")
    assert entry.change_message == "Marked. Reason: wash trades"


def test_too_many_rows_are_refused(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_CHOSEN", 2)
    load_lines([nft(str(number)) for number in range(3)])
    ids = list(Nft.objects.values_list("id", flat=True))
    assert "at most 2 rows; nothing was done" in operator.act("tokens/nft", "mark", *ids)


def test_an_operator_is_told_when_a_load_keeps_the_database_busy(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("tokens.store.marks.mark_nfts", busy)
    load_lines([nft("1")])
    page = operator.act("tokens/nft", "mark", Nft.objects.get().pk, confirmed="1", reason="spam")
    assert "The database was busy" in page
    assert not LogEntry.objects.exists()


def test_whoever_may_only_look_is_offered_no_action_and_carries_none_out(operator: Operator) -> None:
    load_lines([nft("1")])
    row = Nft.objects.get()
    looker = User.objects.create_user("lena", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_nft"))
    operator.client.force_login(looker)
    assert 'name="action"' not in operator.page(f"tokens/nft/{row.pk}/change/")
    operator.act("tokens/nft", "mark", row.pk, confirmed="1", reason="stolen")
    assert not Nft.objects.get().marked
