"""What a node sends as a log is either one, or refused with what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.node import events
from indexing.node.logs import MAX_DATA_BYTES, MalformedLogError, raw_log
from tests.ingestion.encoding import ALICE, APES, BOB, TRANSACTION, UNHURRIED, node_log, topic0, word

TRANSFER = "Transfer(address,address,uint256)"
SIGNATURES = {
    events.TRANSFER: TRANSFER,
    events.CONSECUTIVE_TRANSFER: "ConsecutiveTransfer(uint256,uint256,address,address)",
    events.ERC721_TRANSFER: "ERC721Transfer(address,address,uint256)",
    events.ERC20_TRANSFER: "ERC20Transfer(address,address,uint256)",
    events.TRANSFER_SINGLE: "TransferSingle(address,address,address,uint256,uint256)",
    events.TRANSFER_BATCH: "TransferBatch(address,address,address,uint256[],uint256[])",
    events.URI: "URI(string,uint256)",
    events.METADATA_UPDATE: "MetadataUpdate(uint256)",
    events.BATCH_METADATA_UPDATE: "BatchMetadataUpdate(uint256,uint256)",
    events.ASSIGN: "Assign(address,uint256)",
    events.PUNK_TRANSFER: "PunkTransfer(address,address,uint256)",
    events.PUNK_BOUGHT: "PunkBought(uint256,uint256,address,address)",
    events.PUNK_BID_ENTERED: "PunkBidEntered(uint256,uint256,address)",
}


def test_every_topic_to_ask_for_is_the_keccak_hash_of_its_signature() -> None:
    assert {topic0(signature): signature for signature in SIGNATURES.values()} == SIGNATURES
    assert sorted(events.TOPICS) == sorted(SIGNATURES)


def test_a_log_is_read_with_its_place_and_in_lower_case() -> None:
    answer = node_log(TRANSFER, [ALICE, BOB, 7])
    answer["address"] = APES.upper().replace("X", "x")
    answer["topics"][1] = answer["topics"][1].upper().replace("X", "x")
    log = raw_log(answer | {"data": "0xABcd"})
    assert log.address == APES
    assert log.topics == (events.TRANSFER, "0x" + word(ALICE), "0x" + word(BOB), "0x" + word(7))
    assert log.data == b"\xab\xcd"
    assert (log.block_number, log.block_hash) == (17_000_000, "0x" + "bb" * 32)
    assert (log.transaction_hash, log.transaction_index, log.log_index) == (TRANSACTION, 5, 3)


def test_a_log_without_topics_is_one() -> None:
    """Anonymous events have none (LOG0)."""
    assert raw_log(node_log(TRANSFER) | {"topics": []}).topics == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"blockNumber": None}, "the log's blockNumber is null, not text"),  # of a pending block
        ({"logIndex": 3}, "the log's logIndex is of type int, not text"),
        ({"address": "0xabc"}, "the log's address has the wrong length: '0xabc'"),
        ({"address": "a9" * 21}, f"the log's address is not hexadecimal: '{'a9' * 21}'"),
        ({"topics": None}, "the log's topics are null, not a list"),
        ({"topics": "0x" + "0" * 64}, "the log's topics are of type str, not a list"),
        ({"topics": ""}, "the log's topics are of type str, not a list"),
        ({"topics": {}}, "the log's topics are of type dict, not a list"),
        (
            {"topics": [",".join(["0x" + "0" * 64] * 2)]},
            f"the log's topic 0 is not hexadecimal: '0x{'0' * 64},0x0'",
        ),
        ({"topics": ["0x" + "0" * 64] * 5}, "the log has 5 topics, more than four"),
        ({"topics": [None]}, "the log's topic 0 is null, not text"),
        ({"topics": ["0x00"]}, "the log's topic 0 has the wrong length: '0x00'"),
        ({"data": "0xabc"}, "the log's data is not hexadecimal: '0xabc'"),
        ({"data": "0xab cd"}, "the log's data is not hexadecimal: '0xab cd'"),
        ({"data": "abcd"}, "the log's data is not hexadecimal: 'abcd'"),
        ({"data": None}, "the log's data is null, not text"),
        ({"blockNumber": "0x-1"}, "the log's blockNumber is not hexadecimal: '0x-1'"),
        ({"blockNumber": "0x" + "f" * 16}, f"the log's blockNumber has the wrong length: '0x{'f' * 16}'"),
        ({"logIndex": "0x1_0"}, "the log's logIndex is not hexadecimal: '0x1_0'"),
        ({"transactionHash": "0x12"}, "the log's transactionHash has the wrong length: '0x12'"),
    ],
)
def test_what_is_no_log_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(MalformedLogError) as refused:
        raw_log(node_log(TRANSFER) | changes)
    assert str(refused.value) == reason


def test_a_missing_key_is_named() -> None:
    answer = node_log(TRANSFER)
    del answer["data"]
    with pytest.raises(MalformedLogError, match="the log has no data"):
        raw_log(answer)


@pytest.mark.parametrize("answer", [None, "0x", 7, ["address"]])
def test_what_is_not_even_an_object_is_refused(answer: Any) -> None:
    with pytest.raises(MalformedLogError, match="not an object"):
        raw_log(answer)


def test_data_beyond_what_a_block_holds_is_refused() -> None:
    with pytest.raises(MalformedLogError, match="more than any block has room for"):
        raw_log(node_log(TRANSFER) | {"data": "0x" + "00" * (MAX_DATA_BYTES + 1)})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.from_regex(r"0x[0-9a-f]{0,70}", fullmatch=True),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@UNHURRIED
@given(key=st.sampled_from(sorted(node_log(TRANSFER))), value=JSON)
def test_any_json_in_any_place_is_read_or_refused_with_a_reason(key: str, value: Any) -> None:
    refusal = refusal_of(node_log(TRANSFER, [ALICE, BOB, 7]) | {key: value})
    assert refusal is None or key in refusal or key == "topics"
    assert refusal != "the log cannot be read"


def refusal_of(answer: dict[str, Any]) -> str | None:
    """Why the log is refused; None where it is read."""
    try:
        raw_log(answer)
    except MalformedLogError as refused:
        return str(refused)
    return None
