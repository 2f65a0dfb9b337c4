"""From where a request came: who is counted when logins and requests are limited."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest

NETWORK_BITS = 64
"""An IPv6 client has a network of this prefix to himself, with more addresses than can be counted one by one."""


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
