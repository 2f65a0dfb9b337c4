"""`manage.py compute_rarity`: which contracts it takes, and what it tells."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.builders import APES, load_lines, nft
from tests.offchain.rarity_hats import computed, hats
from tokens.models import Contract, TraitValue
from tokens.rarity import computing as rarity

pytestmark = pytest.mark.django_db


def test_the_command_computes_what_has_metadata_and_tells_how_much_has() -> None:
    load_lines([*hats(), nft("1", "0x" + "2b" * 20, rarity=7)])
    out = StringIO()
    call_command("compute_rarity", stdout=out)
    assert out.getvalue() == f"ethereum {APES}: 6 of 7 NFTs have metadata, 6 written.\n"
    assert set(Contract.objects.filter(rarity_computed=True).values_list("address", flat=True)) == {APES}


def test_the_command_takes_contracts_by_address_and_chain() -> None:
    load_lines([*hats(), nft("1", on="polygon", traits=[("Hat", "red")])])
    for chain in ("polygon", "137", "eip155:137"):
        out = StringIO()
        call_command("compute_rarity", contract=[APES.upper().replace("X", "x")], chain=chain, stdout=out)
        assert out.getvalue().startswith(f"polygon {APES}: 1 of 1 NFTs have metadata")
    for wrong in ({"contract": ["0x" + "9" * 40]}, {"chain": "atlantis"}):
        with pytest.raises(CommandError, match="known"):
            call_command("compute_rarity", **wrong)


def test_the_command_computes_only_what_is_due() -> None:
    load_lines(hats())
    out = StringIO()
    call_command("compute_rarity", due=True, stdout=out)
    assert out.getvalue() == "Nothing is due.\n"
    rarity.changed([Contract.objects.get().pk], timezone.now() - timedelta(seconds=61))
    call_command("compute_rarity", due=True, verbosity=0)
    assert computed()["3"][1] == 1


def test_the_command_counts_traits_anew_where_something_else_has_written() -> None:
    load_lines(hats())
    numbers = dict(TraitValue.objects.values_list("value", "count"))
    TraitValue.objects.filter(value="red").update(count=77)
    home = Contract.objects.get()
    TraitValue.objects.create(contract=home, type="Hat", value="old", pair_key="1" * 32, count=2)
    out = StringIO()
    call_command("compute_rarity", recount=True, stdout=out)
    assert "2 numbers of traits were wrong" in out.getvalue()
    assert (
        dict(TraitValue.objects.values_list("value", "count")) == numbers == {"red": 3, "blue": 1, "green": 2}
    )
