"""A node as the source of one chain's blocks: headers, transactions with all their logs, what it keeps silent about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

from core.batches import batched
from core.db.keys import MAX_BLOCK
from core.net.rpc.errors import Kind, RpcError
from core.net.rpc.jsonrpc import Node
from indexing.node.agreement import InconsistentAnswersError, once
from indexing.node.answers import block_of, by_hash, is_of, logs_of, objects, readable
from indexing.node.asking import Asker, Call
from indexing.node.blooms import silent_blocks
from indexing.node.events import TOPICS
from indexing.node.logs import RawLog, Unreadable
from indexing.node.transactions import Header, MalformedAnswerError, header

WHOLE_BLOCK = 8
"""Transactions with NFT logs from which on a block is asked for whole, with all its receipts at once."""

CALLS_AT_ONCE = 50
THREADS = 4
"""Requests to the node at a time: most of what a far one takes is the way there and back."""

UNREADABLE_ATTEMPTS = 8
"""Times that what is no log is asked for again; when the node then still sends the same, it is left out."""


class UnreadableLogsError(Exception):
    """The node sent what are no logs: that may be a mood of it."""


class Source:
    """The blocks of one chain. All that reads from the node raises ``NodeError`` when that cannot be read."""

    def __init__(self, node: Node, chain_id: int) -> None:
        self.node = node
        self.chain_id = chain_id
        self._block_receipts = True
        self._unreadable: Counter[Unreadable] = Counter()
        """How often the same was sent that is no log, since a window was read."""
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="node")
        self.ask = Asker(node, self.batch)

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def batch(self, calls: Sequence[Call]) -> list[Any]:
        """Make calls, several requests at a time; an ``RpcError`` stands in the place of a result that there is not."""
        parts = list(batched(calls, CALLS_AT_ONCE))
        if len(parts) <= 1:
            return self.node.batch(calls) if calls else []
        return list(chain.from_iterable(self._pool.map(self.node.batch, parts)))

    def head(self) -> int:
        """Return the number of the node's newest block. Raises ``MalformedAnswerError`` for what cannot be one."""
        number = self.node.block_number()
        if number > MAX_BLOCK:
            raise MalformedAnswerError(f"The node says that its newest block is {number:#x}.")
        return number

    def headers(self, numbers: Sequence[int]) -> list[Header | None]:
        """Return the headers of blocks; ``None`` for those that the node does not tell of.

        Raises ``InconsistentAnswersError`` for those of other blocks, and ``MalformedAnswerError``.
        """
        answers = self.batch([_block(number, whole=False) for number in numbers])
        found: list[Header | None] = []
        for number, answer in zip(numbers, answers, strict=True):
            if isinstance(answer, RpcError) and answer.kind is not Kind.LAGGING:
                raise answer
            one = None if answer is None or isinstance(answer, RpcError) else header(answer)
            if one is not None and one.number != number:
                raise InconsistentAnswersError(f"Asked for block {number}, the node sent block {one.number}.")
            found.append(one)
        return found

    def blocks(self, plain: set[int], wanted: Mapping[int, Sequence[str]]) -> dict[int, Any]:
        """Return blocks by number, those with many wanted transactions with all of them."""
        numbers = sorted(plain | wanted.keys())
        calls = [_block(number, whole=len(wanted.get(number, ())) >= WHOLE_BLOCK) for number in numbers]
        blocks = dict(zip(numbers, self.batch(calls), strict=True))
        for number, block in blocks.items():
            if isinstance(block, RpcError):
                raise block
            if block is None:
                raise InconsistentAnswersError(
                    f"The node has logs up to block {numbers[-1]} but no block {number}."
                )
        return blocks

    def details(
        self,
        wanted: Mapping[int, Sequence[str]],
        blocks: Mapping[int, Any],
        amiss: list[Unreadable],
        read: Callable[[Any], RawLog],
    ) -> dict[str, tuple[Any, list[RawLog]]]:
        """Return transactions, as the node has them, with all their logs as ``read`` reads each, by hash."""
        many = [n for n, hashes in wanted.items() if len(hashes) >= WHOLE_BLOCK]
        receipts = self._receipts_of_blocks(many)
        transactions = by_hash("hash", (blocks[number].get("transactions") for number in many))
        single = [hash_ for hashes in wanted.values() for hash_ in hashes if hash_ not in receipts]
        lacking = [hash_ for hashes in wanted.values() for hash_ in hashes if hash_ not in transactions]
        answers = self.batch(
            [("eth_getTransactionReceipt", [hash_]) for hash_ in single]
            + [("eth_getTransactionByHash", [hash_]) for hash_ in lacking]
        )
        for answer in answers:
            if isinstance(answer, RpcError):
                raise answer
        receipts |= zip(single, answers[: len(single)], strict=True)
        transactions |= zip(lacking, answers[len(single) :], strict=True)
        if any(answer is None for answer in answers):
            self._look_into_blocks(wanted, receipts, transactions)
        details = {}
        for number, hashes in wanted.items():
            for hash_ in hashes:
                receipt = receipts[hash_]
                if receipt is None or transactions.get(hash_) is None:
                    raise InconsistentAnswersError(
                        f"The node has a log of transaction {hash_}, but not the rest of it."
                    )
                logs = once(readable(logs_of(receipt), amiss, number, hash_, read))
                details[hash_] = transactions[hash_], logs
        return details

    def _look_into_blocks(
        self, wanted: Mapping[int, Sequence[str]], receipts: dict[str, Any], transactions: dict[str, Any]
    ) -> None:
        """Find what the node does not know by its hash, as some do not know transactions that a chain makes itself."""

        def without(found: Mapping[str, Any]) -> list[int]:
            return [n for n, hashes in wanted.items() if any(found.get(one) is None for one in hashes)]

        receipts |= self._receipts_of_blocks(without(receipts))
        answers = self.batch([_block(number, whole=True) for number in without(transactions)])
        transactions |= by_hash("hash", (one.get("transactions") for one in objects(answers)))

    def _receipts_of_blocks(self, numbers: Sequence[int]) -> dict[str, Any]:
        """Return the receipts of whole blocks by transaction; none where the node does not give them so."""
        if not self._block_receipts or not numbers:
            return {}
        answers = self.batch([("eth_getBlockReceipts", [hex(number)]) for number in numbers])
        if any(isinstance(answer, RpcError) and answer.kind is not Kind.LAGGING for answer in answers):
            self._block_receipts = False  # not offered, or not at this price
        return by_hash("transactionHash", answers)

    def bear(self, amiss: Sequence[Unreadable]) -> None:
        """Have what is no log asked for again, a few times; then it is borne."""
        self._unreadable.update(set(amiss))
        first = next((one for one in amiss if self._unreadable[one] <= UNREADABLE_ATTEMPTS), None)
        if first is not None:
            raise UnreadableLogsError(
                f"The node sent what is no log of block {first.block_number}, which is asked for again: {first.reason}"
            )

    def forget_unreadable(self) -> None:
        """Begin to count anew: a window was read."""
        self._unreadable.clear()

    def check_silence(
        self,
        blocks: Mapping[int, Any],
        headers: Mapping[int, Header],
        answers: Sequence[Any],
        addresses: Collection[str] | None,
    ) -> None:
        """Ask for blocks by their hashes of which the node told nothing though their headers say that they hold logs.

        One that lost them, or one of several behind a URL that never had them, answers for them like for empty ones;
        a block that is asked for by its hash it must know (EIP-234).
        """
        if not blocks:
            return
        told = {number for number in map(block_of, answers) if number is not None}
        silent = silent_blocks(blocks, told, addresses)
        asked = [
            ("eth_getLogs", [{"blockHash": headers[number].hash, "topics": [list(TOPICS)]}])
            for number in silent
        ]
        for number, answer in zip(silent, self.batch(asked), strict=True):
            if isinstance(answer, RpcError):
                # Whoever cannot ask so has to believe it; who does not know the block has told nothing.
                is_told = answer.kind is not Kind.LAGGING
            else:
                left_out = [one for one in objects(answer) if is_of(one, addresses)]
                is_told = isinstance(answer, list) and not left_out
            if not is_told:
                raise InconsistentAnswersError(f"The node told nothing of block {number}, which holds logs.")


def _block(number: int, *, whole: bool) -> Call:
    return "eth_getBlockByNumber", [hex(number), whole]
