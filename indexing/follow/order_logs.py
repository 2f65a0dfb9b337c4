"""Asks a node for what contracts of markets say of orders: most of it moves no NFT, and is in no other logs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from indexing.decode.moves import Decoded, Undecoded
from indexing.judge.markets.orders import APPROVAL_FOR_ALL, order_events
from indexing.judge.markets.reading import Registry
from indexing.judge.markets.registry import BOOK_TOPICS, POOLS, PROTOCOLS
from indexing.judge.verdicts import Fault
from indexing.node.agreement import once
from indexing.node.answers import readable
from indexing.node.logs import RawLog, Unreadable
from indexing.node.source import Source
from indexing.write.order_books import Found
from transfers.ledger.order_facts import OrderEvent
from transfers.ledger.orders import Placed


def ask(source: Source, first: int, last: int, registry: Registry, amiss: list[Unreadable]) -> list[RawLog]:
    """Return the logs of blocks ``first`` to ``last`` about orders; what is no log goes to ``amiss``."""
    answers: list[Any] = []
    for addresses, topics in _questions(registry):
        answers += source.node.logs(first, last, addresses=addresses, topics=topics).logs
    return once(readable(answers, amiss, first))


def _questions(registry: Registry) -> Iterator[tuple[Sequence[str] | None, list[Any]]]:
    if registry.books:
        yield sorted(registry.books), [list(BOOK_TOPICS)]
    if any(PROTOCOLS[one.protocol].name.startswith("sudoswap") for one in registry.books.values()):
        yield None, [list(POOLS)]
    if registry.operators:
        operators = ["0x" + one[2:].rjust(64, "0") for one in sorted(registry.operators)]
        yield None, [[APPROVAL_FOR_ALL.topic], None, operators]


def read(
    logs: Sequence[RawLog],
    times: Mapping[int, int],
    registry: Registry,
    contracts: Collection[str] | None,
    decoded: Mapping[tuple[int, str], Decoded],
) -> Found:
    """Return what logs say of the orders of some contracts, or of all (``None``).

    ``times`` are those of their blocks, Unix seconds; ``decoded`` is what their transactions moved, by block and hash,
    as far as it is known. What names an order by its hash or nonce alone is kept whatever its contract, which nobody
    knows before the order does.
    """
    by_transaction: dict[tuple[int, str], list[RawLog]] = defaultdict(list)
    for log in logs:
        by_transaction[log.block_number, log.transaction_hash].append(log)
    placed, undecoded = [], []
    for (number, hash_), some in sorted(
        by_transaction.items(), key=lambda one: (one[0][0], one[1][0].log_index)
    ):
        own = {log.log_index: log for log in some}
        moves = decoded[number, hash_].moves if (number, hash_) in decoded else ()
        for said in order_events(some, registry, moves):
            log = own[said.log_index]
            if isinstance(said, Fault) and log.topics[0] in POOLS and log.address not in registry.books:
                continue  # of a contract that anybody made
            if isinstance(said, Fault):
                undecoded.append(Undecoded(log, said.reason))
            elif contracts is None or said.contract is None or said.contract in contracts:
                placed.append(Placed(said, number, times[number], hash_, _raw(log, said)))
    return Found(placed, undecoded)


def _raw(log: RawLog, said: OrderEvent) -> str:
    """Return the log as it is kept, once where it says several things."""
    if said.place:
        return ""
    return json.dumps([log.address, *log.topics, "0x" + log.data.hex()], separators=(",", ":"))
