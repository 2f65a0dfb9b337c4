"""The OpenRarity formula: by hand, against a plain reference, and against the published numbers of real collections."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.offchain.rarity_reference import ratings
from tests.shared import DATA, REAL
from tokens.metadata.trait_texts import value_text
from tokens.rarity.openrarity import Pair, Rating, rate

COLLECTIONS = {
    "cryptopunks": "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
    "loot": "0xff9c1b15b16263c61d017ee9f65c50e4ae0113d7",
}
KINDS = st.sampled_from(["Hat", " hat", "HAT ", "Eyes", "", "none", "Fur"])
VALUES = st.sampled_from(["red", "Red ", "blue", "green", "none", " NONE", "", "  ", "5", "true"])
POPULATIONS = st.lists(st.lists(st.tuples(KINDS, VALUES), max_size=6), min_size=1, max_size=12)


def rated(*traits: list[Pair]) -> list[Rating]:
    found = rate(enumerate(traits))
    return [found[nft] for nft in range(len(traits))]


def scores(*traits: list[Pair]) -> list[float]:
    return [rating.score for rating in rated(*traits)]


def ranks(*traits: list[Pair]) -> list[int]:
    return [rating.rank for rating in rated(*traits)]


def test_a_score_is_information_content_over_entropy() -> None:
    # Of four one is blue: 2 bits, against 0.415; the entropy of (1/4, 3/4) is 0.811 bits. All have one trait: 0 bits.
    found = scores([("Hat", "blue")], [("Hat", "red")], [("Hat", "red")], [("Hat", "red")])
    assert found[0] == pytest.approx(2 / 0.8112781244591328, abs=1e-12)
    assert found[1] == pytest.approx(0.41503749927884376 / 0.8112781244591328, abs=1e-12)


def test_to_have_no_trait_of_a_type_is_a_value_of_it_and_the_number_of_traits_is_a_trait_f43() -> None:
    # Missing hat and a number of 0, alone among four: twice 2 bits, over twice the entropy.
    found = scores([], [("Hat", "red")], [("Hat", "red")], [("Hat", "red")])
    assert found[0] == pytest.approx(4 / (2 * 0.8112781244591328), abs=1e-12)


@pytest.mark.parametrize("value", ["", " ", "none", "None", " NONE "])
def test_an_empty_value_and_none_are_no_trait_f43(value: str) -> None:
    others = [[("Hat", "red")], [("Hat", "blue")]]
    assert rate(enumerate([[("Hat", value)], *others])) == rate(enumerate([[], *others]))


def test_the_text_null_is_a_value_like_any_other() -> None:
    assert scores([("Hat", "null")], [("Hat", "red")]) == scores([("Hat", "blue")], [("Hat", "red")])


def test_white_space_and_letter_case_make_no_difference() -> None:
    plain = [[("hat", "red")], [("hat", "red")], [("hat", "blue")]]
    written = [[(" Hat", "Red")], [("HAT", " red ")], [("hat", "BLUE")]]
    assert rate(enumerate(written)) == rate(enumerate(plain))


def test_a_type_that_somebody_has_twice_is_scored_as_one_trait_a_value() -> None:
    # Three of four have "hat: red", one has "hat: blue" as well: blue is 2 bits for who has it, and so are two traits.
    two, one = [("Hat", "red"), ("Hat", "blue")], [("Hat", "red")]
    entropy = 2 * 0.8112781244591328 + 1.5  # red or not, blue or not, and 2, 1, 1 or 0 traits
    found = scores(two, one, one, [])
    assert found[0] == pytest.approx((0.41503749927884376 + 2 + 2) / entropy, abs=1e-12)
    assert found[1] == pytest.approx((2 * 0.41503749927884376 + 1) / entropy, abs=1e-12)


def test_the_same_pair_twice_is_one_trait() -> None:
    others = [[("Hat", "blue")], []]
    twice = [("Hat", "red"), ("hat ", "RED"), ("Hat", "red")]
    assert rate(enumerate([twice, *others])) == rate(enumerate([[("Hat", "red")], *others]))


def test_more_values_that_nobody_else_has_outrank_a_higher_score() -> None:
    # The rule of the reference that its users dispute most (F43), hence a promise.
    unique = [("A", "only"), ("B", "x"), ("C", "x")]
    rare = [("A", "x"), ("B", "rare"), ("C", "rare")]
    common = [("A", "x"), ("B", "x"), ("C", "x")]
    population = [unique, rare, rare, *[common] * 5]
    found = rated(*population)
    assert found[0].score < found[1].score
    assert [rating.rank for rating in found] == [1, 2, 2, 4, 4, 4, 4, 4]


def test_equal_nfts_share_a_rank_and_the_next_one_is_left_out() -> None:
    red, blue = [("Hat", "red")], [("Hat", "blue")]
    assert ranks(red, red, blue, blue, blue) == [1, 1, 3, 3, 3]


def test_a_population_without_any_difference_scores_0_for_all() -> None:
    assert rate([(7, [("Hat", "red")])]) == {7: Rating(0.0, 1)}
    assert rate(enumerate([[], []])) == {0: Rating(0.0, 1), 1: Rating(0.0, 1)}
    assert rate([]) == {}


@settings(deadline=None, max_examples=400, derandomize=True)
@given(POPULATIONS)
def test_whatever_the_traits_numbers_are_those_of_the_plain_reference(population: list[list[Pair]]) -> None:
    expected, found = ratings(dict(enumerate(population))), rate(enumerate(population))
    assert found.keys() == expected.keys()
    for nft, (score, rank) in expected.items():
        assert found[nft].score == pytest.approx(score, abs=1e-9)
        assert found[nft].rank == rank


@settings(deadline=None, max_examples=200, derandomize=True)
@given(st.data())
def test_equal_nfts_have_the_very_same_score_in_whatever_order_they_come(data: st.DataObject) -> None:
    population = list(enumerate(data.draw(POPULATIONS)))
    found = rate(population)
    shuffled = [
        (nft, data.draw(st.permutations(traits))) for nft, traits in data.draw(st.permutations(population))
    ]
    assert rate(shuffled) == found
    by_traits: dict[Any, Rating] = {}
    for nft, traits in population:
        assert by_traits.setdefault(frozenset(traits), found[nft]) == found[nft]


@pytest.mark.shared
@pytest.mark.parametrize(("name", "size"), [("cryptopunks", 10_000), ("loot", 8_000)])
def test_real_collections_have_the_published_scores_and_ranks(name: str, size: int) -> None:
    found = rate(real_nfts(COLLECTIONS[name]))
    assert len(found) == size
    with gzip.open(DATA / "rarity" / f"{name}_openrarity.csv.gz", "rt") as file:
        for line in csv.DictReader(file):
            rating = found[int(line["tokenId"])]
            assert rating.score == pytest.approx(float(line["openrarity_score"]), abs=1e-9)
            assert rating.rank == int(line["openrarity_rank"]), line


def real_nfts(address: str) -> Iterator[tuple[int, list[Pair]]]:
    with gzip.open(REAL, "rt") as file:
        for line in map(json.loads, file):
            if line["record"] == "nft" and line["contractAddress"] == address and "metadata" in line:
                entries = line["metadata"]["traits"]
                pairs = [(entry["traitType"], value_text(entry["traitValue"])) for entry in entries]
                yield int(line["tokenId"]), pairs
