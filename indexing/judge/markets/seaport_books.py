"""What Seaport says of orders besides filling them: that they were validated on the chain, cancelled, or outdated.

``OrderValidated`` has the whole order since 1.2; 1.1 only told its hash, which is not read. What is missing in it is
the maker's counter: :func:`validated` gives what its hash is to be recomputed from. ``OrderCancelled`` ends one order,
``CounterIncremented`` for ever all of a maker's at this exchange that bear another counter. Fills are counted by
``OrderFulfilled``. Specified by ``ConsiderationEventsAndErrors`` of Seaport's published source.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event, Fields
from indexing.judge.markets.order_reading import CANCELLED, OrderReader, Said
from indexing.judge.markets.seaport_orders import made_on
from indexing.judge.markets.seaport_parameters import NoAskError, Parameters, SeaportItem, ask, operator
from indexing.node.logs import RawLog
from transfers.ledger.order_facts import NonceRule, OrderEvent

_ITEM = "uint8 itemType, address token, uint256 identifier, uint256 startAmount, uint256 endAmount"
ORDER_VALIDATED = Event(
    f"OrderValidated(bytes32 orderHash, (address offerer, address zone, ({_ITEM})[] offer, "
    f"({_ITEM}, address recipient)[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, "
    "bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 totalOriginalConsiderationItems) parameters)"
)
ORDER_CANCELLED = Event("OrderCancelled(bytes32 orderHash, address indexed offerer, address indexed zone)")
COUNTER_INCREMENTED = Event("CounterIncremented(uint256 newCounter, address indexed offerer)")


def validated(log: RawLog) -> tuple[str, Parameters]:
    """Read an ``OrderValidated`` of 1.2 and later: its hash, and the order. Raises ``UndecodableError``."""
    fields = ORDER_VALIDATED.read(log)
    return fields["orderHash"], _parameters(fields["parameters"])


def _parameters(fields: Fields) -> Parameters:
    return Parameters(
        offerer=fields["offerer"],
        zone=fields["zone"],
        offer=tuple(map(_item, fields["offer"])),
        consideration=tuple(
            _item(one)._replace(recipient=one["recipient"]) for one in fields["consideration"]
        ),
        order_type=fields["orderType"],
        start_time=fields["startTime"],
        end_time=fields["endTime"],
        zone_hash=fields["zoneHash"],
        salt=fields["salt"],
        conduit_key=fields["conduitKey"],
    )


def _item(item: Fields) -> SeaportItem:
    return SeaportItem(
        item["itemType"], item["token"], item["identifier"], item["startAmount"], item["endAmount"]
    )


def _validated(said: Said) -> Iterator[OrderEvent]:
    parameters = _parameters(said["parameters"])
    try:
        sold = ask(parameters)
    except NoAskError:
        return
    name = said["orderHash"]
    registry = said.registry
    sources = [*(one.recipient for one in parameters.consideration), parameters.zone]
    lot = sold.lot
    is_adapted = sold.contract in registry.adapters
    opened = said.opened(
        registry.adapters.get(sold.contract, sold.contract),
        sold.token_id,
        sold.price * lot,
        sold.currency,
        order_hash=name,
        maker=parameters.offerer,
        taker=sold.taker,
        # An adapter asks nobody else to move what is its own contract's.
        operator=None if is_adapted else operator(parameters.conduit_key, said.log.address),
        units=None if sold.units is None else sold.units // lot,
        lot=lot,
        end_price=None if sold.end_price is None else sold.end_price * lot,
        price_from=None if sold.end_price is None else parameters.start_time,
        price_until=None if sold.end_price is None else parameters.end_time,
        valid_from=parameters.start_time,
        valid_until=parameters.end_time,
        replaces=False,
        # A zone that has to agree is not asked again here.
        wakes=not parameters.is_restricted,
    )
    yield opened._replace(market=made_on(sources, registry, said.deployment.market))


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=said["orderHash"], maker=said["offerer"])


def _counter_incremented(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["offerer"], NonceRule.OTHER, said["newCounter"])


ORDERS = OrderReader(
    {ORDER_VALIDATED: _validated, ORDER_CANCELLED: _cancelled, COUNTER_INCREMENTED: _counter_incremented}
)
