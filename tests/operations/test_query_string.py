"""Splitting the query string, unknown names, comma lists, and the browsable form's redirect (no database)."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from core.rest.parameters import (
    FORM_MARKER,
    MAX_PARAMETERS,
    ListSyntaxError,
    fault_of_text,
    has_marker,
    join_list,
    quoted,
    split,
    split_list,
    unknown,
    without_blanks,
)


@pytest.mark.parametrize(
    ("query_string", "expected"),
    [
        ("", {}),
        ("a=1&b=2&a=3", {"a": ["1", "3"], "b": ["2"]}),
        ("a", {"a": [""]}),
        ("a=&&b", {"a": [""], "b": [""]}),
        ("a=b=c", {"a": ["b=c"]}),
        ("a=x+y%2B%26z", {"a": ["x y+&z"]}),
        ("a;b=1", {"a;b": ["1"]}),
        ("a=%zz%", {"a": ["%zz%"]}),
        ("a=%C3%A9", {"a": ["é"]}),
        ("a=\u00c3\u00a9", {"a": ["é"]}),  # raw UTF-8, as WSGI hands it over
        ("%61=1", {"a": ["1"]}),
    ],
)
def test_split(query_string: str, expected: dict[str, list[str]]) -> None:
    assert dict(split(query_string).lists()) == expected


@pytest.mark.parametrize(
    "value", ["%ff", "%ed%a0%80", "%c3", "a%80b", "%c0%80", "%f4%90%80%80", "%00", "a%00b"]
)
def test_what_no_database_can_hold_is_found(value: str) -> None:
    (text,) = split(f"a={value}").getlist("a")
    assert fault_of_text(text)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_any_other_text_arrives_as_it_was_sent(text: str) -> None:
    assert split(f"a={quote(text, safe='')}")["a"] == text
    assert fault_of_text(text) is None


@given(st.binary(max_size=60))
def test_no_bytes_break_the_splitting(query_string: bytes) -> None:
    for name, values in split(query_string).lists():
        name.encode()
        for value in values:
            assert quoted(value).encode()


def test_too_many_parameters_are_refused() -> None:
    split("limit&" * MAX_PARAMETERS)
    with pytest.raises(ValidationError) as error:
        split("limit&" * (MAX_PARAMETERS + 1))
    assert error.value.get_codes() == ["invalid"]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("tokenid", "tokenId"),
        ("token_ids", "tokenId"),
        ("trait", "traits"),
        ("excludeTraits", "excludedTraits"),
        ("contract", "contractAddress"),
        ("zzz", None),
    ],
)
def test_an_unknown_name_is_refused_and_the_nearest_known_one_named(name: str, nearest: str | None) -> None:
    known = ["tokenId", "traits", "excludedTraits", "contractAddress", "limit"]
    (fault,) = unknown([name, "limit", "format"], known)[name]
    assert fault.code == "unknown_parameter"
    assert f'Did you mean "{nearest or ""}' in fault
    assert all(candidate in fault for candidate in known)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        (",", []),
        (" , ,", []),
        ('""', []),
        ('"  "', []),
        ('"",a', ["a"]),
        ("a,,b", ["a", "b"]),
        (" a , b ", ["a", "b"]),
        ("a,b,", ["a", "b"]),
        ('"Mouth-Bored, Pierced",Fur-Brown', ["Mouth-Bored, Pierced", "Fur-Brown"]),
        ('"say ""hi"""', ['say "hi"']),
        ('""""', ['"']),
        ('" a "', [" a "]),
        ('a"b"', ['a"b"']),
        ('a "b,c"', ['a "b', 'c"']),
        (' "a,b"', ['"a', 'b"']),
        ('x-"Wool" Boots +1,b', ['x-"Wool" Boots +1', "b"]),
        ('"a\nb"', ["a\nb"]),
        ("a,a", ["a", "a"]),
    ],
)
def test_split_list(text: str, entries: list[str]) -> None:
    assert split_list(text) == entries


@pytest.mark.parametrize("text", ['"', '"a', '"a""', 'a,"b', '"a"b', '"a" ', '"a" ,b', '"""', '"a,b'])
def test_quotes_that_do_not_pair_are_refused(text: str) -> None:
    with pytest.raises(ListSyntaxError):
        split_list(text)


ENTRIES = st.lists(st.text(st.sampled_from('a-", \t\n\u00a0é"')) | st.text(), max_size=6)


@given(ENTRIES)
def test_a_written_list_reads_back(entries: list[str]) -> None:
    assert split_list(join_list(entries)) == [entry for entry in entries if entry.strip()]


@given(ENTRIES)
def test_quoting_every_entry_changes_nothing(entries: list[str]) -> None:
    always = ",".join('"' + entry.replace('"', '""') + '"' for entry in entries)
    assert split_list(always) == [entry for entry in entries if entry.strip()]


@given(ENTRIES, ENTRIES)
def test_lists_joined_by_a_comma_are_one_list(first: list[str], second: list[str]) -> None:
    joined = f"{join_list(first)},{join_list(second)}"
    assert split_list(joined) == split_list(join_list(first)) + split_list(join_list(second))


@given(st.text(st.sampled_from('ab", ')))
def test_any_text_is_a_list_or_a_syntax_fault(text: str) -> None:
    try:
        entries = split_list(text)
    except ListSyntaxError:
        return
    assert all(entry.strip() for entry in entries)


def test_the_form_is_redirected_to_the_query_without_blanks() -> None:
    sent = f"contractAddress=0xAB&traits=&tokenId=%20&excludeMarkedNfts=&limit=5&{FORM_MARKER}=1&traits=A-%22b%22+c"
    assert has_marker(sent)
    assert without_blanks(sent) == "contractAddress=0xAB&limit=5&traits=A-%22b%22+c"
    assert not has_marker(without_blanks(sent))


@pytest.mark.parametrize("query_string", ["", "limit=5", "x_form=1", "x=_form"])
def test_only_the_form_has_the_marker(query_string: str) -> None:
    assert not has_marker(query_string)


@pytest.mark.parametrize("marker", [FORM_MARKER, f"{FORM_MARKER}=", "%5fform=1", f"a=1&{FORM_MARKER}=x&b=2"])
def test_the_marker_is_seen_however_written_and_always_removed(marker: str) -> None:
    assert has_marker(marker)
    assert not has_marker(without_blanks(marker))
