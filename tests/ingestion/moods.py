"""Nodes in moods: behind, deaf, repeating themselves, forgetful, numbering oddly, talking nonsense, for a while.

A mood lasts a number of answers; then the node is good again, as one is that was restarted.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from core.net.rpc.errors import Kind, LaggingNodeError, NodeUnavailableError, RpcError
from tests.ingestion.answers import OWNER_OF
from tests.ingestion.chain import Chain, Emitted, FakeNode, Moved, emitted
from tests.ingestion.encoding import ZERO, word, words

Alter = Callable[[str, list[Any], Any], Any]
"""What a node answers instead: method, parameters and right answer in."""

PARCELS = "0x" + "9a" * 20
"""A contract from before the standard: its ``Transfer`` indexes nothing, and only ``ownerOf`` tells what it is."""

_REVERTED = RpcError("played", 3, "execution reverted")
_CALLS = frozenset({"eth_call", "eth_getCode"})
_THINGS = frozenset({"eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_getBlockReceipts"})
_DEAF = (
    RpcError("played", -32603, "internal error", kind=Kind.TRANSIENT),
    RpcError("played", -32000, "transaction indexing is in progress"),
    LaggingNodeError("played", -32000, "header not found"),
    RpcError("played", -32601, "the method eth_call is not available", kind=Kind.ELSEWHERE),
    NodeUnavailableError("given up after 8 attempts, the last: HTTP 503 \ud800\0"),
    None,
    7,
    "0x" + "zz" * 32,
)
"""What a node says that does not answer calls of contracts: an error, a failure of the request, or nonsense."""


def parcel(token_id: int, sender: str, receiver: str) -> Emitted:
    """A ``Transfer`` of :data:`PARCELS`."""
    log = emitted(
        "Transfer(address,address,uint256)", data=words(sender, receiver, token_id), contract=PARCELS
    )
    return log._replace(moves=[Moved(PARCELS, token_id, sender, receiver, 1)])


def node_of(chain: Chain, alter: Alter = lambda method, params, answer: answer) -> FakeNode:
    """A node that serves a chain on which :data:`PARCELS` tell who owns what; of a burnt one they revert."""

    def answer(address: str, data: str, block: int) -> Any:
        if not data.startswith(OWNER_OF):
            return _REVERTED
        owner = ZERO
        for move in chain.moves(0, block):
            if move[:2] == (PARCELS, int(data[10:], 16)):
                owner = move.receiver
        return _REVERTED if owner == ZERO else "0x" + word(owner)

    return FakeNode(chain, {PARCELS: answer}, alter=alter)


def behind(chain: Chain, blocks: int) -> FakeNode:
    """Another node of the chain, so many blocks behind."""
    shorter = copy.copy(chain)
    shorter.blocks = chain.blocks[: max(len(chain.blocks) - blocks, 1)]
    return node_of(shorter)


def deaf(answers: int, how: int) -> Alter:
    """Calls of contracts fail for so many answers."""
    return _for_a_while(answers, _CALLS, lambda answer: _DEAF[how % len(_DEAF)])


def forgetful(answers: int) -> Alter:
    """Transactions and receipts are not there for so many answers."""
    return _for_a_while(answers, _THINGS, lambda answer: None)


def repeating(method: str, params: list[Any], answer: Any) -> Any:
    """Every log is sent twice, and every receipt of a block."""
    if method == "eth_getLogs":
        return [log for log in answer for _ in range(2)]
    if method == "eth_getTransactionReceipt" and answer is not None:
        return {**answer, "logs": [*answer["logs"], *answer["logs"]]}
    if method == "eth_getBlockReceipts" and answer is not None:
        return [*answer, *answer]
    return answer


def numbering(answers: int) -> Alter:
    """Logs are numbered anew in each transaction, for so many answers."""

    def anew(answer: Any) -> Any:
        if isinstance(answer, dict):
            return {**answer, "logs": numbered_anew(answer["logs"])}
        return numbered_anew(answer or ())

    return _for_a_while(answers, frozenset({"eth_getLogs", "eth_getTransactionReceipt"}), anew)


def numbered_anew(logs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Logs as a node has them that begins with log 0 in each transaction."""
    counts: dict[str, int] = {}
    found = []
    for log in logs:
        place = counts[log["transactionHash"]] = counts.get(log["transactionHash"], -1) + 1
        found.append({**log, "logIndex": hex(place)})
    return found


def talking(answers: int, how: int) -> Alter:
    """Answers are nonsense, so many of them; lists of logs stay lists (`Node` takes others for no answer)."""
    nonsense: tuple[Any, ...] = (
        {},
        "0x",
        [None],
        [{"address": "\ud800"}],
        {"number": "0x1", "hash": "\0"},
        2**70,
    )
    spoilt = (
        {"address": "\ud800\0"},
        {"data": "0xz"},
        {"topics": None},
        {"logIndex": hex(2**24)},
        {"blockHash": 1},
    )

    def say(answer: Any) -> Any:
        if isinstance(answer, list):
            return [{**one, **spoilt[how % len(spoilt)]} for one in answer]
        return nonsense[how % len(nonsense)]

    return _for_a_while(answers, frozenset({"eth_getLogs", "eth_getBlockByNumber", *_THINGS}), say)


def _for_a_while(answers: int, methods: frozenset[str], wrong: Callable[[Any], Any]) -> Alter:
    left = answers

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        nonlocal left
        if method not in methods or not left:
            return answer
        left -= 1
        found = wrong(answer)
        if isinstance(found, NodeUnavailableError):
            raise found
        return found

    return alter
