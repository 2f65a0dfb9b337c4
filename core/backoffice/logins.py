"""Logins of operators: few guesses an address, and little of the machine for all guesses together.

django-axes counts failures in the database, so that all workers know them, and refuses an address that has too many
before its password is looked at. What it cannot know is added here: from where a client came, and that to check a
password takes half a second of a core, so that only one is checked at a time on this machine.
"""

from __future__ import annotations

import fcntl
import ipaddress
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

NETWORK_BITS = 64
"""An IPv6 client has a network of this prefix to himself, with more addresses than can be counted one by one."""


class BusyError(Exception):
    """A password is being checked already; to be tried again in a second."""


class FailureHandler(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Counts failed logins, and writes nothing about those that were refused unseen."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **kwargs: Any
    ) -> None:
        """Record a failure; one that was locked out neither costs a write nor prolongs the lock."""
        if not request.axes_locked_out:
            super().user_login_failed(sender, credentials, request, **kwargs)


class OneAtATimeBackend(ModelBackend):
    """Django's own backend, with one check of a password at a time on this machine.

    After a wrong one the next has to wait for as long again: strangers take half of a core at most.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> User | None:
        """The user, or nobody. Raises BusyError while another password is checked."""
        with slot(Path(settings.VAR_DIR)):
            began = time.monotonic()
            user = super().authenticate(request, username=username, password=password, **more)
            if user is None:
                time.sleep(min(time.monotonic() - began, 1.0))
        return user


@contextmanager
def slot(folder: Path) -> Iterator[None]:
    """Hold the machine's one place for checking passwords; a process that dies gives it back.

    Raises BusyError when it is taken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "login.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BusyError from None
        yield


def client_address(request: HttpRequest) -> str | None:
    """From where a client came: the connection, or what proxies in FORWARDED_ALLOW_IPS say of it.

    X-Forwarded-For is read from its end, each entry by the proxy behind it, up to the first that is no such proxy: what
    stands before it is the client's own invention. Of IPv6 it is the network. ``None`` where nobody knows.
    """
    address = _parsed(request.META.get("REMOTE_ADDR", ""))
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
    anybody = "*" in settings.FORWARDED_ALLOW_IPS
    while hops and (address is None or anybody or _is_proxy(address)):
        before = _parsed(hops.pop())
        if before is None:
            break
        address = before
        if anybody:  # whoever connects is believed, but not whom he names
            break
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, NETWORK_BITS), strict=False).network_address)
    return None if address is None else str(address)


def _is_proxy(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return any(address in ipaddress.ip_network(proxy) for proxy in settings.FORWARDED_ALLOW_IPS)


def _parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    host = text.strip()
    if host.startswith("["):  # [2001:db8::1]:443, as some proxies write it
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
