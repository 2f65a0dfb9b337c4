"""Events by their declarations: their hashes, their fields by name, and logs that are not what they say."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.moves import MAX_ENTRIES
from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, UNHURRIED, log, topic0, word, words

SOLD = Event(
    "Sold(address indexed buyer, uint256 price, (address token, uint256 id)[] items, bytes32 indexed order, "
    "(uint8 kind, bytes data, (uint16 rate, address to)[] fees) detail, uint256[2] amounts, string note)"
)
SIGNATURE = (
    "Sold(address,uint256,(address,uint256)[],bytes32,(uint8,bytes,(uint16,address)[]),uint256[2],string)"
)
HEAD = 6 * 32
ITEMS = words(2, APES, 7, BOB, 8)
DETAIL = words(3, 96, 160) + words(2) + "abcd".ljust(64, "0") + words(1, 250, ALICE)
NOTE = words(2) + "6869".ljust(64, "0")


def sold(*, items: str = ITEMS, detail: str = DETAIL, topics: tuple[int | str, ...] = (ALICE, 5)) -> RawLog:
    """One `Sold`, as Solidity lays it out."""
    at = [HEAD, HEAD + len(items) // 2, HEAD + (len(items) + len(detail)) // 2]
    head = words(10**18, at[0], at[1], 1, 2, at[2])
    return log(SIGNATURE, topics, head + items + detail + NOTE)


def cut(one: RawLog, size: int) -> RawLog:
    return one._replace(data=one.data[:size])


def test_the_topic_of_an_event_is_the_hash_of_its_name_and_types() -> None:
    assert SOLD.topic == topic0(SIGNATURE)
    assert Event("Nothing()").topic == topic0("Nothing()")
    assert Event("Unnamed(uint256 indexed, bool)").topic == topic0("Unnamed(uint256,bool)")


def test_every_field_is_read_by_its_name_indexed_or_not_static_or_dynamic() -> None:
    told = SOLD.read(sold())
    assert (told["buyer"], told["order"], told["price"]) == (ALICE, "0x" + word(5), 10**18)
    assert [(one["token"], one["id"]) for one in told["items"]] == [(APES, 7), (BOB, 8)]
    detail = told["detail"]
    assert (detail["kind"], detail["data"]) == (3, b"\xab\xcd")
    assert [(fee["rate"], fee["to"]) for fee in detail["fees"]] == [(250, ALICE)]
    assert (told["amounts"], told["note"]) == ([1, 2], b"hi")


def test_a_static_struct_stands_among_the_others_and_is_read_by_names_of_its_own() -> None:
    event = Event("Bid((uint96 amount, (address to, bytes4 kind) how) bid, address by)")
    told = event.read(
        log("Bid((uint96,(address,bytes4)),address)", (), words(5, ALICE) + "12345678" + "0" * 56 + word(BOB))
    )
    assert (told["bid"]["amount"], told["by"]) == (5, BOB)
    assert (told["bid"]["how"]["to"], told["bid"]["how"]["kind"]) == (ALICE, "0x12345678")


def test_a_field_that_only_some_forms_of_an_event_have_may_be_asked_for_with_a_default() -> None:
    told = Event("Sold(uint256 price)").read(log("Sold(uint256)", (), word(5)))
    assert (told.get("price", 1), told.get("units", 1)) == (5, 1)
    with pytest.raises(KeyError):
        told["units"]


@pytest.mark.parametrize(
    ("malformed", "reason"),
    [
        (sold(topics=(ALICE,)), "Sold has 3 topics, this log 2."),
        (sold(topics=(ALICE, 5, 6)), "Sold has 3 topics, this log 4."),
        (cut(sold(), HEAD - 1), "The data ends after 191 bytes, before what should be in it."),
        (cut(sold(), 0), "The data ends after 0 bytes, before what should be in it."),
    ],
    ids=["a topic short", "a topic too many", "cut off", "empty"],
)
def test_a_log_of_another_form_is_not_read_at_all(malformed: RawLog, reason: str) -> None:
    with pytest.raises(UndecodableError) as fault:
        SOLD.read(malformed)
    assert str(fault.value) == reason


@pytest.mark.parametrize(
    ("malformed", "field", "reason"),
    [
        (sold(topics=(2**160, 5)), "buyer", "Topic 1 is no address: it is longer than 20 bytes."),
        (sold(items=words(2**255)), "items", "The data is cut off: a list or text claims to be longer"),
        (sold(items=words(12, APES, 7)), "items", "The data is cut off: a list or text claims to be longer"),
        (cut(sold(), HEAD), "items", "The data points beyond its end."),
        (cut(sold(), HEAD), "detail", "The data ends after 0 bytes, before what should be in it."),
        (
            sold(items=word(MAX_ENTRIES + 1) + "00" * (64 * (MAX_ENTRIES + 1))),
            "items",
            f"A list of {MAX_ENTRIES + 1} entries is longer than {MAX_ENTRIES}.",
        ),
    ],
    ids=[
        "no address",
        "an endless list",
        "a list cut off",
        "a list beyond",
        "a struct beyond",
        "a long list",
    ],
)
def test_a_field_that_the_log_does_not_hold_is_a_fault_when_it_is_asked_for(
    malformed: RawLog, field: str, reason: str
) -> None:
    told = SOLD.read(malformed)
    assert told["price"] == 10**18
    with pytest.raises(UndecodableError, match=reason):
        _all(told[field])


def test_a_word_that_is_no_address_is_a_fault_of_its_field_alone() -> None:
    told = SOLD.read(sold(items=words(1, 2**200, 7)))
    assert told["items"][0]["id"] == 7
    with pytest.raises(UndecodableError, match="no address: it is longer than 20 bytes"):
        told["items"][0]["token"]


@pytest.mark.parametrize(
    "declaration",
    [
        "Sold(int256 x)",
        "Sold(bytes[] x)",
        "Sold((uint256 a, string b)[] x)",
        "Sold(what x)",
        "Sold!(bool)",
        "Sold(bool",
        "Sold(bool) x",
        "Sold",
    ],
)
def test_what_cannot_be_read_cannot_be_declared(declaration: str) -> None:
    with pytest.raises(ValueError, match="No declaration of an event"):
        Event(declaration)


NUMBERS = st.one_of(st.integers(0, 2**256 - 1), st.integers(0, 640), st.sampled_from([0, 32, 64, 96, 2**255]))


@UNHURRIED
@given(st.lists(NUMBERS, max_size=40), st.binary(max_size=31))
def test_whatever_the_data_holds_each_field_is_a_value_within_it_or_a_fault(
    some: list[int], rest: bytes
) -> None:
    data = b"".join(one.to_bytes(32, "big") for one in some) + rest
    try:
        told = SOLD.read(sold()._replace(data=data))
    except UndecodableError:
        assert len(data) < HEAD
        return
    for field in ("items", "detail", "amounts", "note"):
        with suppress(UndecodableError):
            assert _all(told[field]) <= len(data)


def _all(value: Any) -> int:
    """The most bytes that a value takes, all within it read."""
    if isinstance(value, Fields):
        return max(
            _all(value[name])
            for name in ("token", "id", "kind", "data", "fees", "rate", "to")
            if value.get(name, None) is not None
        )
    if isinstance(value, list):
        return max([32 * len(value), *map(_all, value)])
    return len(value) if isinstance(value, bytes) else 32
