"""Logs made by hand, and what they say of orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from indexing.decode.decode import decode
from indexing.judge.markets.orders import order_events
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Fault
from indexing.node.logs import RawLog
from tests.ingestion.encoding import BOB
from tests.markets.building import ETHEREUM, of_transaction
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind


def read_orders(
    logs: Sequence[RawLog], chain: int = ETHEREUM, added: Sequence[Deployment] = ()
) -> list[OrderEvent | int]:
    """What logs say of orders, by the built-in markets of a chain and added ones; of a fault, its log's index."""
    found = order_events(logs, registry(chain, added), decode(logs, chain).moves)
    return [one.log_index if isinstance(one, Fault) else one for one in found]


class Orders:
    """A transaction, and what is said of orders by it: ``Orders(log, log).say(opened(…), ended(…))``.

    Logs are counted from 1.
    """

    def __init__(self, *logs: RawLog | Sequence[RawLog], chain: int = ETHEREUM) -> None:
        each = [log for some in logs for log in ([some] if isinstance(some, RawLog) else some)]
        self.logs = of_transaction(each).logs
        self.chain = chain
        self._said: tuple[OrderEvent | int, ...] = ()

    def say(self, *events: OrderEvent | int) -> Orders:
        """Say what it says of orders, in order; a number is the log of a fault."""
        self._said = events
        return self

    def holds(self) -> None:
        """Assert it."""
        assert read_orders(self.logs, self.chain) == list(self._said)


def opened(market: str, exchange: str, log_index: int = 1, **fields: Any) -> OrderEvent:
    """An order that opens; it takes the place of the one before unless said otherwise."""
    fields = {"replaces": True, "currency": "0x" + "0" * 40, **fields}
    return OrderEvent(OrderKind.OPENED, market, exchange, log_index, **fields)


def repriced(market: str, exchange: str, log_index: int = 1, **fields: Any) -> OrderEvent:
    """A new price."""
    return OrderEvent(OrderKind.REPRICED, market, exchange, log_index, **fields)


def filled(market: str, exchange: str, log_index: int = 1, **fields: Any) -> OrderEvent:
    """An order that ends by a purchase."""
    return OrderEvent(OrderKind.ENDED, market, exchange, log_index, outcome="filled", **fields)


def cancelled(market: str, exchange: str, log_index: int = 1, **fields: Any) -> OrderEvent:
    """An order that ends otherwise."""
    return OrderEvent(OrderKind.ENDED, market, exchange, log_index, outcome="cancelled", **fields)


def bulk_ended(
    market: str, exchange: str, maker: str, rule: NonceRule, *nonces: int, outcome: str = "cancelled"
) -> OrderEvent:
    """Orders that end by their nonces, by log 1."""
    return OrderEvent(
        OrderKind.BULK_ENDED, market, exchange, 1, maker=maker, rule=rule, nonces=nonces, outcome=outcome
    )


def listed(market: str, exchange: str, log_index: int = 1, **fields: Any) -> OrderEvent:
    """A listing, told of for the sales that name it; in ether unless said otherwise."""
    fields = {"currency": "0x" + "0" * 40, **fields}
    return OrderEvent(OrderKind.LISTING, market, exchange, log_index, **fields)


def touched(pool: str, log_index: int = 1, factory: str | None = None) -> OrderEvent:
    """A pool that is to be asked again."""
    return OrderEvent(OrderKind.POOL, "sudoswap", pool, log_index, factory=factory)


class Book:
    """Orders at one of a market's contracts: what all its events say, and more that those say which open one."""

    def __init__(self, market: str, exchange: str, usual: Mapping[str, Any] = {}, **opening: Any) -> None:
        self._where = market, exchange
        self._usual, self._opening = dict(usual), opening

    def opened(self, log_index: int = 1, **fields: Any) -> OrderEvent:
        """An order that opens."""
        return opened(*self._where, log_index, **self._usual | self._opening | fields)

    def repriced(self, log_index: int = 1, **fields: Any) -> OrderEvent:
        """A new price."""
        return repriced(*self._where, log_index, **self._usual | fields)

    def filled(self, log_index: int = 1, **fields: Any) -> OrderEvent:
        """An order that ends by a purchase."""
        return filled(*self._where, log_index, **self._usual | fields)

    def cancelled(self, log_index: int = 1, **fields: Any) -> OrderEvent:
        """An order that ends otherwise."""
        return cancelled(*self._where, log_index, **self._usual | fields)

    def ended(
        self, rule: NonceRule, *nonces: int, maker: str = BOB, outcome: str = "cancelled"
    ) -> OrderEvent:
        """A maker's orders that end by their nonces, by log 1."""
        return bulk_ended(*self._where, maker, rule, *nonces, outcome=outcome)
