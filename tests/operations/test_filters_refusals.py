"""Every bad query is refused with all of its faults, by name and code, and in messages that can be shown."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from core.rest.filters import QueryFilterSet
from tests import drawn
from tests.operations.bad_queries import BAD_QUERIES, NFTS, TRANSFERS
from tokens.query.filters import NftFilterSet
from transfers.filters import TransferFilterSet

pytestmark = pytest.mark.django_db

FILTER_SETS: dict[str, type[QueryFilterSet]] = {NFTS: NftFilterSet, TRANSFERS: TransferFilterSet}


def test_the_table_is_worth_its_name() -> None:
    assert len({(operation, query) for operation, query, _ in BAD_QUERIES}) == len(BAD_QUERIES) > 300


@pytest.mark.parametrize(("operation", "query", "expected"), BAD_QUERIES)
def test_bad_query(operation: str, query: str, expected: list[tuple[str, str]]) -> None:
    filters = FILTER_SETS[operation](query)
    found = [(name, fault.code) for name, faults in filters.faults.items() for fault in faults]
    assert Counter(found) == Counter(expected)
    for faults in filters.faults.values():
        for fault in faults:
            assert 10 < len(fault) < 700
            str(fault).encode()
            assert fault == "" or str(fault).isprintable()
    assert not filters.is_valid()
    with pytest.raises(ValidationError):
        _ = filters.qs


NAMES = st.sampled_from([*NftFilterSet.base_filters, "format", "nope"])
PIECES = st.sampled_from(
    [
        "",
        "1",
        "0x1",
        "true",
        "%00",
        "%ff",
        "%ed%a0%80",
        "%22",
        ",",
        "-",
        ".",
        "a.eth",
        "eth,1,2",
        "usd,,",
        "%",
        "%25s",
        "ß",
        "%F0%9F%92%A9.eth",
    ]
)
VALUES = st.lists(PIECES, max_size=4).map("".join) | st.text(max_size=20).map(
    lambda text: "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))
)


@drawn.examples(50)
@given(st.lists(st.tuples(NAMES, VALUES), max_size=5))
@pytest.mark.parametrize("operation", [NFTS, TRANSFERS])
def test_no_query_is_more_than_refused(operation: str, pairs: list[tuple[str, str]]) -> None:
    filters = FILTER_SETS[operation]("&".join(f"{name}={value}" for name, value in pairs).encode())
    if filters.faults:
        assert all(str(fault).isprintable() for faults in filters.faults.values() for fault in faults)
    else:
        assert isinstance(filters.qs.fingerprint(), str)
    assert "</form>" not in str(filters.form)  # and it draws, whatever the query holds


def test_too_many_faults_are_all_told() -> None:
    filters = NftFilterSet("tokenId=" + ",".join(f"x{number}" for number in range(40)))
    codes = Counter(fault.code for fault in filters.faults["tokenId"])
    assert codes == {"invalid": 40, "max_length": 1}


@pytest.mark.parametrize(
    ("query", "attribute", "pieces"),
    [
        ("limit=99", "limit", ["1 to 30", '"99"']),
        ("chain=etherium", "chain", ['"etherium"', "ethereum, ", "polygon", "solana", "eip155:1"]),
        ("sortBy=price", "sortBy", ["lowestAsk", "highestAsk", "tokenId-asc", "tokenId-desc", "rarity"]),
        ("tokenId=1,x", "tokenId", ['"x"', "2^256"]),
        ("tokenId=" + "7" * 90, "tokenId", ['"777', "…"]),
        ("contractAddress=a_b.eth", "contractAddress", ["underscore"]),
        ("priceFilter=eth,9,1", "priceFilter", ['"9"', '"1"']),
        ("traits=Gold%25s", "traits", ['"Gold%s"']),
        ("excludemarkednfts", "excludemarkednfts", ['"excludeMarkedNfts"']),
    ],
)
def test_messages_say_what_was_sent_and_what_is_allowed(
    query: str, attribute: str, pieces: list[str]
) -> None:
    (fault,) = NftFilterSet(query).faults[attribute]
    assert all(piece in fault for piece in pieces), fault
