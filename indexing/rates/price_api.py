"""Rates from a price API over HTTP, whose address is a setting and whose answers nobody vouches for.

An answer is JSON: a list of ``[time, usd]`` pairs or of ``{"timestamp": time, "usd": price}`` objects (``time`` and
``price`` are taken as names too), by itself or as ``prices`` of an object. Times are Unix seconds, or milliseconds,
which are told apart by their size; prices are numbers or decimal texts. What is not within the time that was asked for
is left out, so that an answer can say nothing of any other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote

from core.net.http.bounded import TooLargeError
from core.net.http.exchange import Exchange, ExchangeError, Received
from core.values import MAX_SECONDS, WrongValueError
from indexing.rates.points import point
from tokens.store.facts import RateFacts

WINDOW = 90 * 86_400
"""Seconds asked for at once."""
TIMEOUT = 15.0
"""Seconds for the connection, and for each read; a whole answer may take four times that."""
MAX_BODY = 16 << 20
"""Bytes of an answer, unpacked: a price a minute, twice over."""
ATTEMPTS = 4
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})


class PriceApiError(Exception):
    """The API did not give prices; tells no more of its address than scheme, host and port."""


class PriceApi:
    """An API by the template of its addresses, with ``{currency}``, ``{from}`` and ``{to}`` (Unix seconds)."""

    def __init__(
        self,
        template: str,
        *,
        on_fault: Callable[[str], None],
        timeout: float = TIMEOUT,
        max_body: int = MAX_BODY,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``on_fault`` is told what of an answer cannot be used, and why."""
        self._template = template
        self._on_fault = on_fault
        self._timeout = timeout
        self._max_body = max_body
        self._sleep = sleep

    def rates(self, currency: str, name: str, since: int, until: int) -> Iterator[RateFacts]:
        """Yield the rates of a currency within two moments (Unix seconds, both included), in the order of time.

        ``name`` is what the API calls it. Raises :class:`PriceApiError`.
        """
        for start in range(since, until + 1, WINDOW):
            end = min(start + WINDOW - 1, until)
            address = self._template
            for field, value in (("currency", quote(name, safe="")), ("from", str(start)), ("to", str(end))):
                address = address.replace("{" + field + "}", value)
            exchange = Exchange(address, timeout=self._timeout, max_body=self._max_body)
            yield from self._usable(exchange.name, self._get(exchange), currency, start, end)

    def _get(self, exchange: Exchange) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            received: Received | None = None
            try:
                received = exchange.send("GET")
                reason = f"{exchange.name}: HTTP {received.status}"
            except ExchangeError as fault:
                reason = str(fault)
            except TooLargeError as fault:
                raise PriceApiError(f"{exchange.name}: {fault}") from None
            if received is not None and received.status == 200:
                return received.document(parse_float=Decimal)
            if attempt == ATTEMPTS or (received is not None and received.status not in _AGAIN):
                break
            asked = received.retry_after if received is not None else None
            self._sleep(2.0**attempt if asked is None else asked)
        raise PriceApiError(reason)

    def _usable(self, name: str, document: Any, currency: str, start: int, end: int) -> list[RateFacts]:
        """Return the rates of an answer that are of the time asked for."""
        listed = document.get("prices") if isinstance(document, dict) else document
        if not isinstance(listed, list):
            raise PriceApiError(f"{name}: the answer is no list of prices")
        found, faults = [], []
        for entry in listed:
            try:
                moment, price = _entry(entry)
                if start <= moment <= end:
                    found.append(point(currency, moment, price))
            except WrongValueError as fault:
                faults.append(str(fault))
        if faults:
            count = f"{len(faults):,} of {len(listed):,}"
            self._on_fault(f"{name}: {count} prices of {currency} are left out; the first {faults[0]}")
        return sorted(found, key=lambda one: one.timestamp)


def _entry(entry: Any) -> tuple[int, Any]:
    """Return the time in Unix seconds and the price of an entry."""
    if isinstance(entry, list) and len(entry) == 2:
        moment, price = entry
    elif isinstance(entry, dict):
        moment = entry.get("timestamp", entry.get("time"))
        price = entry.get("usd", entry.get("price"))
    else:
        raise WrongValueError("is neither a pair nor an object.")
    if isinstance(moment, bool) or not isinstance(moment, int | Decimal):
        raise WrongValueError("has no time.")
    try:
        seconds = Decimal(moment)
        if not seconds.is_finite() or not 0 <= seconds < 10**15:
            raise WrongValueError("has a time that is out of range.")
    except InvalidOperation:
        raise WrongValueError("has no time.") from None
    return int(seconds if seconds <= MAX_SECONDS else seconds / 1000), price
