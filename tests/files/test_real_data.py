"""The real collections, loaded into each engine: the right numbers, and a dump that is the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from interchange.load import load_files
from tests.builders import settle, write_lines
from tests.files.lines import dumped
from tests.shared import REAL
from tokens.models import Contract, Nft, NftMarket, NftTrait, Owner, TraitValue
from tokens.models.trait import label_key
from transfers.models import Transfer

COUNTS = {"Type-Alien": 9, "Type-Ape": 24, "Accessory-Mohawk": 441, "head-Divine Hood": 392}

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.shared,
]


def test_real_data_twice_and_its_dump_into_an_empty_database_give_one_dump(tmp_path: Path) -> None:
    assert load_files([str(REAL)]).fault_count == 0
    settle()
    for label, count in COUNTS.items():
        assert list(
            TraitValue.objects.filter(label_key=label_key(label)).values_list("count", flat=True)
        ) == [count]
        assert NftTrait.objects.filter(trait__label_key=label_key(label)).count() == count
    assert (Transfer.objects.count(), Nft.objects.count()) == (4183, 21549)
    holders, postings = Owner.objects.count(), NftMarket.objects.count()
    first = dumped()
    assert load_files([str(REAL)], batch_lines=3000).fault_count == 0
    assert dumped() == first
    assert (Owner.objects.count(), NftMarket.objects.count()) == (holders, postings)

    for model in (Nft, Contract):
        model.objects.all().delete()
    assert (
        load_files([str(write_lines(tmp_path / "dump.jsonl", first.rstrip("\n").split("\n")))]).fault_count
        == 0
    )
    assert dumped() == first
    assert (Owner.objects.count(), NftMarket.objects.count()) == (holders, postings)
    settle()
