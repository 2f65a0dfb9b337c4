"""Reads windows of blocks: asks the node, has the logs decoded and their contracts met, and holds all to each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.net.rpc.log_ranges import LogAnswer
from indexing.contracts.contracts import Contracts
from indexing.decode.decode import decode
from indexing.decode.moves import Decoded, Undecoded
from indexing.decode.old_contracts import PUNKS
from indexing.decode.punks import punk_bids
from indexing.follow import order_logs
from indexing.judge.markets.reading import Registry
from indexing.node.agreement import InconsistentAnswersError, check_hashes, check_receipt, once
from indexing.node.answers import LogReader, readable, without_money
from indexing.node.events import TOPICS
from indexing.node.logs import RawLog, Unreadable
from indexing.node.source import Source
from indexing.node.transactions import Header, header, transaction
from indexing.write.window import Reading, Window


class _Logs(NamedTuple):
    answer: LogAnswer
    of_nfts: list[RawLog]
    of_orders: list[RawLog]

    @property
    def all(self) -> list[RawLog]:
        return [*self.of_nfts, *self.of_orders]


@dataclass(frozen=True, slots=True)
class WindowReader:
    """Reads blocks of some contracts or of all (``addresses`` is ``None``); hashes are kept from ``keep_from`` on."""

    source: Source
    contracts: Contracts
    addresses: Sequence[str] | None
    keep_from: int

    def read(self, first: int, last: int, registry: Registry) -> Window:
        """Return what blocks ``first`` to ``last`` hold.

        Headers are those of ``last`` and of every block whose hash is kept. Raises ``InconsistentAnswersError``,
        ``LogNumberingError``, ``MalformedAnswerError`` for a block, transaction or receipt that is none, and
        ``UnreadableLogsError`` for logs that are none, a few times: then they are left out, and told.
        """
        source, of = self.source, None if self.addresses is None else frozenset(self.addresses)
        before = source.headers([last]) if last >= self.keep_from else []
        amiss: list[Unreadable] = []
        read = LogReader()
        logs = self._logs(first, last, registry, amiss, read)
        source.bear(amiss)
        met = self.contracts.meet(logs.of_nfts)
        read_as = decoded(logs.of_nfts, source.chain_id, self.contracts)
        wanted = _wanted(read_as)
        kept = range(max(first, self.keep_from), last + 1)
        blocks = source.blocks({first, last, *kept, *(log.block_number for log in logs.of_orders)}, wanted)
        headers = {number: header(block) for number, block in blocks.items()}
        check_hashes(logs.all, headers)
        if before and before != [headers[last]]:
            # The logs may be of the blocks before: those that had none leave no hash to tell.
            raise InconsistentAnswersError(f"Block {last} was replaced while its logs were read.")
        recent = {number: block for number, block in blocks.items() if number >= self.keep_from}
        source.check_silence(recent, headers, logs.answer.logs, of)
        details = source.details(wanted, blocks, amiss, read)
        readings = _readings(read_as, details, headers, logs.of_nfts, amiss, of)
        source.bear(amiss)
        source.forget_unreadable()
        times = {number: one.timestamp for number, one in headers.items()}
        said = order_logs.read(logs.of_orders, times, registry, of, read_as)
        return Window(
            first=first,
            last=last,
            parent_hash=headers[first].parent_hash,
            headers=[headers[number] for number in sorted(headers) if number >= min(self.keep_from, last)],
            readings=readings,
            profiles=met.profiles,
            doubts=met.doubts,
            cleared=met.cleared,
            unreadable=amiss,
            asked_logs=len(logs.answer.logs),
            widest=logs.answer.widest,
            bids=punk_bids(logs.of_nfts, PUNKS.get(source.chain_id, frozenset())),
            orders=said.placed,
            order_faults=said.undecoded,
            complete=of is None,
        )

    def _logs(
        self, first: int, last: int, registry: Registry, amiss: list[Unreadable], read: LogReader
    ) -> _Logs:
        answer = self.source.node.logs(first, last, addresses=self.addresses, topics=[list(TOPICS)])
        if any(isinstance(one, dict) and one.get("removed") is True for one in answer.logs):
            raise InconsistentAnswersError("The node sent logs that it says are removed from the chain.")
        asked = without_money(answer.logs, self.contracts.may_hold_nfts)
        of_nfts = once(readable(asked, amiss, first, read=read))
        return _Logs(answer, of_nfts, order_logs.ask(self.source, first, last, registry, amiss))


def _wanted(read_as: Mapping[tuple[int, str], Decoded]) -> dict[int, list[str]]:
    """Return the hashes of the transactions that are read whole, by block."""
    wanted: dict[int, list[str]] = defaultdict(list)
    for (number, hash_), one in read_as.items():
        if one.moves or one.undecoded:
            wanted[number].append(hash_)
    return wanted


def decoded(logs: Sequence[RawLog], chain_id: int, contracts: Contracts) -> dict[tuple[int, str], Decoded]:
    """Return what logs say of NFTs, by block and transaction; with those of contracts in doubt, which are kept."""
    by_transaction: dict[tuple[int, str], list[RawLog]] = defaultdict(list)
    for log in logs:
        if not contracts.is_money(log):
            by_transaction[log.block_number, log.transaction_hash].append(log)
    found = {}
    for place, some in by_transaction.items():
        one = decode(
            some,
            chain_id,
            contracts.nfts,
            fungible_contracts=contracts.fungible,
            punk_contracts=contracts.punks,
            renaming_contracts=contracts.renaming,
        )
        found[place] = _with_left_out(one, some, contracts)
    return found


def _readings(
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
    known = set(map(id, found))
    others = [log for _, logs in details.values() for log in logs if id(log) not in known]
    if others:
        once([*found, *others])
    return readings


def _with_left_out(one: Decoded, logs: Iterable[RawLog], contracts: Contracts) -> Decoded:
    """Add the logs that are left out as long as their contract is in doubt, so that they leave a trace."""
    kept = [Undecoded(log, reason) for log in logs if (reason := contracts.left_out(log)) is not None]
    if not kept:
        return one
    return one._replace(undecoded=sorted([*one.undecoded, *kept], key=lambda each: each.log.log_index))
