"""Logs as they are and with something in them changed, drawn."""

from __future__ import annotations

from hypothesis import strategies as st

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, BOB, CAROL
from tests.markets.currencies import USDC, WETH

WORDS = st.one_of(
    st.integers(0, 2**256 - 1),
    st.integers(0, 640),
    st.sampled_from([int(one, 16) for one in (ALICE, BOB, CAROL, WETH, USDC)]),
)
"""Any number, a small one that may be an offset or a length, or an address."""


def changed(one: RawLog) -> st.SearchStrategy[RawLog]:
    """The log itself, or without its end, without topics, or with another word somewhere."""
    size = len(one.data)
    cut = st.integers(0, size).map(lambda at: one._replace(data=one.data[:at]))
    fewer = st.integers(0, len(one.topics)).map(lambda count: one._replace(topics=one.topics[:count]))
    places = st.integers(0, size // 32).map(lambda word: 32 * word)
    other = st.tuples(places, WORDS.map(lambda word: word.to_bytes(32, "big"))).map(
        lambda change: one._replace(
            data=(one.data[: change[0]] + change[1] + one.data[change[0] + 32 :])[:size]
        )
    )
    return st.just(one) | st.just(one) | cut | fewer | other
