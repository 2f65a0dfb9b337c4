"""The text of a trait's value, and the readings of an entry (specification, `traits`; field reports F34, F36)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokens.metadata.trait_texts import label, readings, value_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Gold", "Gold"),
        (" 5.0 ", " 5.0 "),
        ("", ""),
        (5, "5"),
        (5.0, "5"),
        (Decimal("5.00"), "5"),
        (0.5, "0.5"),
        (1.4, "1.4"),
        (-0.0, "0"),
        (0, "0"),
        (-12.50, "-12.5"),
        (1e3, "1000"),
        (1e-7, "0.0000001"),
        (100, "100"),
        (2**256 - 1, str(2**256 - 1)),
        (Decimal("12345678901234567890.123456789"), "12345678901234567890.123456789"),
        (Decimal("1e999999"), "1e999999"),
        (Decimal("-25e-500"), "-25e-500"),
        (10**60, "1" + "0" * 60),
        (1e60, "1" + "0" * 60),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ({"b": 1.0, "a": ["x", None, True]}, '{"a":["x",null,true],"b":1}'),
        ({"é": 'say "hi"'}, '{"é":"say \\"hi\\""}'),
        ([], "[]"),
    ],
)
def test_text_of_a_value(value: object, text: str) -> None:
    assert value_text(value) == text


def test_deep_nesting_is_cut_and_never_exhausts_the_stack() -> None:
    nested: object = "x"
    for _ in range(5000):
        nested = [nested]
    assert value_text(nested) == "[" * 32 + "null" + "]" * 32


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_number_keeps_its_value(number: float) -> None:
    assert float(value_text(number)) == number


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_equal_numbers_have_one_text(number: Decimal) -> None:
    assert Decimal(value_text(number)) == number
    assert value_text(number.normalize()) == value_text(number) or len(number.as_tuple().digits) > 28


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("Type-Alien", [("Type", "Alien")]),
        ("-Gold", [("", "Gold")]),
        ("Level--1", [("Level", "-1"), ("Level-", "1")]),
        ("Hi-Top-Red", [("Hi", "Top-Red"), ("Hi-Top", "Red")]),
        ("Gold", []),
        ("-", [("", "")]),
    ],
)
def test_readings_of_an_entry(entry: str, expected: list[tuple[str, str]]) -> None:
    assert readings(entry) == expected


@given(st.text(), st.text())
def test_the_true_reading_is_among_the_readings(trait_type: str, value: str) -> None:
    assert (trait_type, value) in readings(label(trait_type, value))
