"""Events that mark metadata for reading it again."""

from __future__ import annotations

import pytest

from indexing.decode.decode import decode
from indexing.decode.moves import MAX_UINT256, Refresh
from tests.ingestion.encoding import APES, BLOCK, TRANSACTION, log, word

URI = "URI(string,uint256)"
ONE = "MetadataUpdate(uint256)"
MANY = "BatchMetadataUpdate(uint256,uint256)"
TOKEN = 0xA6799756C63B2F3158C2AE3ACA48CB7D28D3D17800000000000000000000001B


def text(value: bytes) -> str:
    """A string behind its length, filled up to whole words."""
    return word(len(value)) + value.hex() + "00" * (-len(value) % 32)


def test_a_uri_comes_with_its_token() -> None:
    decoded = decode([log(URI, [TOKEN], word(32) + text(b"ipfs://bafk/{id}.json"))], 1)
    assert decoded.refreshes == [Refresh(APES, TOKEN, TOKEN, "ipfs://bafk/{id}.json", TRANSACTION, 3, BLOCK)]
    assert (decoded.moves, decoded.undecoded) == ([], [])


def test_a_uri_may_index_nothing() -> None:
    (refresh,) = decode([log(URI, [], word(64) + word(7) + text(b"ar://x"))], 1).refreshes
    assert (refresh.first_token_id, refresh.last_token_id, refresh.uri) == (7, 7, "ar://x")


@pytest.mark.parametrize(
    ("value", "uri"),
    [
        (b"ipfs://\xff\xfe", "ipfs://\ufffd\ufffd"),  # no UTF-8
        (b"ipfs://a\0b", "ipfs://a\ufffdb"),  # PostgreSQL has no NUL in text
        ("ipfs://猿".encode(), "ipfs://猿"),
        (b"", None),
        (b"x" * 65_536, "x" * 65_536),
        (b"x" * 65_537, None),  # to be asked of the contract
    ],
)
def test_odd_uris_never_stop_the_refresh(value: bytes, uri: str | None) -> None:
    (refresh,) = decode([log(URI, [1], word(32) + text(value))], 1).refreshes
    assert refresh.uri == uri


@pytest.mark.parametrize(("topics", "data"), [([], word(9)), ([9], "")], ids=["in data", "indexed"])
def test_a_metadata_update_names_one_token(topics: list[int | str], data: str) -> None:
    (refresh,) = decode([log(ONE, topics, data)], 1).refreshes
    assert refresh[:4] == (APES, 9, 9, None)


@pytest.mark.parametrize(
    ("topics", "data", "expected"),
    [
        ([], word(1) + word(20), (1, 20)),
        ([1, 20], "", (1, 20)),
        ([1], word(20), (1, 20)),
        ([], word(0) + word(MAX_UINT256), (0, 2**256 - 1)),
    ],
)
def test_a_batch_update_names_a_range_or_with_the_largest_number_the_collection(
    topics: list[int | str], data: str, expected: tuple[int, int]
) -> None:
    (refresh,) = decode([log(MANY, topics, data)], 1).refreshes
    assert (refresh.first_token_id, refresh.last_token_id) == expected


@pytest.mark.parametrize(
    ("signature", "topics", "data", "reason"),
    [
        (URI, [1], word(32) + word(100) + "00", "The data is cut off: a list or text claims to be longer"),
        (URI, [1, 2], word(32) + text(b"x"), "URI has 2 topics (EIP-1155), this log 3."),
        (ONE, [], "", "The data ends after 0 bytes"),
        (ONE, [1, 2], "", "The event has 2 topics at most, this log 3."),
        (MANY, [], word(5) + word(4), "The range ends before it begins: 5 to 4."),
    ],
)
def test_what_cannot_be_read_is_kept_with_the_reason(
    signature: str, topics: list[int | str], data: str, reason: str
) -> None:
    (fault,) = decode([log(signature, topics, data)], 1).undecoded
    assert fault.reason.startswith(reason)
