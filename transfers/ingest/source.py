"""Reads windows of blocks from a node: NFT logs, the transactions they are of, and headers; checked for consistency."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

from nftsite.batches import batched
from nftsite.db.keys import MAX_BLOCK
from nftsite.net.jsonrpc import Node
from nftsite.net.rpc_errors import Kind, RpcError
from transfers.ingest.agreement import InconsistentAnswersError, check_hashes, check_receipt, once
from transfers.ingest.answers import block_of, by_hash, is_of, logs_of, objects, readable, without_money
from transfers.ingest.asking import Asker, Call
from transfers.ingest.blooms import silent_blocks
from transfers.ingest.contracts import Contracts
from transfers.ingest.decode import decode
from transfers.ingest.events import TOPICS
from transfers.ingest.known import PUNKS
from transfers.ingest.logs import RawLog, Unreadable
from transfers.ingest.moves import Decoded, Undecoded
from transfers.ingest.punks import punk_bids
from transfers.ingest.transactions import Header, MalformedAnswerError, Reading, Window, header, transaction

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

    def window(
        self, first: int, last: int, *, addresses: Sequence[str] | None, keep_from: int, contracts: Contracts
    ) -> Window:
        """Return what blocks ``first`` to ``last`` hold, of some contracts or of all (``None``).

        Headers are those of ``last`` and of every block from ``keep_from`` on. Raises ``InconsistentAnswersError``,
        ``LogNumberingError``, ``MalformedAnswerError`` for a block, transaction or receipt that is none, and
        ``UnreadableLogsError`` for logs that are none, a few times: then they are left out, and told.
        """
        before = self.headers([last]) if last >= keep_from else []
        answer = self.node.logs(first, last, addresses=addresses, topics=[list(TOPICS)])
        if any(isinstance(one, dict) and one.get("removed") is True for one in answer.logs):
            raise InconsistentAnswersError("The node sent logs that it says are removed from the chain.")
        of = None if addresses is None else frozenset(addresses)
        amiss: list[Unreadable] = []
        found = once(readable(without_money(answer.logs, contracts), amiss, first))
        self._bear(amiss)
        met = contracts.meet(found)
        decoded = self._decoded(found, contracts)
        wanted: dict[int, list[str]] = defaultdict(list)
        for (number, hash_), one in decoded.items():
            if one.moves or one.undecoded:
                wanted[number].append(hash_)
        blocks = self._blocks({first, last, *range(max(first, keep_from), last + 1)}, wanted)
        headers = {number: header(block) for number, block in blocks.items()}
        check_hashes(found, headers)
        if before and before != [headers[last]]:
            # The logs may be of the blocks before: those that had none leave no hash to tell.
            raise InconsistentAnswersError(f"Block {last} was replaced while its logs were read.")
        self._check_silence(
            {n: block for n, block in blocks.items() if n >= keep_from}, headers, answer.logs, of
        )
        readings = self._readings(decoded, self._details(wanted, blocks, amiss), headers, found, amiss, of)
        self._bear(amiss)
        self._unreadable.clear()
        return Window(
            first=first,
            last=last,
            parent_hash=headers[first].parent_hash,
            headers=[headers[number] for number in sorted(headers) if number >= min(keep_from, last)],
            readings=readings,
            profiles=met.profiles,
            doubts=met.doubts,
            cleared=met.cleared,
            unreadable=amiss,
            asked_logs=len(answer.logs),
            widest=answer.widest,
            bids=punk_bids(found, PUNKS.get(self.chain_id, frozenset())),
            complete=addresses is None,
        )

    def _decoded(self, logs: Sequence[RawLog], contracts: Contracts) -> dict[tuple[int, str], Decoded]:
        by_transaction: dict[tuple[int, str], list[RawLog]] = defaultdict(list)
        for log in logs:
            if not contracts.is_money(log):
                by_transaction[log.block_number, log.transaction_hash].append(log)
        found = {}
        for place, some in by_transaction.items():
            one = decode(
                some,
                self.chain_id,
                contracts.nfts,
                fungible_contracts=contracts.fungible,
                punk_contracts=contracts.punks,
                renaming_contracts=contracts.renaming,
            )
            found[place] = _with_left_out(one, some, contracts)
        return found

    def _blocks(self, plain: set[int], wanted: Mapping[int, Sequence[str]]) -> dict[int, Any]:
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

    def _readings(
        self,
        decoded: Mapping[tuple[int, str], Decoded],
        details: Mapping[str, tuple[Any, list[RawLog]]],
        headers: Mapping[int, Header],
        found: Sequence[RawLog],
        amiss: Sequence[Unreadable],
        addresses: Collection[str] | None,
    ) -> list[Reading]:
        broken = {one.block_number for one in amiss}
        seen: dict[str, set[int]] = defaultdict(set)
        for log in found:
            seen[log.transaction_hash].add(log.log_index)
        readings = []
        for (number, hash_), one in decoded.items():
            if hash_ not in details:
                readings.append(Reading(None, one))
                continue
            answer, logs = details[hash_]
            is_whole = number not in broken
            check_receipt(hash_, headers[number], seen[hash_], logs, addresses, is_whole=is_whole)
            whole = transaction(answer, logs, headers[number].timestamp)
            if (whole.hash, whole.block_number) != (hash_, number):
                raise InconsistentAnswersError(f"Asked for transaction {hash_}, the node sent another.")
            readings.append(Reading(whole, one))
        once(chain(found, *(logs for _, logs in details.values())))
        return readings

    def _details(
        self, wanted: Mapping[int, Sequence[str]], blocks: Mapping[int, Any], amiss: list[Unreadable]
    ) -> dict[str, tuple[Any, list[RawLog]]]:
        """Return transactions, as the node has them, with all their logs, by hash."""
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
        self._look_into_blocks(wanted, receipts, transactions)
        details = {}
        for number, hashes in wanted.items():
            for hash_ in hashes:
                receipt = receipts[hash_]
                if receipt is None or transactions.get(hash_) is None:
                    raise InconsistentAnswersError(
                        f"The node has a log of transaction {hash_}, but not the rest of it."
                    )
                logs = once(readable(logs_of(receipt), amiss, number, hash_))
                details[hash_] = transactions[hash_], logs
        return details

    def _look_into_blocks(
        self,
        wanted: Mapping[int, Sequence[str]],
        receipts: dict[str, Any],
        transactions: dict[str, Any],
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

    def _bear(self, amiss: Sequence[Unreadable]) -> None:
        """Have what is no log asked for again, a few times; then it is borne."""
        self._unreadable.update(set(amiss))
        first = next((one for one in amiss if self._unreadable[one] <= UNREADABLE_ATTEMPTS), None)
        if first is not None:
            raise UnreadableLogsError(
                f"The node sent what is no log of block {first.block_number}, which is asked for again: {first.reason}"
            )

    def _check_silence(
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


def _with_left_out(one: Decoded, logs: Iterable[RawLog], contracts: Contracts) -> Decoded:
    """Add the logs that are left out as long as their contract is in doubt, so that they leave a trace."""
    kept = [Undecoded(log, reason) for log in logs if (reason := contracts.left_out(log)) is not None]
    if not kept:
        return one
    return one._replace(undecoded=sorted([*one.undecoded, *kept], key=lambda each: each.log.log_index))
