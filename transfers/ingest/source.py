"""Reads windows of blocks from a node: NFT logs, the transactions they are of, and headers; checked for consistency."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

from nftsite.batches import batched
from nftsite.net.jsonrpc import Node
from nftsite.net.rpc_errors import Kind, RpcError
from transfers.ingest.asking import Asker, Call
from transfers.ingest.contracts import Contracts
from transfers.ingest.decode import decode
from transfers.ingest.events import TOPICS, TRANSFER
from transfers.ingest.kinds import PUNK_EVENTS
from transfers.ingest.known import PUNKS
from transfers.ingest.logs import MalformedLogError, RawLog, raw_log
from transfers.ingest.moves import Decoded, Undecoded
from transfers.ingest.punks import punk_bids
from transfers.ingest.transactions import Header, MalformedAnswerError, Reading, Window, header, transaction

WHOLE_BLOCK = 8
"""Transactions with NFT logs from which on a block is asked for whole, with all its receipts at once."""

CALLS_AT_ONCE = 50
THREADS = 4
"""Requests to the node at a time: most of what a far one takes is the way there and back."""


class InconsistentAnswersError(Exception):
    """The node's answers do not belong together: it lags behind itself, or the chain has changed in between."""


class Source:
    """The blocks of one chain. All that reads from the node raises ``NodeError`` when that cannot be read."""

    def __init__(self, node: Node, chain_id: int) -> None:
        self.node = node
        self.chain_id = chain_id
        self._block_receipts = True
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

    def headers(self, numbers: Iterable[int]) -> list[Header | None]:
        """Return the headers of blocks; ``None`` for those that the node does not have."""
        answers = self.batch([_block(number, whole=False) for number in numbers])
        for answer in answers:
            if isinstance(answer, RpcError) and answer.kind is not Kind.LAGGING:
                raise answer
        return [
            None if answer is None or isinstance(answer, RpcError) else header(answer) for answer in answers
        ]

    def window(
        self, first: int, last: int, *, addresses: Sequence[str] | None, keep_from: int, contracts: Contracts
    ) -> Window:
        """Return what blocks ``first`` to ``last`` hold, of some contracts or of all (``None``).

        Headers are those of ``last`` and of every block from ``keep_from`` on. Raises ``InconsistentAnswersError``,
        and ``MalformedAnswerError`` for a block, transaction or receipt that is none.
        """
        before = self.headers([last]) if last >= keep_from else []
        answer = self.node.logs(first, last, addresses=addresses, topics=[list(TOPICS)])
        unreadable: list[str] = []
        found = _readable(_without_money(answer.logs, contracts), unreadable)
        if any(isinstance(one, dict) and one.get("removed") is True for one in answer.logs):
            raise InconsistentAnswersError("The node sent logs that it says are removed from the chain.")
        met = contracts.meet(found)
        decoded = self._decoded(found, contracts)
        wanted: dict[int, list[str]] = defaultdict(list)
        for (number, hash_), one in decoded.items():
            if one.moves or one.undecoded:
                wanted[number].append(hash_)
        blocks = self._blocks({first, last, *range(max(first, keep_from), last + 1)}, wanted)
        headers = {number: header(block) for number, block in blocks.items()}
        _check_hashes(found, headers)
        if before and before != [headers[last]]:
            # The logs may be of the blocks before: those that had none leave no hash to tell.
            raise InconsistentAnswersError(f"Block {last} was replaced while its logs were read.")
        return Window(
            first=first,
            last=last,
            parent_hash=headers[first].parent_hash,
            headers=[headers[number] for number in sorted(headers) if number >= min(keep_from, last)],
            readings=self._readings(decoded, self._details(wanted, blocks, unreadable), headers, found),
            profiles=met.profiles,
            doubts=met.doubts,
            cleared=met.cleared,
            unreadable=unreadable,
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
    ) -> list[Reading]:
        seen: dict[str, set[int]] = defaultdict(set)
        for log in found:
            seen[log.transaction_hash].add(log.log_index)
        readings = []
        for (number, hash_), one in decoded.items():
            if hash_ not in details:
                readings.append(Reading(None, one))
                continue
            answer, logs = details[hash_]
            if not seen[hash_] <= {log.log_index for log in logs}:
                raise InconsistentAnswersError(f"The receipt of {hash_} lacks logs that the node has.")
            if any(log.block_hash != headers[number].hash for log in logs):
                raise InconsistentAnswersError(f"The receipt of {hash_} is of another block {number}.")
            whole = transaction(answer, logs, headers[number].timestamp)
            if (whole.hash, whole.block_number) != (hash_, number):
                raise InconsistentAnswersError(f"Asked for transaction {hash_}, the node sent another.")
            readings.append(Reading(whole, one))
        return readings

    def _details(
        self, wanted: Mapping[int, Sequence[str]], blocks: Mapping[int, Any], unreadable: list[str]
    ) -> dict[str, tuple[Any, list[RawLog]]]:
        """Return transactions, as the node has them, with all their logs, by hash."""
        many = [n for n, hashes in wanted.items() if len(hashes) >= WHOLE_BLOCK]
        receipts = self._receipts_of_blocks(many)
        transactions = {
            str(one.get("hash")).lower(): one
            for number in many
            for one in _objects(blocks[number].get("transactions"))
        }
        single = [hash_ for hashes in wanted.values() for hash_ in hashes if hash_ not in receipts]
        lacking = [hash_ for hash_ in single if hash_ not in transactions]
        answers = self.batch(
            [("eth_getTransactionReceipt", [hash_]) for hash_ in single]
            + [("eth_getTransactionByHash", [hash_]) for hash_ in lacking]
        )
        for answer in answers:
            if isinstance(answer, RpcError):
                raise answer
        receipts |= zip(single, answers[: len(single)], strict=True)
        transactions |= zip(lacking, answers[len(single) :], strict=True)
        details = {}
        for hash_ in chain.from_iterable(wanted.values()):
            receipt = receipts[hash_]
            if receipt is None or transactions.get(hash_) is None:
                raise InconsistentAnswersError(
                    f"The node has a log of transaction {hash_}, but not the rest of it."
                )
            details[hash_] = transactions[hash_], _readable(_logs_of(receipt), unreadable)
        return details

    def _receipts_of_blocks(self, numbers: Sequence[int]) -> dict[str, Any]:
        """Return the receipts of whole blocks by transaction; none where the node does not give them so."""
        if not self._block_receipts or not numbers:
            return {}
        receipts: dict[str, Any] = {}
        for answer in self.batch([("eth_getBlockReceipts", [hex(number)]) for number in numbers]):
            if isinstance(answer, RpcError):
                if answer.kind is not Kind.LAGGING:
                    self._block_receipts = False  # not offered, or not at this price
                continue
            receipts |= {str(one.get("transactionHash")).lower(): one for one in _objects(answer)}
        return receipts


