"""Numbers of traits and posting lists after any history of writes: those of a full count of what is stored."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.db.writing import writing
from tests import drawn
from tests.builders import APES, Line, load_lines, nft, transfer
from tests.conftest import Api
from tests.deriving.tables import rolled_back
from tests.files.lines import COLLECTION, MINT_A, MINT_B, OTHER_COLLECTION
from tokens.metadata.trait_texts import value_text
from tokens.models import Contract, Nft, NftRecent, NftTrait, NftTraitRecent, TraitValue
from tokens.rarity import computing as rarity
from tokens.store import removal

pytestmark = pytest.mark.django_db
HISTORIES = drawn.examples(40)
EVM_TOKENS, MINTS, HOMES = ["1", "2"], [MINT_A, MINT_B], [COLLECTION, OTHER_COLLECTION, None]

values = st.sampled_from(["red", "red", "blue", 5, 5.0, "5", True, None, [1], {"a": 1}])
traits = st.lists(st.tuples(st.sampled_from(["Hat", "Fur", "a-b"]), values), min_size=1, max_size=4)
stated = traits.map(
    lambda some: {"traits": [{"traitType": kind, "traitValue": value} for kind, value in some]}
)
metadata = st.one_of(stated, stated, stated, st.sampled_from([None, {}, {"traits": "?"}, {"name": "bare"}]))


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A line about an NFT: new metadata, none any more, a transfer, or another collection."""
    if draw(st.integers(0, 2)):
        token = draw(st.sampled_from(EVM_TOKENS))
        if draw(st.integers(0, 4)) == 0:
            return transfer(token, block=draw(st.integers(1, 9)), log=int(token))
        return nft(token, metadata=draw(metadata))
    line = nft(draw(st.sampled_from(MINTS)), draw(st.sampled_from(HOMES)), on="solana")
    return line | {"metadata": draw(metadata)} if draw(st.booleans()) else line


steps = st.one_of(
    st.lists(lines(), min_size=1, max_size=4),
    st.lists(lines(), min_size=1, max_size=4),
    st.sampled_from(EVM_TOKENS).map(lambda token: f"take away {token}"),
    st.just("compute rarity"),
)


def carry_out(step: list[Line] | str) -> None:
    if isinstance(step, list):
        assert load_lines(step, batch_lines=2).faults == []
    elif step == "compute rarity":
        for home in Contract.objects.exclude(address=""):
            rarity.compute(home.pk)
    else:
        token = step.rpartition(" ")[2]
        with writing():
            removal.remove(
                row.pk for row in Nft.objects.filter(contract__address=APES) if row.token_id == token
            )


def pairs_of(row: Nft) -> set[tuple[str, str]]:
    """The traits that an NFT's stored document states, read by this test's own means."""
    document: Any = json.loads(row.metadata or "{}")
    stated = document.get("traits")
    return {
        (entry["traitType"], value_text(entry["traitValue"]))
        for entry in (stated if isinstance(stated, list) else [])
        if entry["traitValue"] is not None
    }


def assert_counted() -> None:
    """Compare with a full recount."""
    counts: Counter[tuple[int, str, str]] = Counter()
    postings, recents = set(), set()
    for row in Nft.objects.all():
        recent_key = NftRecent.objects.get(nft=row).recent_key
        for pair in pairs_of(row):
            counts[row.contract_id, *pair] += 1
            postings.add((row.pk, row.contract_id, *pair, row.token_key, row.rarity_key))
            recents.add((row.pk, row.contract_id, *pair, recent_key))
    found = TraitValue.objects.values_list("contract_id", "type", "value", "count")
    assert {row[:3]: row[3] for row in found} == counts
    trait = ("nft_id", "trait__contract_id", "trait__type", "trait__value")
    assert sorted(NftTrait.objects.values_list(*trait, "token_key", "rarity_key")) == sorted(postings)
    assert sorted(NftTraitRecent.objects.values_list(*trait, "recent_key")) == sorted(recents)


@HISTORIES
@given(st.lists(steps, min_size=3, max_size=8))
def test_numbers_and_postings_are_those_of_a_full_count_after_any_history(
    history: list[list[Line] | str],
) -> None:
    with rolled_back():
        for step in history:
            carry_out(step)
            assert_counted()


@HISTORIES
@given(st.lists(steps, min_size=2, max_size=5))
def test_answers_follow_the_numbers(api: Api, history: list[list[Line] | str]) -> None:
    with rolled_back():
        for step in history:
            carry_out(step)
        known = Nft.objects.filter(contract__address=APES)
        total = known.count()
        counts: dict[tuple[str, str], int] = defaultdict(int)
        for row in known:
            for pair in pairs_of(row):
                counts[pair] += 1
        for record in api.nfts(contractAddress=APES)["data"]:
            for trait in record.get("metadata", {}).get("traits", []):
                count = counts[trait["traitType"], value_text(trait["traitValue"])]
                assert trait["traitFrequency"] == count
                assert trait["traitPercentFrequency"] == pytest.approx(100 * count / total)
                assert trait["traitRarity"] == pytest.approx(total / count)
