"""Answers are written by orjson, byte for byte as Django REST Framework writes them with json."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.renderers import JSONRenderer

from core.rest import rendering
from core.rest.records import MAX_NATIVE_DEPTH, number, third_party_json
from core.rest.rendering import PageRenderer

JSON = "application/json"
TEXTS = st.text(st.characters(), max_size=20)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def both(data: Any) -> tuple[bytes, bytes]:
    """What we write, and what DRF does."""
    return PageRenderer().render(data, JSON, {}), JSONRenderer().render(data, JSON, {})


@given(VALUES)
@example({"\ud800": 1})
@example([2**63, -(2**63), 2**64, 10**4_000])
@example("\x7f\x00\x1f\x80\u2028\u2029\uffff\U0001f600/\\\"<&>'")
@example([1e-5, 1e16, 1e22, 5e-324, 1.7976931348623157e308, -0.0, float("nan"), float("inf")])
def test_any_document_of_a_stranger_is_written_as_json_writes_it(value: Any) -> None:
    ours, theirs = both(third_party_json(json.dumps(value)))
    assert ours == theirs


@given(st.floats() | st.integers(-(10**30), 10**30))
@example(5e-05)
@example(9007199254740993.0)
def test_any_number_of_ours_is_written_as_json_writes_it(value: float) -> None:
    ours, theirs = both([number(value)])
    assert ours == theirs


def test_the_deepest_document_that_is_passed_on_is_written() -> None:
    document = third_party_json("[" * MAX_NATIVE_DEPTH + "1e-7" + "]" * MAX_NATIVE_DEPTH)
    assert document is not None
    ours, theirs = both({"data": [{"native": document}]})
    assert ours == theirs


@pytest.mark.parametrize("fault", [10**30, "\ud83d", {1: 2}])
def test_what_orjson_refuses_is_left_to_json(fault: Any) -> None:
    with mock.patch.object(rendering, "json_bytes", wraps=rendering.json_bytes) as tried:
        ours, theirs = both([fault])
    assert tried.called
    assert ours == theirs


@pytest.mark.parametrize("accepted", ["application/json; indent=4", "application/json;indent=0", JSON])
def test_who_asks_for_indented_json_gets_it(accepted: str) -> None:
    data = {"a": [1, "é"]}
    assert PageRenderer().render(data, accepted, {}) == JSONRenderer().render(data, accepted, {})
    assert PageRenderer().render(None, accepted, {}) == b""
