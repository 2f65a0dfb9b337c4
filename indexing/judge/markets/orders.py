"""Reads what the logs of a transaction say of orders: of known markets, of pools, and as approvals of their operators.

Pure: what needs a state (who held an NFT, Seaport's counter, a pool's price, the time of a block) is left to who calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from indexing.decode.moves import Move
from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.reading import Deployment, Registry
from indexing.judge.markets.registry import POOLS, PROTOCOLS
from indexing.judge.verdicts import Fault
from indexing.node.logs import RawLog
from transfers.ledger.order_facts import OrderEvent, OrderKind

APPROVAL_FOR_ALL = Event("ApprovalForAll(address indexed owner, address indexed operator, bool approved)")

_APPROVAL = "approval"


def order_events(
    logs: Iterable[RawLog], registry: Registry, moves: Sequence[Move] = ()
) -> list[OrderEvent | Fault]:
    """Return what the logs of one transaction say of orders, in log order, with a fault for each that is not readable.

    Events of contracts that are no market's (``registry.books``) say nothing. Of pools anybody can emit the events:
    those of a pool that no known factory made are to be left out by who knows the pools. ``moves`` are the NFT moves of
    the transaction, in log order, as far as they are known: they tell who brought into custody what is listed.
    """
    by_deployment: dict[Deployment, list[RawLog]] = {}
    found: list[OrderEvent | Fault] = []
    for log in sorted(logs, key=lambda one: one.log_index):
        if not log.topics:
            continue
        deployment = registry.books.get(log.address) or POOLS.get(log.topics[0])
        if deployment is not None:
            by_deployment.setdefault(deployment, []).append(log)
        found += _approvals(log, registry)
    for deployment, some in by_deployment.items():
        orders = PROTOCOLS[deployment.protocol].orders
        if orders is not None:
            found += orders(some, deployment, registry)
    found = [_with_seller(one, moves) for one in found]
    return sorted(found, key=lambda one: (one.log_index, one.place if isinstance(one, OrderEvent) else 0))


def _with_seller(one: OrderEvent | Fault, moves: Sequence[Move]) -> OrderEvent | Fault:
    if isinstance(one, Fault) or one.kind is not OrderKind.LISTING:
        return one
    listed = one.contract, one.token_id, one.holder
    senders = [
        move.sender
        for move in moves
        if (move.contract, move.token_id, move.receiver) == listed and move.log_index < one.log_index
    ]
    return one._replace(maker=senders[-1] if senders else None)


def approved(log: RawLog) -> OrderEvent:
    """Read an ``ApprovalForAll``, of whatever contract and operator. Raises ``UndecodableError``."""
    fields = APPROVAL_FOR_ALL.read(log)
    flag = fields["approved"]
    if flag not in (0, 1):
        raise UndecodableError(f"A flag is {flag}.")
    return OrderEvent(
        OrderKind.APPROVED,
        market="",
        exchange="",
        log_index=log.log_index,
        contract=log.address,
        maker=fields["owner"],
        operator=fields["operator"],
        is_approved=bool(flag),
    )


def _approvals(log: RawLog, registry: Registry) -> Iterator[OrderEvent | Fault]:
    """Yield the approval, or the fault, of a known operator; a log that names none in its topics says nothing."""
    if log.topics[0] != APPROVAL_FOR_ALL.topic or len(log.topics) != 3:
        return
    if "0x" + log.topics[2][26:] in registry.operators:
        try:
            yield approved(log)
        except UndecodableError as fault:
            yield Fault(_APPROVAL, log.log_index, str(fault))
