"""Refuses every connection to another host, in each Python process of the tests.

Python imports this by its name at the start of a process, since `tests/machine.py` puts the folder into PYTHONPATH.
What is written in C and opens sockets of its own (libpq, a browser, node) is not seen.
"""

import ipaddress
import os
import sys
from typing import Any

CONNECTING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
LOOKING_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost"})

refused: list[str] = sys.__dict__.setdefault("_refused_hosts", [])
"""What was refused in this process, host and port, in order."""


class OtherHostError(OSError):
    """A test, or what it started, wanted to reach another host."""


def is_here(host: Any) -> bool:
    """Whether a host, as sockets take it, is this machine: a loopback address, none at all, or a local name."""
    text = (host.decode(errors="replace") if isinstance(host, bytes | bytearray) else str(host or "")).lower()
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text.rstrip(".") in LOCAL_NAMES or text.rstrip(".").endswith(".localhost")
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified


def refuse_other_hosts(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook (`sys.addaudithook`): raises OtherHostError for sockets and look-ups that would leave this host."""
    if event in CONNECTING:
        address = arguments[1]
        if isinstance(address, tuple) and not is_here(address[0]):
            _refuse(f"{address[0]}:{address[1]}")
    elif event in LOOKING_UP and not is_here(arguments[0]):
        _refuse(str(arguments[0]))


def _refuse(what: str) -> None:
    # Which is nobody's name (RFC 2606): looked up to see it fail, and it does.
    if not what.endswith(".invalid"):
        refused.append(what)
    raise OtherHostError(f"Tests reach no other host: {what} was refused.")


if os.environ.get("TEST_GUARD") == "on" and not hasattr(sys, "_other_hosts_are_refused"):
    sys._other_hosts_are_refused = True  # type: ignore[attr-defined]  # a hook cannot be taken away again
    sys.addaudithook(refuse_other_hosts)
