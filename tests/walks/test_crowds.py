"""Pages over many contracts whose NFTs are in several of the lists that a query merges: each NFT comes once."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.builders import nft
from tests.oracle.model import Oracle
from tests.strategies.crowds import LIMITS, crowd, crowd_query
from tests.strategies.pools import NOW
from tests.strategies.queries import ORDERS
from tests.walks.checking import NFTS, OWN, Thresholds, assert_same_order, engine, identity, loaded, walk
from tokens.engine.conditions import MANY
from tokens.store import traits

pytestmark = pytest.mark.django_db

WALKS = 5
"""Walks over each drawn world."""

CHOICES: dict[str, list[int]] = {
    "SMALL": [0, 0, 4, OWN.SMALL],
    "MANY": [0, 1, 8, OWN.MANY, 1_000],
    "MERGED": [0, OWN.MERGED, 1_000],
    "PASSED": [0, 20, OWN.PASSED],
    "LOOKED_UP": [0, 5, OWN.LOOKED_UP],
    "FEW": [0, 3, OWN.FEW],
    "MOST_TERMS": [2, 7, OWN.MOST_TERMS],
}
"""What each of the engine's thresholds is for a walk."""


@given(st.randoms(use_true_random=True))
def test_every_walk_is_what_the_oracle_answers(pick: Random) -> None:
    lines = crowd(pick)
    oracle = Oracle(lines)
    apart = pick.choice([0, 1, 5, traits.APART])
    with patch.object(traits, "APART", apart), loaded(lines):
        for _ in range(WALKS):
            query, limits = crowd_query(pick, oracle), pick.choice(LIMITS)
            thresholds = Thresholds(**{name: pick.choice(numbers) for name, numbers in CHOICES.items()})
            thresholds = pick.choice([OWN, thresholds, thresholds])
            note(f"{query}, limits {limits}, {thresholds}, apart {apart}")
            expected = oracle.nfts(query, NOW)
            with engine(thresholds):
                found = walk(NFTS, query, limits, total=len(expected))
            assert_same_order(expected, [identity(NFTS, record) for record in found])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["Accessory", ""], ids=["typed", "untyped"])
def test_an_nft_that_has_two_values_of_a_type_takes_the_place_of_no_other(kind: str, order: str) -> None:
    contracts = [f"0x{number:040x}" for number in range(40)]
    assert len(contracts) * 2 > MANY
    lines = [nft("1", address, traits=[(kind, "A"), (kind, "B")]) for address in contracts]
    with loaded(lines):
        found = walk(NFTS, {"traits": f"{kind}-A,{kind}-B", "sortBy": order}, [15], total=40)
    assert sorted(record["contractAddress"] for record in found) == contracts
