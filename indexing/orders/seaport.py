"""A Seaport order in JSON, as order books show it, as an ask: all of it from what its maker signed.

The order's hash is computed and held against the one that is stated, so that nobody who keeps a book can change an
order. Prices, units, expiry, who may buy and who must be approved are the order's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from core import values
from core.db.keys import UINT256_MAX, token_key
from core.values import WrongValueError
from indexing.judge.markets.reading import Registry
from indexing.judge.markets.seaport_orders import made_on
from indexing.judge.markets.seaport_parameters import (
    NoAskError,
    Parameters,
    SeaportAsk,
    SeaportItem,
    ask,
    operator,
    order_hash,
)
from tokens.models.ask import FOREVER
from tokens.store.facts import AskFacts
from transfers.ledger.order_asks import Currency, whole

MOST_ITEMS = 200
"""Of an order's offer and of what it asks for."""
_SEAPORT = "seaport-"
TOO_DEAR = 10**60
"""Whole units, as for an ask of a file."""
_NUMBER = re.compile(r"[0-9]{1,78}|0[xX][0-9a-fA-F]{1,64}", re.ASCII)
_WORD = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
T = TypeVar("T")


class Book(NamedTuple):
    """What the orders of one chain's book are read with."""

    source: str
    """What asks of it name as their source."""
    chain: str
    registry: Registry
    currencies: Mapping[str, Currency]
    """By their contracts, the zero address being the native one."""


class Shown(NamedTuple):
    """An order that a source shows, as an ask."""

    facts: AskFacts
    total: int
    """What all that is left of it costs now by what its maker signed, in base units."""
    stated: int | None = None
    """The same by the source's own word, where it has one: a check, never the price."""

    @property
    def units(self) -> int:
        """How many are left."""
        assert isinstance(self.facts.amount, int)
        return self.facts.amount


class RefusedOrderError(Exception):
    """An order that is not taken: the reason as the rest of a sentence after "It"."""


def shown(
    order: Any, *, exchange: Any, stated_hash: Any, left: Any, is_offered: bool, book: Book, now: int
) -> Shown:
    """Read an order: a JSON object with the members of ``OrderComponents``. Numbers may be integers or texts.

    ``left``: units that the source says are left, as it says so; without any it does not offer the order. An order
    without a counter has the one that its hash proves: 0. Not ``is_offered``: the source does not offer it now.

    Raises :class:`RefusedOrderError`.
    """
    try:
        address = values.evm_address(exchange)
    except WrongValueError:
        raise RefusedOrderError("names no contract that would fill it") from None
    deployment = book.registry.books.get(address)
    if deployment is None or not deployment.protocol.startswith(_SEAPORT):
        raise RefusedOrderError(f"is to be filled by {address}, which is no known Seaport")
    parameters, counter = _parameters(order)
    found = order_hash(parameters, counter)
    if not isinstance(stated_hash, str) or stated_hash.lower() != found:
        raise RefusedOrderError(f"has not the hash that is stated: what is shown has {found}")
    try:
        sold = ask(parameters)
    except NoAskError as fault:
        raise RefusedOrderError(str(fault)) from None
    currency = book.currencies.get(sold.currency)
    if currency is None:
        raise RefusedOrderError(f"is priced in {sold.currency}, which is no known currency")
    if whole(max(sold.price, sold.end_price or 0), currency, 1) >= TOO_DEAR:
        raise RefusedOrderError("has a price that no ask can hold")
    if not parameters.start_time < min(parameters.end_time, FOREVER):
        raise RefusedOrderError("ends before it begins")
    facts = _facts(parameters, sold, currency, address, deployment.market, book)
    facts.order_hash, facts.nonce = found, counter
    facts.offered = units = sold.units or 1
    facts.lot = sold.lot if sold.lot > 1 else None
    is_part = left.__class__ is int and 0 < left <= units and not left % sold.lot
    facts.amount = left if is_part else units
    is_left = left.__class__ is not int or left > 0
    facts.seen_at, facts.gone_at = now, None if is_offered and is_left else now
    return Shown(facts, _at(now, parameters, sold) * facts.amount)


def base_units(told: Any) -> int | None:
    """Return the number of base units that a text says; ``None`` for anything else."""
    is_number = isinstance(told, str) and told.isascii() and told.isdigit() and len(told) < 100
    return int(told) if is_number else None


