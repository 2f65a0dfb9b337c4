"""Evidence is small, and gives back what it was made of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction
from indexing.write.evidence import pack, unpack
from tests.ingestion.encoding import UNHURRIED

HASH = "0x" + "7a" * 32


def hexadecimal(count: int) -> st.SearchStrategy[str]:
    return st.binary(min_size=count, max_size=count).map(lambda raw: "0x" + raw.hex())


LOGS = st.builds(
    RawLog,
    address=hexadecimal(20),
    topics=st.lists(hexadecimal(32), max_size=4).map(tuple),
    data=st.binary(max_size=300),
    block_number=st.just(17_000_000),
    block_hash=st.just(""),
    transaction_hash=st.just(HASH),
    transaction_index=st.just(0),
    log_index=st.integers(0, 2**24 - 1),
)
TRANSACTIONS = st.builds(
    ChainTransaction,
    hash=st.just(HASH),
    index=st.integers(0, 2**20),
    block_number=st.just(17_000_000),
    timestamp=st.just(1_700_000_000),
    sender=hexadecimal(20),
    target=st.none() | hexadecimal(20),
    value=st.integers(0, 2**256 - 1),
    logs=st.lists(LOGS, max_size=5).map(tuple),
)


@UNHURRIED
@given(TRANSACTIONS)
def test_what_is_unpacked_is_what_was_packed(one: ChainTransaction) -> None:
    whole = replace(one, logs=tuple(log._replace(transaction_index=one.index) for log in one.logs))
    assert unpack(pack(whole), HASH, 17_000_000, timestamp=1_700_000_000) == whole


@pytest.mark.parametrize("packed", [b"", b"\x03abc"])
def test_evidence_of_another_version_is_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="is not known"):
        unpack(packed, HASH, 1, timestamp=1)
