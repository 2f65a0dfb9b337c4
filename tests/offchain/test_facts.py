"""From a metadata object to the facts of its NFT: the text that is kept, the traits that are found, the image."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.rest.records import third_party_json
from tests.conftest import Api
from tests.files.lines import load
from tokens.metadata.documents import metadata_of
from tokens.metadata.nft_facts import fill
from tokens.store.facts import NftFacts, TraitFacts


def filled(metadata: dict[str, Any]) -> NftFacts:
    """An NFT's facts from a metadata object."""
    facts = NftFacts("ethereum", "01", ("ethereum", "0x", "01"))
    fill(facts, metadata)
    return facts


def test_metadata_makes_text_traits_and_image() -> None:
    traits = [{"traitType": "Level", "traitValue": 5}, {"traitValue": "Gold"}]
    facts = filled({"name": "Ape", "imageUrl": "https://i.example/x", "traits": traits})
    assert facts.metadata == (
        '{"name":"Ape","imageUrl":"https://i.example/x","traits":[{"traitType":"Level","traitValue":5},{"traitValue":"Gold"}]}'
    )
    assert facts.traits == [TraitFacts("Level", "5"), TraitFacts("", "Gold")]
    assert facts.image_url == "https://i.example/x"


def test_metadata_that_tells_nothing_clears_what_was_known() -> None:
    facts = filled({})
    assert (facts.metadata, facts.traits, facts.image_url) == ("{}", [], None)


def test_numbers_are_stored_as_they_are_written() -> None:
    body = b'{"attributes": {"a": 1.10, "b": 5.0, "c": 0.1234567890123456789, "d": 1e400, "e": 2E3}}'
    facts = filled(metadata_of(body, "", ""))
    texts = ["1.1", "5", "0.1234567890123456789", "1e400", "2000"]
    assert facts.traits == [TraitFacts(kind, text) for kind, text in zip("abcde", texts, strict=True)]
    assert isinstance(facts.metadata, str)
    for text in ("1.10", "5.0", "0.1234567890123456789", '"1e400"', "2E3"):
        assert f'"traitValue":{text}}}' in facts.metadata


def test_texts_that_no_database_can_hold_are_escaped_in_the_document_and_replaced_in_traits() -> None:
    facts = filled({"name": "a\0\ud800b", "traits": [{"traitType": "\ud800", "traitValue": "x\0"}]})
    assert isinstance(facts.metadata, str)
    facts.metadata.encode()  # UTF-8 knows no lone surrogate
    assert "\0" not in facts.metadata
    assert json.loads(facts.metadata)["name"] == "a\0\ud800b"
    assert facts.traits == [TraitFacts("\ufffd", "x\ufffd")]


def test_500_traits_are_found_and_all_are_kept() -> None:
    facts = filled({"traits": [{"traitType": "T", "traitValue": n} for n in range(10_000)]})
    assert isinstance(facts.traits, list)
    assert (len(facts.traits), facts.traits[-1]) == (500, TraitFacts("T", "499"))
    assert len(third_party_json(str(facts.metadata))["traits"]) == 10_000


def test_what_is_kept_can_be_shown_however_deep_its_document_is() -> None:
    body = b'{"name": "Ape", "attributes": {"deep": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}}"
    facts = filled(metadata_of(body, "", ""))
    assert third_party_json(str(facts.metadata))["name"] == "Ape"


@pytest.mark.django_db
def test_what_is_read_can_be_loaded_and_found(api: Api) -> None:
    """Fetched metadata is what an interchange line has: both make the same record."""
    body = b'{"name": "a\\u0000\\ud800", "attributes": [{"trait_type": "x\\u0000", "value": 1.50}, {"value": "Gold"}]}'
    line = {
        "record": "nft",
        "chain": "ethereum",
        "contractAddress": "0x" + "1" * 40,
        "tokenId": "1",
        "metadata": metadata_of(body, "", ""),
    }
    load(line)
    (record,) = api.nfts(traits="-Gold")["data"]
    assert [trait["traitFrequency"] for trait in record["metadata"]["traits"]] == [1, 1]