def _facts(
    parameters: Parameters, sold: SeaportAsk, currency: Currency, exchange: str, own_market: str, book: Book
) -> AskFacts:
    registry = book.registry
    adapted = registry.adapters.get(sold.contract)
    contract, key = adapted or sold.contract, token_key(str(sold.token_id))
    payees = [*(one.recipient for one in parameters.consideration), parameters.zone]
    begin, end = (min(one, FOREVER) for one in (parameters.start_time, parameters.end_time))
    is_changing = sold.end_price is not None
    return AskFacts(
        book.chain,
        made_on(payees, registry, own_market),
        "",
        address=contract,
        token_key=key,
        identity=(book.chain, contract, key),
        currency=currency.symbol,
        price=whole(sold.price, currency, 1),
        maker=parameters.offerer,
        valid_from=begin,
        valid_until=end,
        status="open",
        taker=sold.taker,
        holder=None,
        # An adapter asks nobody else to move what is its own contract's.
        operator=None if adapted else operator(parameters.conduit_key, exchange),
        exchange=exchange,
        # A zone that has to agree to each purchase may have been told off the chain not to.
        wakes=not parameters.is_restricted,
        end_price=whole(sold.end_price, currency, 1) if sold.end_price is not None else None,
        price_from=begin if is_changing else None,
        price_until=end if is_changing else None,
        source=book.source,
    )


def _at(now: int, parameters: Parameters, sold: SeaportAsk) -> int:
    """Return the price of a unit at a moment, rounded up as Seaport does."""
    if sold.end_price is None:
        return sold.price
    lasts = parameters.end_time - parameters.start_time
    gone = min(max(now - parameters.start_time, 0), lasts)
    return -(-(sold.price * (lasts - gone) + sold.end_price * gone) // lasts)


def _parameters(order: Any) -> tuple[Parameters, int]:
    """Return an order and its maker's counter."""
    if not isinstance(order, dict):
        raise RefusedOrderError("is shown without what its maker signed")
    counter = order.get("counter")
    read = Parameters(
        offerer=member(order, "offerer", values.evm_address),
        zone=member(order, "zone", values.evm_address),
        offer=_items(order, "offer"),
        consideration=_items(order, "consideration"),
        order_type=member(order, "orderType", _small),
        start_time=member(order, "startTime", _number),
        end_time=member(order, "endTime", _number),
        zone_hash=member(order, "zoneHash", _word),
        salt=member(order, "salt", _number),
        conduit_key=member(order, "conduitKey", _word),
    )
    return read, 0 if counter is None else member(order, "counter", _number)


def _items(order: Mapping[str, Any], name: str) -> tuple[SeaportItem, ...]:
    listed = order.get(name)
    if not isinstance(listed, list) or len(listed) > MOST_ITEMS:
        raise RefusedOrderError(f"has no list of at most {MOST_ITEMS} items as its `{name}`")
    return tuple(_item(one, is_asked=name == "consideration") for one in listed)


def _item(item: Any, *, is_asked: bool) -> SeaportItem:
    if not isinstance(item, dict):
        raise RefusedOrderError("has an item that is no object")
    return SeaportItem(
        member(item, "itemType", _small),
        member(item, "token", values.evm_address),
        member(item, "identifierOrCriteria", _number),
        member(item, "startAmount", _number),
        member(item, "endAmount", _number),
        member(item, "recipient", values.evm_address) if is_asked else "",
    )


def member(source: Mapping[str, Any], name: str, read: Callable[[Any], T]) -> T:
    """Return a member of an object as ``read`` has it. Raises :class:`RefusedOrderError`."""
    try:
        return read(source.get(name))
    except WrongValueError as fault:
        raise RefusedOrderError(f"has a `{name}` that {str(fault).removesuffix('.')}") from None


def _number(value: Any) -> int:
    """An integer of up to 256 bits, also as decimal or hexadecimal text."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = int(value, 16 if value[1:2] in ("x", "X") else 10)
    if value.__class__ is not int or not 0 <= value <= UINT256_MAX:
        raise WrongValueError("must be an integer of up to 256 bits.")
    return int(value)


def _small(value: Any) -> int:
    number = _number(value)
    if number > 5:
        raise WrongValueError("must be from 0 to 5.")
    return number


def _word(value: Any) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise WrongValueError("must be 32 bytes in hexadecimal digits.")
    return value.lower()
