"""Whatever document comes, nothing raises, and a bad field costs no good one.

250 documents a test; 10,000 with HYPOTHESIS_PROFILE=thorough, as for the walks.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.strategies.documents import Partly, any_json, bodies, partly_bad, tangles
from tokens.metadata.documents import metadata_of
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.nft_facts import fill
from tokens.metadata.normalise import normalise
from tokens.records.metadata import Pictures, metadata_record
from tokens.records.traits import Population
from tokens.store.facts import NftFacts

EXAMPLES = 10_000 if os.environ.get("HYPOTHESIS_PROFILE") in ("thorough", "hunt") else 250
many = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(metadata: dict[str, Any]) -> None:
    """Hold a metadata object to its shape, and to what is kept and shown of it."""
    assert set(metadata) <= {
        "name",
        "description",
        "imageUrl",
        "imageMediaType",
        "mediaUrl",
        "mediaType",
        "traits",
    }
    assert all(isinstance(value, str) and value for name, value in metadata.items() if name != "traits")
    traits = metadata.get("traits", [None])
    assert traits, "what is unknown is absent"
    for trait in metadata.get("traits", []):
        assert set(trait) in ({"traitType", "traitValue"}, {"traitValue"})
        assert trait["traitValue"] is not None
        assert isinstance(trait.get("traitType", ""), str)
    facts = NftFacts("ethereum", "01", ("ethereum", "0x", "01"))
    fill(facts, metadata)
    assert isinstance(facts.metadata, str)
    assert "\0" not in facts.metadata
    facts.metadata.encode()
    json.loads(facts.metadata, parse_constant=pytest.fail)
    shown = metadata_record(facts.metadata, Pictures(), Population(size=0, computed=True)) or {}
    json.dumps(shown, allow_nan=False)
    assert set(shown) == set(metadata) | ({"traits"} if metadata else set())


@many
@given(tangles() | any_json)
def test_any_json_is_a_document(document: Any) -> None:
    check(normalise(document))


@many
@given(
    bodies(tangles() | any_json),
    st.sampled_from(["", "application/json", "image/png", "text/html; charset=gbk"]),
)
def test_any_body_is_read_or_refused(body: bytes, media_type: str) -> None:
    try:
        metadata = metadata_of(body, media_type, "https://x.example/1")
    except UnusableDocumentError:
        return
    check(metadata)


@many
@given(partly_bad())
def test_a_bad_field_costs_no_good_one(partly: Partly) -> None:
    found = normalise(partly.document)
    assert {name: found.get(name) for name in partly.expected} == partly.expected
    assert set(found) == set(partly.expected), "and nothing is invented"
    check(found)


@many
@given(st.data(), partly_bad())
def test_loose_writing_costs_no_good_field(data: st.DataObject, partly: Partly) -> None:
    body = data.draw(bodies(st.just(partly.document)))
    try:
        found = metadata_of(body, "application/json", "https://x.example/1")
    except UnusableDocumentError:
        found = {}
    assert found == partly.expected
