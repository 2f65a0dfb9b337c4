"""How the oracle reads texts. What it answers is tested beside the service (`tests.operations.rules`)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.text import base58_decode, base58_encode, split_list, value_text

MINT = base58_encode(b"\x07" * 32)


@pytest.mark.parametrize(
    ("given", "entries"),
    [
        ("a,b", ["a", "b"]),
        (["a,b", "c"], ["a", "b", "c"]),
        ('"a, b" , c', ["a, b", "c"]),
        ('"say ""x""",y', ['say "x"', "y"]),
        ('un"quoted"', ['un"quoted"']),
        ('"",  ,"  "', []),
        ("a,a,", ["a"]),
    ],
)
def test_lists(given: Any, entries: list[str]) -> None:
    assert split_list(given) == entries


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5", "5"),
        (5, "5"),
        (5.0, "5"),
        (0.5, "0.5"),
        (True, "true"),
        (-1, "-1"),
        ({"b": 1, "a": "é"}, '{"a":"é","b":1}'),
    ],
)
def test_text_of_values(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_base58() -> None:
    assert base58_decode("1" * 32) == bytes(32)
    assert base58_decode(MINT) == b"\x07" * 32
