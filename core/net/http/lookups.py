"""Look-ups of host names that end in time, which the system's own do not promise."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from ipaddress import ip_address

Resolve = Callable[[str], Sequence[str]]
"""Takes a host name and returns its addresses; raises `OSError` when there are none."""

MOST_AT_ONCE = 32


def system_addresses(host: str) -> list[str]:
    """Return the addresses of a host as the system resolves it, in its order. Raises `OSError`."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_address(host: str) -> bool:
    """Tell whether a host is an IP address and no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class Lookups:
    """Resolves names in threads of their own: whoever waits gives up in time, whatever the resolver does.

    At most 32 look-ups are under way. One that hangs keeps its thread until the resolver gives up.
    """

    def __init__(self, resolve: Resolve = system_addresses) -> None:
        self._resolve = resolve
        self._free = threading.BoundedSemaphore(MOST_AT_ONCE)

    def addresses(self, host: str, seconds: float) -> list[str]:
        """Return the addresses of a host, an address being its own.

        Raises `TimeoutError` after `seconds`, else what the resolver raised.
        """
        if is_address(host):
            return [host]
        until = time.monotonic() + seconds
        if not self._free.acquire(timeout=max(seconds, 0)):
            raise TimeoutError
        outcome: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()
        threading.Thread(target=self._look_up, args=(host, outcome), name="look-up", daemon=True).start()
        try:
            found = outcome.get(timeout=max(until - time.monotonic(), 0))
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(found, Exception):
            raise found
        return found

    def _look_up(self, host: str, outcome: queue.SimpleQueue[list[str] | Exception]) -> None:
        try:
            outcome.put(list(self._resolve(host)))
        except Exception as error:  # raised again where the look-up was asked for
            outcome.put(error)
        finally:
            self._free.release()
