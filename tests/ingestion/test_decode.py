"""Properties of decoding: it takes any bytes, and gives back what was encoded."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from indexing.contracts.kinds import Form, form_of
from indexing.decode.decode import decode
from indexing.decode.moves import Decoded
from indexing.node.events import TOPICS
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, batch_data, log, word

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
UINT256 = st.integers(0, 2**256 - 1)
# Random words are hardly ever an address, an offset or a length; these often are.
NUMBERS = st.one_of(
    UINT256,
    st.integers(0, 300),
    st.sampled_from([0, 32, 64, 96, 128, 2**255, 2**256 - 1]),
    st.sampled_from([ALICE, BOB, CAROL]).map(lambda address: int(address, 16)),
)
DATA = st.one_of(
    st.binary(max_size=400),
    st.builds(
        lambda words, tail: b"".join(value.to_bytes(32, "big") for value in words) + tail,
        st.lists(NUMBERS, max_size=12),
        st.binary(max_size=3),
    ),
)
TOPIC = NUMBERS.map(lambda value: f"0x{value:064x}")
ADDRESSES = st.sampled_from([APES, PUNKS, KITTIES, "0x" + "55" * 20])


@st.composite
def transactions(draw: st.DrawFn) -> list[RawLog]:
    """Up to six logs of one transaction, most of them with an NFT event's hash, with anything behind it."""
    logs = []
    for index in range(draw(st.integers(0, 6))):
        first = draw(st.lists(st.sampled_from(TOPICS) | TOPIC, max_size=1))
        topics = (*first, *(draw(st.lists(TOPIC, max_size=3)) if first else ()))
        logs.append(
            RawLog(draw(ADDRESSES), topics, draw(DATA), 1, "0x" + "0" * 64, "0x" + "1" * 64, 0, index)
        )
    return logs


def is_address(text: str) -> bool:
    return len(text) == 42 and text.startswith("0x") and text == text.lower() and int(text, 16) >= 0


@UNHURRIED
@given(logs=transactions(), nfts=st.sets(ADDRESSES), money=st.sets(ADDRESSES), punks=st.sets(ADDRESSES))
def test_no_bytes_make_decoding_raise_or_give_what_cannot_be_stored(
    logs: list[RawLog], nfts: set[str], money: set[str], punks: set[str]
) -> None:
    decoded = decode(logs, 1, nfts, fungible_contracts=money, punk_contracts=punks)
    assert all(form_of(one) in (None, *Form) for one in logs)
    for move in decoded.moves:
        assert is_address(move.sender)
        assert is_address(move.receiver)
        assert 0 <= move.token_id < 2**256
        assert 0 <= move.amount < 2**256
        assert move.amount == 1 or move.standard == "ERC1155"
    places = [(move.log_index, move.batch_index) for move in decoded.moves]
    assert places == sorted(set(places))
    for refresh in decoded.refreshes:
        assert 0 <= refresh.first_token_id <= refresh.last_token_id < 2**256
    assert all(fault.reason.endswith(".") and fault.log in logs for fault in decoded.undecoded)


@UNHURRIED
@given(logs=transactions())
def test_a_log_is_read_decoded_or_kept_but_never_two_of_these(logs: list[RawLog]) -> None:
    decoded = decode(logs, 1)
    kinds = [
        {move.log_index for move in decoded.moves},
        {refresh.log_index for refresh in decoded.refreshes},
        {fault.log.log_index for fault in decoded.undecoded},
    ]
    assert sum(map(len, kinds)) == len(set().union(*kinds))


def said(decoded: Decoded) -> list[tuple[Any, ...]]:
    """Token, amount and batch index of each move."""
    return [(move.token_id, move.amount, move.batch_index) for move in decoded.moves]


@UNHURRIED
@given(entries=st.lists(st.tuples(UINT256, UINT256), max_size=40))
def test_a_batch_encoded_is_the_batch_decoded(entries: list[tuple[int, int]]) -> None:
    data = batch_data([token for token, _ in entries], [amount for _, amount in entries])
    batch = log("TransferBatch(address,address,address,uint256[],uint256[])", [CAROL, ALICE, BOB], data)
    assert said(decode([batch], 1)) == [
        (token, amount, place) for place, (token, amount) in enumerate(entries)
    ]


@UNHURRIED
@given(entries=st.lists(st.tuples(UINT256, UINT256), min_size=1, max_size=10), data=st.data())
def test_a_batch_cut_off_anywhere_is_never_half_a_batch(
    entries: list[tuple[int, int]], data: st.DataObject
) -> None:
    whole = batch_data([token for token, _ in entries], [amount for _, amount in entries])
    cut = data.draw(st.integers(0, len(whole) // 2 - 1))
    signature = "TransferBatch(address,address,address,uint256[],uint256[])"
    decoded = decode([log(signature, [CAROL, ALICE, BOB], whole[: 2 * cut])], 1)
    assert (decoded.moves, len(decoded.undecoded)) == ([], 1)


@UNHURRIED
@given(token=UINT256, count=st.integers(1, 50))
def test_a_range_encoded_is_the_range_decoded(token: int, count: int) -> None:
    last = min(token + count - 1, 2**256 - 1)
    signature = "ConsecutiveTransfer(uint256,uint256,address,address)"
    decoded = decode([log(signature, [token, ZERO, BOB], word(last))], 1)
    assert said(decoded) == [(value, 1, value - token) for value in range(token, last + 1)]


@UNHURRIED
@given(token=UINT256)
def test_every_form_of_an_old_transfer_says_the_same(token: int) -> None:
    signature = "Transfer(address,address,uint256)"
    forms = [
        log(signature, [ALICE, BOB, token]),
        log(signature, [ALICE, BOB], word(token)),
        log(signature, [], word(ALICE) + word(BOB) + word(token)),
    ]
    assert {decode([form], 1, {APES}).moves[0] for form in forms} == {decode(forms[:1], 1).moves[0]}
