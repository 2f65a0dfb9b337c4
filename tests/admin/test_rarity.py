"""Operators see what a rarity rests on and have it computed; never within the request."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command

from tests.admin.conftest import Operator
from tests.builders import APES, contract, load_lines, nft
from tokens.models import Contract, Nft

pytestmark = pytest.mark.django_db


def test_an_operator_has_rarity_computed_and_sees_what_it_rests_on(operator: Operator) -> None:
    load_lines([contract(), nft("1", traits=[("Hat", "red")]), nft("2", traits=[("Hat", "blue")]), nft("3")])
    home = Contract.objects.get()
    address = f"tokens/contract/{home.pk}/change/"
    assert "not computed; what sources state holds" in operator.page(address)
    assert "compute_rarity --due" in operator.act("tokens/contract", "request_rarity", home.pk)
    assert Nft.objects.filter(rarity__isnull=False).count() == 0
    assert "to be computed from" in operator.page(address)
    assert operator.found("tokens/contractrarity", APES) == [home.pk]
    call_command("compute_rarity", due=True, stdout=StringIO())
    page = operator.page(address)
    assert "OpenRarity 0.7.5+1, 2 of 3 NFTs have metadata, computed 20" in page
    assert "to be computed" not in page
    assert "2 of 3 NFTs have metadata" in operator.page(f"tokens/contractrarity/{home.pk}/change/")
    assert LogEntry.objects.get().get_change_message() == "Asked for the rarity to be computed."


def test_what_is_to_be_computed_has_a_list(operator: Operator) -> None:
    load_lines([contract(), nft("1", traits=[("Hat", "red")]), contract("0x" + "2b" * 20)])
    operator.act("tokens/contract", "request_rarity", Contract.objects.get(address=APES).pk)
    page = operator.page("tokens/contractrarity/", show="due")
    assert "1 contract rarity" in page
