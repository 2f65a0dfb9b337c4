"""JSON as authors of metadata write it: strict JSON is left alone, the rest is read as far as it says something."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rest.records import ExactFloat
from tokens.metadata import jsonish
from tokens.metadata.jsonish import UnreadableError, decoded, read

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1}\0\0\0', {"a": 1}),  # padded to whole words by a contract
        ('// made by hand\n{"a": 1, /* two */ "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "http://x/*y*/"}', {"a": "http://x/*y*/"}),
        ('{"a": "// no comment",}', {"a": "// no comment"}),
        ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
        ("[,1,,2,]", [1, 2]),
        ('{"a": NaN, "b": -Infinity, "c": undefined}', {"a": None, "b": None, "c": None}),
        ('{"a": , "b": 1}', {"a": None, "b": 1}),  # a contract that had nothing to put there
        ('{"a": "two\nlines\tand a tab"}', {"a": "two\nlines\tand a tab"}),
        ('{"a": "it\\\'s"}', {"a": "it's"}),
        ('{"a": "¯\\_(ツ)_/¯", "b": "C:\\data"}', {"a": "¯\\_(ツ)_/¯", "b": "C:\\data"}),
        ('{"a": "\\x41\\u0042", "b": "\\u12"}', {"a": "AB", "b": "\\u12"}),
        ("{'a': 'say \"hi\"', 'b': None, 'c': True}", {"a": 'say "hi"', "b": None, "c": True}),
        ("{name: 'x', null: 1, 7: 2}", {"name": "x", "null": 1, "7": 2}),
        ('{"a": .5, "b": +5, "c": -.5, "d": 5.}', {"a": 0.5, "b": 5, "c": -0.5, "d": 5}),
        ('{"a": 007, "b": 0x1F}', {"a": "007", "b": "0x1F"}),  # octal to some, decimal to others: as written
    ],
)
def test_what_is_meant_without_doubt_is_read(text: str, value: Any) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Not Found",
        '{"a": 1',
        '{"a": "no end}',
        '{"a": "He said "hi" to me"}',
        '{"a": Light Blue}',
        '{"a": __import__("os")}',
        "[1 2]",
        '{"a" 1}',
        '{"a": 1}}',
        '{"a": 1} {"b": 2}',
        "/* no end",
        "<html></html>",
    ],
)
def test_what_would_have_to_be_guessed_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"^It is not JSON: .* at character [0-9]"):
        read(text)


@given(json_values)
def test_strict_json_is_never_changed(value: Any) -> None:
    assert read(json.dumps(value)) == value
    assert read(json.dumps(value, ensure_ascii=False, indent=1)) == value


@given(json_values)
def test_the_lenient_reading_of_strict_json_is_the_strict_one(value: Any) -> None:
    """A comment at the end makes the whole text go the lenient way."""
    assert read(json.dumps(value) + " // done") == value


@given(st.text(alphabet="{}[]:,\"'\\/*#aN1.-+ \n\0"))
def test_no_text_makes_it_raise_anything_else(text: str) -> None:
    with contextlib.suppress(UnreadableError):
        read(text)


def test_of_a_key_that_comes_twice_the_last_one_counts() -> None:
    assert read('{"a": 1, "a": 2}') == read('{"a": 1, "a": 2,}') == {"a": 2}


def test_a_lone_surrogate_is_kept() -> None:
    assert read('{"a": "\\ud83d"}') == read('{"a": "\\ud83d",}') == {"a": "\ud83d"}


def test_numbers_are_exact_and_those_that_nothing_can_hold_are_texts() -> None:
    value = read('{"a": 0.12345678901234567890, "b": 1e400, "c": 115792089237316195423570985008687907853}')
    assert isinstance(value["a"], ExactFloat)
    assert value["a"].text == "0.12345678901234567890"
    assert value["b"] == "1e400"
    assert value["c"] == 115792089237316195423570985008687907853
    assert read("9" * 5000) == "9" * 5000


@pytest.mark.parametrize("depth", [200, 5000])
def test_what_lies_too_deep_costs_only_itself(depth: int) -> None:
    """Beyond what Python's own reader can nest, the levels below the hundredth are ``null``."""
    value = read('{"name": "Ape", "deep": ' + "[" * depth + "]" * depth + ', "image": "https://i.example/x"}')
    assert (value["name"], value["image"]) == ("Ape", "https://i.example/x")
    assert isinstance(value["deep"], list)


def test_a_text_that_is_no_json_is_read_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many looks at the text as it has tokens, twice as many for twice the text."""
    looks = {count: _looks(count, monkeypatch) for count in (1000, 2000)}
    assert looks[2000] - 2 * looks[1000] in (-3, -2, -1)


def _looks(count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    taken = 0
    token = jsonish._TOKEN

    class Counting:
        def match(self, text: str, at: int) -> Any:
            nonlocal taken
            taken += 1
            return token.match(text, at)

    with monkeypatch.context() as patch:
        patch.setattr(jsonish, "_TOKEN", Counting())
        assert read("[" + '"x" , ' * count + "]") == ["x"] * count
    return taken


def test_a_long_text_that_is_no_json_is_not_read_leniently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by its length nor by what is in it can a text hold a worker for long."""
    with pytest.raises(UnreadableError):
        read("[1,]" + " " * jsonish.MAX_CHARACTERS)
    monkeypatch.setattr(jsonish, "MAX_TOKENS", 10)
    assert read("[1,2,3,4,]") == [1, 2, 3, 4]
    with pytest.raises(UnreadableError):
        read("[1,2,3,4,,]")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_told_by_its_first_bytes(encoding: str) -> None:
    assert read(decoded('{"a": "Dégagé 日本"}'.encode(encoding))) == {"a": "Dégagé 日本"}


def test_another_charset_is_believed_where_the_bytes_are_no_unicode() -> None:
    body = '{"a": "Dégagé"}'.encode("latin-1")
    assert decoded(body, "ISO-8859-1") == '{"a": "Dégagé"}'
    assert decoded('{"a": "Dégagé"}'.encode(), "ISO-8859-1") == '{"a": "Dégagé"}'
    assert decoded(body) == decoded(body, "rot13") == decoded(body, "nonsense") == '{"a": "D\ufffdgag\ufffd"}'


@given(st.binary())
def test_every_body_has_a_text(body: bytes) -> None:
    assert isinstance(decoded(body), str)