def _block(number: int, *, whole: bool) -> Call:
    return "eth_getBlockByNumber", [hex(number), whole]


def _without_money(answers: Sequence[Any], contracts: Contracts) -> list[Any]:
    """Leave out the logs that are plainly ERC-20's before they are read: on a busy chain they are nine in ten.

    Beside an event of CryptoPunks such a log tells the buyer, so that those of contracts that have one stay.
    """
    heads = [_head(log) for log in answers]
    punks = {address for address, event, _ in heads if event in PUNK_EVENTS}
    return [
        log
        for log, (address, event, topics) in zip(answers, heads, strict=True)
        if event != TRANSFER or topics != 3 or address in punks or contracts.may_hold_nfts(address)
    ]


def _with_left_out(one: Decoded, logs: Iterable[RawLog], contracts: Contracts) -> Decoded:
    """Add the logs that are left out as long as their contract is in doubt, so that they leave a trace."""
    kept = [Undecoded(log, reason) for log in logs if (reason := contracts.left_out(log)) is not None]
    if not kept:
        return one
    return one._replace(undecoded=sorted([*one.undecoded, *kept], key=lambda each: each.log.log_index))


def _head(log: Any) -> tuple[str, str, int]:
    """Return contract, event and number of topics; nothing of what is no log, which is seen when it is read."""
    try:
        return log["address"].lower(), log["topics"][0], len(log["topics"])
    except (AttributeError, IndexError, KeyError, TypeError):
        return "", "", 0


def _objects(answer: Any) -> list[dict[str, Any]]:
    return [one for one in answer if isinstance(one, dict)] if isinstance(answer, list) else []


def _readable(answers: Iterable[Any], unreadable: list[str]) -> list[RawLog]:
    logs = []
    for answer in answers:
        try:
            logs.append(raw_log(answer))
        except MalformedLogError as fault:
            unreadable.append(str(fault))
    return logs


def _logs_of(receipt: Any) -> list[Any]:
    logs = receipt.get("logs") if isinstance(receipt, dict) else None
    if not isinstance(logs, list):
        raise MalformedAnswerError("A receipt has no list of logs.")
    return logs


def _check_hashes(logs: Sequence[RawLog], headers: Mapping[int, Header]) -> None:
    """Hold logs and blocks to each other, and blocks that follow each other."""
    for log in logs:
        if log.block_number in headers and headers[log.block_number].hash != log.block_hash:
            raise InconsistentAnswersError(
                f"A log and the header of block {log.block_number} have different hashes."
            )
    for number, one in headers.items():
        if one.number != number:
            raise InconsistentAnswersError(f"Asked for block {number}, the node sent block {one.number}.")
        if number - 1 in headers and one.parent_hash != headers[number - 1].hash:
            raise InconsistentAnswersError(f"Block {number} does not follow block {number - 1}.")
