"""What PostgreSQL believes of tables that are being filled, by which it plans the look-ups of a load."""

from __future__ import annotations

import pytest
from django.db import transaction

from core.db.estimates import estimated_rows
from tests.builders import analyze, contract, load_lines, nft
from tokens.models import Nft, NftTrait, TraitValue

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]

COUNT = 2_000
LINES = [contract(), *(nft(str(one), traits=[("Number", str(one)), ("Fur", "Gold")]) for one in range(COUNT))]


def test_a_load_after_one_that_was_rolled_back_knows_how_many_rows_it_writes() -> None:
    """Pages full of dead rows make a page seem to hold none, and a table of thousands one row: minutes of comparing."""
    load_lines([contract()])
    for _ in range(2):
        with transaction.atomic():
            load_lines(LINES)
            transaction.set_rollback(True)
    analyze()
    assert estimated_rows(Nft) == 0
    load_lines(LINES)
    assert estimated_rows(Nft) >= COUNT
    assert estimated_rows(TraitValue) >= COUNT
    assert estimated_rows(NftTrait) >= COUNT


def test_a_load_leaves_statistics_alone_that_are_about_right() -> None:
    load_lines(LINES)
    analyze()
    load_lines([nft(str(COUNT + one)) for one in range(COUNT // 2)])
    assert estimated_rows(Nft) == COUNT
