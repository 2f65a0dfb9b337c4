"""What a market's module reads of orders that open and end, beside the sales that :mod:`reading` hands it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.reading import Deployment, Emitted, Registry
from indexing.judge.verdicts import NATIVE, Fault
from indexing.node.logs import RawLog
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind

FILLED, CANCELLED = "filled", "cancelled"
"""How an order ended."""


@dataclass(slots=True)
class Said(Emitted):
    """One about orders."""

    logs: Sequence[RawLog]
    """All of this deployment in the transaction, in log order."""
    deployment: Deployment
    registry: Registry

    def says(self, kind: OrderKind, **fields: Any) -> OrderEvent:
        """Return what it says of orders of the contract that emitted it."""
        return OrderEvent(kind, self.deployment.market, self.log.address, self.log.log_index, **fields)

    def opened(
        self, contract: str, token_id: int, price: int, currency: str = NATIVE, **fields: Any
    ) -> OrderEvent:
        """Return an order that opens, in the place of the one that stood for this NFT unless ``fields`` say other."""
        fields = {"replaces": True, **fields}
        return self.says(
            OrderKind.OPENED, contract=contract, token_id=token_id, price=price, currency=currency, **fields
        )

    def repriced(self, price: int, **fields: Any) -> OrderEvent:
        """Return a new price of an order."""
        return self.says(OrderKind.REPRICED, price=price, **fields)

    def ended(self, outcome: str, **fields: Any) -> OrderEvent:
        """Return the end of one order."""
        return self.says(OrderKind.ENDED, outcome=outcome, **fields)

    def bulk_ended(self, maker: str, rule: NonceRule, *nonces: int, outcome: str = CANCELLED) -> OrderEvent:
        """Return the end of a maker's orders by their nonces; ``filled``: the nonce was used up by one of them."""
        return self.says(OrderKind.BULK_ENDED, maker=maker, rule=rule, nonces=nonces, outcome=outcome)


OrderHandler = Callable[[Said], Iterable[OrderEvent]]
"""What is made of an event. Raises ``UndecodableError`` for a log that is not what its event says."""


@dataclass(frozen=True, slots=True, eq=False)
class OrderReader:
    """Reads all logs of one deployment in one transaction, in log order; pure, and never raises.

    Yields what they say of orders, and a fault for each event that cannot be read.
    """

    handlers: Mapping[Event, OrderHandler]

    def __call__(
        self, logs: Sequence[RawLog], deployment: Deployment, registry: Registry
    ) -> Iterator[OrderEvent | Fault]:
        events = {event.topic: event for event in self.handlers}
        found: list[OrderEvent] = []
        for log in logs:
            event = events.get(log.topics[0]) if log.topics else None
            if event is None:
                continue
            try:
                fields = event.read(log)
                fields.check()
                some = list(self.handlers[event](Said(event, fields, log, logs, deployment, registry)))
            except UndecodableError as fault:
                yield Fault(deployment.protocol, log.log_index, str(fault))
            else:
                found += [one._replace(place=place) for place, one in enumerate(some)]
        yield from _filled(found)


def _filled(found: Sequence[OrderEvent]) -> list[OrderEvent]:
    """Return events in which what ends an NFT's order because it is filled one log later says so too."""
    told: list[OrderEvent] = []
    sold: set[tuple[str, str | None, int | None, str | None]] = set()
    for one in reversed(found):
        nft = one.exchange, one.contract, one.token_id, one.taker
        is_sold = one.kind is OrderKind.ENDED and (one.outcome == FILLED or nft in sold)
        if one.order_hash is None:
            (sold.add if is_sold else sold.discard)(nft)
        told.append(one._replace(outcome=FILLED) if is_sold else one)
    return told[::-1]


def address_or_none(address: str) -> str | None:
    """Return an address; ``None`` for the zero address."""
    return None if address == NATIVE else address
