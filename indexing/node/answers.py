"""What stands in a node's answers that are lists: logs, transactions and receipts, whatever else was put there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from core.db.keys import MAX_BLOCK
from core.net.rpc.errors import BadAnswerError
from core.net.rpc.values import place_of
from indexing.node.agreement import InconsistentAnswersError
from indexing.node.events import ERC721_TRANSFER, PUNK_EVENTS, TRANSFER
from indexing.node.logs import MalformedLogError, RawLog, Unreadable, raw_log, unreadable
from indexing.node.transactions import MalformedAnswerError

T = TypeVar("T")


def without_money(answers: Sequence[Any], may_hold_nfts: Callable[[str], bool]) -> list[Any]:
    """Leave out the logs that are plainly ERC-20's before they are read: on a busy chain they are nine in ten.

    Beside an event of CryptoPunks such a log tells the buyer, and beside ERC-721's form of ``Transfer`` that it is
    ERC-404's, so that those of contracts that have one stay, and of those that ``may_hold_nfts``.
    """
    return _without_money(answers, [_head(log) for log in answers], may_hold_nfts)


def without_money_logs(logs: Sequence[RawLog], may_hold_nfts: Callable[[str], bool]) -> list[RawLog]:
    """Like :func:`without_money`, of logs that were read and have topics."""
    return _without_money(
        logs, [(log.address, log.topics[0], len(log.topics)) for log in logs], may_hold_nfts
    )


def _without_money(
    logs: Sequence[T], heads: Sequence[tuple[str, str, int]], may_hold_nfts: Callable[[str], bool]
) -> list[T]:
    telling = {
        address
        for address, event, topics in heads
        if event in PUNK_EVENTS or (topics == 4 and event in (TRANSFER, ERC721_TRANSFER))
    }
    return [
        log
        for log, (address, event, topics) in zip(logs, heads, strict=True)
        if event != TRANSFER or topics != 3 or address in telling or may_hold_nfts(address)
    ]


def _head(log: Any) -> tuple[str, str, int]:
    """Return contract, event and number of topics; nothing of what is no log, which is seen when it is read."""
    try:
        return log["address"].lower(), log["topics"][0].lower(), len(log["topics"])
    except (AttributeError, IndexError, KeyError, TypeError):
        return "", "", 0


def objects(answer: Any) -> list[dict[str, Any]]:
    """Return the objects in a list, none where it is no list."""
    return [one for one in answer if isinstance(one, dict)] if isinstance(answer, list) else []


def by_hash(name: str, answers: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """Return the transactions or receipts of several lists by the hash that each has under ``name``.

    Raises ``InconsistentAnswersError`` for two of one hash that differ.
    """
    found: dict[str, dict[str, Any]] = {}
    for one in chain.from_iterable(map(objects, answers)):
        hash_ = one.get(name)
        if not isinstance(hash_, str):
            continue
        other = found.setdefault(hash_.lower(), one)
        if other is not one and other != one:
            raise InconsistentAnswersError(
                f"The node sent transaction {hash_.lower()[:66]!r} twice, differently."
            )
    return found


class LogReader:
    """Reads logs as :func:`raw_log` does, and those only once that are told again letter by letter, as receipts do."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Any, RawLog]] = {}

    def __call__(self, answer: Any) -> RawLog:
        """Return the log. Raises ``MalformedLogError``."""
        try:
            place = answer["transactionHash"] + answer["logIndex"]
            known = self._read.get(place)
        except (KeyError, TypeError):
            return raw_log(answer)  # which tells what is wrong with it
        if known is not None and known[0] == answer:
            return known[1]
        log = raw_log(answer)
        self._read[place] = answer, log
        return log


def readable(
    answers: Iterable[Any],
    amiss: list[Unreadable],
    first: int,
    transaction_hash: str | None = None,
    read: Callable[[Any], RawLog] = raw_log,
) -> list[RawLog]:
    """Return the logs among answers, and add what is none to ``amiss``, of block ``first`` where it tells no other."""
    logs = []
    for answer in answers:
        try:
            logs.append(read(answer))
        except MalformedLogError as fault:
            number = first if transaction_hash else block_of(answer) or first
            amiss.append(unreadable(answer, number, str(fault), transaction_hash))
    return logs


def block_of(log: Any) -> int | None:
    """Return the block that a log says it is of."""
    try:
        number = place_of(log)[0]
    except (BadAnswerError, KeyError, TypeError):
        return None
    return number if number <= MAX_BLOCK else None


def is_of(log: Mapping[str, Any], addresses: Collection[str] | None) -> bool:
    """Tell whether a log says that it is of some contracts, or of any (``None``)."""
    return addresses is None or str(log.get("address")).lower() in addresses


def logs_of(receipt: Any) -> list[Any]:
    """Return what a receipt has as logs. Raises ``MalformedAnswerError``."""
    logs = receipt.get("logs") if isinstance(receipt, dict) else None
    if not isinstance(logs, list):
        raise MalformedAnswerError("A receipt has no list of logs.")
    return logs
