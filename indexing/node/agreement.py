"""Whether a node's answers belong together: one log a place, and logs, receipts and blocks that say the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from indexing.node.events import TOPICS, TRANSFER
from indexing.node.logs import RawLog
from indexing.node.transactions import Header

_TOPICS = frozenset(TOPICS)


class InconsistentAnswersError(Exception):
    """The node's answers do not belong together: it lags behind itself, or the chain has changed in between."""


class LogNumberingError(Exception):
    """The node numbers the logs of a block otherwise than through the block: which came last nobody can tell."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(
            f"The node does not number logs through each block: {why} in block {number}. What came last cannot be told "
            "from such numbers, so that nothing is taken from it: another node is needed."
        )


def once(logs: Iterable[RawLog]) -> list[RawLog]:
    """Return each log once, in the order of the chain, however often it was sent.

    Raises :class:`InconsistentAnswersError` for two of one place in the same transaction that differ, or of two blocks
    of one number; :class:`LogNumberingError` where the numbers start anew in each transaction.
    """
    logs = list(logs)
    if len(logs) < 2:
        return logs
    found: dict[tuple[int, int], RawLog] = {}
    for log in logs:
        other = found.setdefault((log.block_number, log.log_index), log)
        if other is log:
            continue
        if other.block_hash != log.block_hash:
            raise InconsistentAnswersError(f"The node sent logs of two blocks {log.block_number}.")
        if other.transaction_hash != log.transaction_hash:
            why = f"two transactions have a log {log.log_index}"
            raise LogNumberingError(log.block_number, why)
        if _content(other) != _content(log):
            raise InconsistentAnswersError(
                f"The node sent two logs {log.log_index} of transaction {log.transaction_hash}."
            )
    ordered = [found[place] for place in sorted(found)]
    for log, following in pairwise(ordered):
        if log.block_number != following.block_number:
            continue
        if log.block_hash != following.block_hash:
            raise InconsistentAnswersError(f"The node sent logs of two blocks {log.block_number}.")
        if log.transaction_index > following.transaction_index:
            why = f"log {following.log_index} is of an earlier transaction than log {log.log_index}"
            raise LogNumberingError(log.block_number, why)
    return ordered


def check_receipt(
    hash_: str,
    block: Header,
    told: Collection[int],
    logs: Sequence[RawLog],
    addresses: Collection[str] | None,
    *,
    is_whole: bool,
) -> None:
    """Hold a transaction's receipt, of which these are the logs, to its block and to what ``eth_getLogs`` told of it.

    ``told`` are log indexes, of some contracts or of all (``None``); not ``is_whole`` where some of that block could
    not be read. Raises :class:`InconsistentAnswersError`.
    """
    if not {log.log_index for log in logs}.issuperset(told):
        raise InconsistentAnswersError(f"The receipt of {hash_} lacks logs that the node has.")
    for log in logs:
        if log.block_hash != block.hash:
            raise InconsistentAnswersError(f"The receipt of {hash_} is of another block {block.number}.")
        if log.transaction_hash != hash_:
            raise InconsistentAnswersError(f"The receipt of {hash_} has logs of another transaction.")
        if is_whole and log.log_index not in told and _is_asked_for(log, addresses):
            raise InconsistentAnswersError(
                f"The node told too few of the logs that the receipt of {hash_} has."
            )


def check_hashes(logs: Sequence[RawLog], headers: Mapping[int, Header]) -> None:
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


def _content(log: RawLog) -> tuple[str, tuple[str, ...], bytes]:
    return log.address, log.topics, log.data


def _is_asked_for(log: RawLog, addresses: Collection[str] | None) -> bool:
    """Tell whether ``eth_getLogs`` is to tell of a log, of which money's are not looked at."""
    if not log.topics or log.topics[0] not in _TOPICS or (log.topics[0] == TRANSFER and len(log.topics) == 3):
        return False
    return addresses is None or log.address in addresses
