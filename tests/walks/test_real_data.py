"""The oracle over the real collections, whose right answers are known, where the file is at hand."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.oracle.model import Oracle
from tests.shared import REAL

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
LOOT = "0xff9c1b15b16263c61d017ee9f65c50e4ae0113d7"
NOW = 1_700_000_000

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def real() -> Oracle:
    with gzip.open(REAL, "rt", encoding="utf-8") as lines:
        return Oracle(json.loads(line) for line in lines)


@pytest.mark.parametrize(
    ("contract", "traits", "count"),
    [
        (PUNKS, "Type-Alien", 9),
        (PUNKS, "Type-Ape", 24),
        (PUNKS, "Accessory-Mohawk", 441),
        (PUNKS, "Accessory-Mohawk,Accessory-Beanie", 485),
        (PUNKS, "Gender-Female,Accessory-Mohawk", 153),
        (PUNKS, "Type-Alien,Type-Nope", 9),
        (PUNKS, "Type-Alien,Hat-Nope", 0),
        (LOOT, "head-Divine Hood", 392),
    ],
)
def test_traits_of_real_collections(real: Oracle, contract: str, traits: str, count: int) -> None:
    assert len(real.nfts({"contractAddress": contract, "traits": traits}, NOW)) == count


def test_rarest_bags_first(real: Oracle) -> None:
    found = real.nfts({"contractAddress": LOOT, "sortBy": "rarity"}, NOW)
    assert [item.identity[2] for item in found[:4]] == ["1949", "2797", "2478", "3905"]


def test_transfers_newest_first(real: Oracle) -> None:
    found = real.transfers({"contractAddress": "0x80b71d526bd9201078433bb3baf84feb6eba38da"}, NOW)
    assert len(found) == 438
    assert found == sorted(found, key=lambda item: item.key)
    assert len(real.world.transfers) == 4183
