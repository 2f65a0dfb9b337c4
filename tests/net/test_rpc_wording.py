"""What the words of nodes mean, where it depends on the method or on the other words."""

from __future__ import annotations

import pytest

from core.net.rpc.errors import Kind, RpcError
from core.net.rpc.wording import is_of_contract, kind_of, smaller_batch, smaller_ranges, stated_blocks


@pytest.mark.parametrize(
    ("method", "code", "text", "kind"),
    [
        ("eth_call", 3, "", Kind.FINAL),
        ("eth_call", -32000, "execution reverted: header not found", Kind.FINAL),
        ("eth_call", -32603, "VM Exception while processing transaction: revert limit exceeded", Kind.FINAL),
        ("eth_call", -32603, "EVM error OutOfGas", Kind.FINAL),
        ("eth_call", -32000, "execution aborted (timeout = 5s)", Kind.FINAL),
        ("eth_call", -32000, "invalid opcode: INVALID", Kind.FINAL),
        ("eth_call", -32005, "limit exceeded", Kind.RATE),
        ("eth_call", -32603, "", Kind.TRANSIENT),
        ("eth_call", -32000, "request timed out", Kind.TRANSIENT),
        ("eth_call", -32602, "invalid argument 0: json: cannot unmarshal", Kind.FINAL),
        ("eth_getTransactionReceipt", -32000, "transaction indexing is in progress", Kind.TRANSIENT),
        ("eth_getLogs", -32000, "the node is not synced yet", Kind.TRANSIENT),
        ("eth_blockNumber", -32000, "node is syncing", Kind.TRANSIENT),
        ("eth_call", -32000, "execution reverted: sale not started", Kind.FINAL),
        ("eth_call", -32801, "no historical RPC is available", Kind.FINAL),
        ("eth_call", -32000, "required historical state unavailable (reexec=128)", Kind.LAGGING),
        ("eth_call", -32000, "state 0x12 is not available", Kind.LAGGING),
        ("eth_getBlockReceipts", -32601, "the method does not exist/is not available", Kind.ELSEWHERE),
        ("eth_getBlockReceipts", -32000, "The method eth_getBlockReceipts is not available", Kind.ELSEWHERE),
        ("eth_getBlockReceipts", -32003, "response too large", Kind.TOO_MANY),
        ("eth_blockNumber", -32000, "Unauthorized: invalid api key", Kind.ELSEWHERE),
        ("eth_blockNumber", -32600, "Must be authenticated!", Kind.ELSEWHERE),
        ("eth_getLogs", -32005, "rate limit exceeded, and the block range is too wide", Kind.LIMIT),
        ("eth_getLogs", 429, "limit exceeded", Kind.LIMIT),
        ("eth_getLogs", -32000, "too many addresses", Kind.ADDRESSES),
        ("eth_getLogs", -32602, "exceed max addresses or topics per search position", Kind.ADDRESSES),
        ("eth_getLogs", -32000, "unknown block", Kind.LAGGING),
        ("eth_getLogs", -32602, "BlockOutOfRangeError: block height is 47 but requested was 48", Kind.LAGGING),
        ("eth_getLogs", -32603, "height 48 must be less than or equal to the current blockchain height 47",
         Kind.LAGGING),
        ("eth_getLogs", -32000, "One of the blocks specified in filter (fromBlock, toBlock) cannot be found.",
         Kind.LAGGING),
    ],
)  # fmt: skip
def test_what_follows_from_an_error(method: str, code: int, text: str, kind: Kind) -> None:
    assert kind_of(method, code, text) is kind


@pytest.mark.parametrize(
    ("message", "blocks"),
    [
        ("eth_getLogs is limited to a 10,000 range", 10_000),
        ("exceed maximum block range: 5000", 5_000),
        ("query exceeds max block range 2000", 2_000),
        ("range 1000000 exceeds limit of 10000", 10_000),
        ("range 9009594 is bigger than range limit 2000", 2_000),
        ("you can make eth_getLogs requests with up to a 2K block range", 2_000),
        ("block range is larger than max block range, block range = 5120, max block range = 5000", 5_000),
        ("query returned more than 10000 results", None),
        ("query exceeds max results 20000", None),
    ],
)
def test_the_blocks_that_a_node_says_a_range_may_have(message: str, blocks: int | None) -> None:
    assert stated_blocks(message) == blocks


@pytest.mark.parametrize(
    ("message", "ranges"),
    [
        ("", [(10, 14), (15, 19)]),
        ("exceed maximum block range: 4", [(10, 13), (14, 17), (18, 19)]),
        ("exceed maximum block range: 10", [(10, 14), (15, 19)]),
        ("exceed maximum block range: 0", [(10, 14), (15, 19)]),
        ("query exceeds max results 20000, retry with the range 10-11", [(10, 11), (12, 19)]),
        ("query exceeds max results 20000, retry with the range 10-19", [(10, 14), (15, 19)]),
        ("this block range should work: [0xa, 0x12]", [(10, 18), (19, 19)]),
    ],
)
def test_the_ranges_that_are_asked_for_instead(message: str, ranges: list[tuple[int, int]]) -> None:
    assert smaller_ranges(message, 10, 19) == ranges


@pytest.mark.parametrize(
    ("message", "size"),
    [
        ("batch too large", 25),
        ("batch limit 10 exceeded", 10),
        ("batch of 50 calls exceeds the limit", 25),
        ("Batch requests are not supported", 1),
        ("HTTP 413", 25),
    ],
)
def test_the_size_of_the_next_batch(message: str, size: int) -> None:
    assert smaller_batch(message, 50) == size


@pytest.mark.parametrize(
    ("code", "text", "is_its_own"),
    [
        (3, "execution reverted: try again later", True),
        (-32000, "execution reverted", True),
        (-32603, "EVM error OutOfGas", True),
        (-32000, "out of gas", True),
        (-32602, "invalid argument 0: json: cannot unmarshal", False),
        (-32603, "internal error", False),
        (-32000, "header not found", False),
    ],
)
def test_a_call_fails_by_its_contract_or_by_its_node(code: int, text: str, is_its_own: bool) -> None:
    error = RpcError("http://node", code, text, kind=kind_of("eth_call", code, text))
    assert is_of_contract(error) is is_its_own
