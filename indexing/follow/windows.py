"""Reads windows of blocks: asks the node, has the logs decoded and their contracts met, and holds all to each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

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


def read_window(
    source: Source,
    first: int,
    last: int,
    *,
    addresses: Sequence[str] | None,
    keep_from: int,
    contracts: Contracts,
    registry: Registry,
) -> Window:
    """Return what blocks ``first`` to ``last`` hold, of some contracts or of all (``None``).

    Headers are those of ``last`` and of every block from ``keep_from`` on. Raises ``InconsistentAnswersError``,
    ``LogNumberingError``, ``MalformedAnswerError`` for a block, transaction or receipt that is none, and
    ``UnreadableLogsError`` for logs that are none, a few times: then they are left out, and told.
    """
    before = source.headers([last]) if last >= keep_from else []
    answer = source.node.logs(first, last, addresses=addresses, topics=[list(TOPICS)])
    if any(isinstance(one, dict) and one.get("removed") is True for one in answer.logs):
        raise InconsistentAnswersError("The node sent logs that it says are removed from the chain.")
    of = None if addresses is None else frozenset(addresses)
    amiss: list[Unreadable] = []
    read = LogReader()
    found = once(readable(without_money(answer.logs, contracts.may_hold_nfts), amiss, first, read=read))
    order_found = order_logs.ask(source, first, last, registry, amiss)
    source.bear(amiss)
    met = contracts.meet(found)
    read_as = decoded(found, source.chain_id, contracts)
    wanted: dict[int, list[str]] = defaultdict(list)
    for (number, hash_), one in read_as.items():
        if one.moves or one.undecoded:
            wanted[number].append(hash_)
    named = {log.block_number for log in order_found}
    blocks = source.blocks({first, last, *range(max(first, keep_from), last + 1), *named}, wanted)
    headers = {number: header(block) for number, block in blocks.items()}
    check_hashes([*found, *order_found], headers)
    if before and before != [headers[last]]:
        # The logs may be of the blocks before: those that had none leave no hash to tell.
        raise InconsistentAnswersError(f"Block {last} was replaced while its logs were read.")
    source.check_silence(
        {n: block for n, block in blocks.items() if n >= keep_from}, headers, answer.logs, of
    )
    readings = _readings(read_as, source.details(wanted, blocks, amiss, read), headers, found, amiss, of)
    source.bear(amiss)
    source.forget_unreadable()
    times = {number: one.timestamp for number, one in headers.items()}
    said = order_logs.read(order_found, times, registry, of, read_as)
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
        bids=punk_bids(found, PUNKS.get(source.chain_id, frozenset())),
        orders=said.placed,
        order_faults=said.undecoded,
        complete=addresses is None,
    )


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
