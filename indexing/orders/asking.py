"""Asks an order book's API within the limits that it tells of, and waits them out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from core.net.http.bounded import TooLargeError
from core.net.http.exchange import Exchange, ExchangeError, Received

TIMEOUT = 30.0
"""Seconds for the connection, and for each read."""
MAX_BODY = 32 << 20
"""Bytes of an answer, unpacked: 200 orders are a few hundred kilobytes."""
ATTEMPTS = 5
"""For an answer that may be better next time, but is no limit."""
LONGEST_WAIT = 4000.0
"""Seconds that one request waits for limits in all: they are an hour's."""
_MOST_AT_ONCE = 3600.0
_LIMITED = 429
_AGAIN = frozenset({408, 425, 500, 502, 503, 504})
_MOMENTS = 10**9
"""A reset from here on is a moment in Unix seconds; below it is how many are left."""


class SourceError(Exception):
    """A source gave no usable answer; tells no more of its address than scheme, host and port. ``status``: of HTTP."""

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


class LostWalkError(SourceError):
    """A walk that cannot be gone on with: it is to begin anew."""


class Limit:
    """What an API last said of its limits; both are ``None`` until it does."""

    def __init__(self) -> None:
        self.most: int | None = None
        self.left: int | None = None
        self.resets_at: float | None = None
        """Unix seconds."""

    def learn(self, headers: Mapping[str, str], now: float) -> None:
        """Take over what an answer says: ``X-RateLimit-Limit``, ``-Remaining`` and ``-Reset``."""
        most, left, reset = (
            _number(headers.get(f"X-RateLimit-{name}", "")) for name in ("Limit", "Remaining", "Reset")
        )
        self.most, self.left = most, left
        self.resets_at = None if reset is None else reset if reset >= _MOMENTS else now + reset

    def wait(self, now: float) -> float:
        """Return the seconds until one may ask again, as far as was told."""
        if self.left != 0 or self.resets_at is None:
            return 0.0
        return min(max(self.resets_at - now, 0.0), _MOST_AT_ONCE)


class Asker:
    """Gets JSON documents below one address; ``headers`` may hold a key, which no message shows."""

    def __init__(
        self,
        base: str,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``sleep`` waits for seconds, ``clock`` gives Unix seconds."""
        self.limit = Limit()
        self._base = base
        self._headers = headers
        self._sleep = sleep
        self._clock = clock

    def get(self, path: str, query: Mapping[str, str] = MappingProxyType({})) -> Any:
        """Return the JSON document at a path below the address. Raises :class:`SourceError`.

        Limits (429, or none left by the headers) are waited out, and failures that may pass are tried again.
        """
        address = self._base + path + (f"?{urlencode(query)}" if query else "")
        exchange = Exchange(address, timeout=TIMEOUT, max_body=MAX_BODY, headers=self._headers)
        waited, failures = 0.0, 0
        while True:
            self._pause(self.limit.wait(self._clock()))
            self.limit.left = None
            received, reason = self._send(exchange)
            if received is not None and received.status == 200:
                document = received.document()
                if document is None:
                    raise SourceError(f"{exchange.name}: the answer is no JSON")
                return document
            status = None if received is None else received.status
            failures += status != _LIMITED
            if (status not in _AGAIN and status not in (None, _LIMITED)) or failures == ATTEMPTS:
                raise SourceError(reason, status)
            told = None if received is None else received.retry_after
            seconds = self.limit.wait(self._clock()) or told or 2.0 ** max(failures, 1)
            self.limit.left = None
            waited += seconds
            if waited > LONGEST_WAIT:
                raise SourceError(f"{reason}, for longer than is waited", status)
            self._pause(seconds)

    def _send(self, exchange: Exchange) -> tuple[Received | None, str]:
        """Return the answer, if one came, and what went wrong where it is not the document."""
        try:
            received = exchange.send("GET")
        except ExchangeError as fault:
            return None, str(fault)
        except TooLargeError as fault:
            raise SourceError(f"{exchange.name}: {fault}") from None
        self.limit.learn(received.headers, self._clock())
        return received, f"{exchange.name}: HTTP {received.status}"

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 15 else None
