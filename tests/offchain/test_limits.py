"""How much of a document is looked at, kept and shown: no author makes a page of megabytes, or a worker slow."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tokens.metadata.documents import metadata_of
from tokens.metadata.normalise import normalise
from tokens.records.metadata import Pictures, metadata_record
from tokens.records.traits import Population

MILLIONS = 4_000_000
"""Bytes of a body, about the most that is fetched."""


def shown(metadata: Any) -> dict[str, Any]:
    """The record's metadata of what is stored as JSON, as `load` stores it."""
    record = metadata_record(json.dumps(metadata), Pictures(), Population(size=0, computed=True))
    assert record is not None
    return record


def values(traits: list[dict[str, Any]]) -> list[Any]:
    return [trait["traitValue"] for trait in traits]


@pytest.mark.parametrize("character", ["x", "é", "…", "🦍"])
def test_a_name_and_a_description_are_cut_at_a_character(character: str) -> None:
    text = "a" + character * MILLIONS
    for found in (normalise({"name": text, "description": text}), shown({"name": text, "description": text})):
        for field, most in (("name", 1_000), ("description", 10_000)):
            assert most - 4 < len(found[field].encode()) <= most
            assert text.startswith(found[field])


def test_type_and_value_of_a_trait_are_cut() -> None:
    text = "x" * MILLIONS
    for found in (
        normalise({"attributes": {text: text}})["traits"],
        shown({"traits": [{"traitType": text, "traitValue": text}]})["traits"],
    ):
        assert found == [{"traitType": "x" * 1_000, "traitValue": "x" * 1_000}]


@pytest.mark.parametrize(
    "large",
    [list(range(1_000)), {"a": ["x" * 1_000]}, 10**1_100, [10**600, 10**600]],
    ids=["a list", "a text within", "a number", "two numbers"],
)
def test_a_large_value_that_is_no_text_is_left_out_for_half_of_it_would_be_another(large: Any) -> None:
    entries = [{"traitType": "Large", "traitValue": large}, {"traitType": "Fur", "traitValue": "Gold"}]
    assert values(normalise({"attributes": entries})["traits"]) == ["Gold"]
    assert values(shown({"traits": entries})["traits"]) == ["Gold"]


def test_the_first_500_traits_are_kept() -> None:
    entries = [{"trait_type": f"T{number % 7}", "value": number} for number in range(10_000)]
    assert values(normalise({"attributes": entries})["traits"]) == list(range(500))


def test_all_traits_of_an_nft_together_have_100_kilobytes() -> None:
    """With 500 at their longest a page of 30 NFTs would have 30 MB."""
    entries = [{"traitType": f"{number:03}" + "t" * 996, "traitValue": "v" * 999} for number in range(400)]
    assert len(normalise({"attributes": entries})["traits"]) == 50
    assert len(shown({"traits": entries})["traits"]) == 50


def test_traits_behind_the_first_10000_are_not_looked_for() -> None:
    same = [{"trait_type": "Fur", "value": "Gold"}]
    late = [{"trait_type": "Fur", "value": "Late"}]
    assert values(normalise({"attributes": same * 9_999 + late})["traits"]) == ["Gold", "Late"]
    assert values(normalise({"attributes": same * 10_000 + late})["traits"]) == ["Gold"]


@pytest.mark.parametrize(
    "body",
    [
        '{"attributes": [' + "1," * (MILLIONS // 2) + '1], "name": "Ape"}',
        '{"attributes": [' + "[1]," * (MILLIONS // 4) + '1], "name": "Ape"}',
        '{"attributes": "[' + "1," * (MILLIONS // 2) + '1]", "name": "Ape"}',
        '{"attributes": [{"trait_type": "A", "value": [' + "1," * (MILLIONS // 2) + '1]}], "name": "Ape"}',
        '{"name": "Ape", "properties": {' + ",".join(f'"p{n}": 1' for n in range(300_000)) + "}}",
    ],
    ids=["values", "lists", "text", "nested", "properties"],
)
def test_four_megabytes_cost_a_worker_about_a_second(body: str) -> None:
    """They took 11 seconds of processor time. It is measured against reading the JSON, for a machine may be slow."""
    began = time.process_time()
    json.loads(body, parse_int=str)
    reading = time.process_time() - began
    metadata = metadata_of(body.encode(), "application/json", "https://meta.example/1")
    spent = time.process_time() - began - reading
    assert metadata["name"] == "Ape"
    assert spent < 10 * reading + 1, f"{spent:.2f} s, reading alone {reading:.2f} s"


def test_thirty_loaded_nfts_of_megabytes_make_a_small_page() -> None:
    """What `load` brings is kept whole, and shown in part."""
    entries = [{"traitType": f"T{number}", "traitValue": "v" * 20} for number in range(80_000)]
    page = [shown({"name": "n" * MILLIONS, "traits": entries})] * 30
    assert len(json.dumps(page)) < 1_000_000
