"""Which addresses a URL of a stranger may lead to: public ones alone, of whatever form their bits are dressed in."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

# The IANA special-purpose registries of both kinds, all that is not globally reachable or has no server there (2026).
# Python 3.11's is_global lacks several of them, and takes translated addresses by their outside: nothing is left to it.
_REFUSED_4 = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network, RFC 791
        "10.0.0.0/8",  # private, RFC 1918
        "100.64.0.0/10",  # shared by carriers, RFC 6598
        "127.0.0.0/8",  # loopback, RFC 1122
        "169.254.0.0/16",  # link-local, RFC 3927: metadata services of clouds
        "172.16.0.0/12",  # private, RFC 1918
        "192.0.0.0/24",  # protocol assignments, RFC 6890
        "192.0.2.0/24",  # documentation, RFC 5737
        "192.31.196.0/24",  # AS112, RFC 7535
        "192.52.193.0/24",  # AMT relays, RFC 7450
        "192.88.99.0/24",  # 6to4 relays, RFC 7526
        "192.168.0.0/16",  # private, RFC 1918
        "192.175.48.0/24",  # AS112, RFC 7534
        "198.18.0.0/15",  # benchmarks, RFC 2544
        "198.51.100.0/24",  # documentation, RFC 5737
        "203.0.113.0/24",  # documentation, RFC 5737
        "224.0.0.0/3",  # multicast, RFC 1112; reserved; broadcast
        "168.63.129.16/32",  # the inside of a cloud (Azure) behind a public address
    )
]
_GLOBAL_6 = IPv6Network("2000::/3")
"""All that is assigned as global unicast (RFC 4291): loopback, link-local, private and mapped ones lie outside."""
_REFUSED_6 = [
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, RFC 2928, with Teredo (RFC 4380), which holds any IPv4 address
        "2001:db8::/32",  # documentation, RFC 3849
        "2002::/16",  # 6to4, RFC 3056, which holds any IPv4 address
        "2620:4f:8000::/48",  # AS112, RFC 7534
        "3fff::/20",  # documentation, RFC 9637
    )
]
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)


def is_public(address: str) -> bool:
    """Tell whether an IPv4 or IPv6 address is one of a public server.

    An IPv4 address within an IPv6 one counts as itself where such addresses are in use (mapped, RFC 4291; translated by
    NAT64, RFC 6052); other tunnels and an address with a zone are never public. False for what is no address.
    """
    try:
        return _is_public_4(IPv4Address(address))
    except AddressValueError:
        pass  # then it is the other kind, or none
    try:
        found = IPv6Address(address)
    except AddressValueError:
        return False
    return found.scope_id is None and _is_public_6(found)


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _REFUSED_4)


def _is_public_6(address: IPv6Address) -> bool:
    if address.ipv4_mapped is not None:
        return _is_public_4(address.ipv4_mapped)
    if address in _NAT64:
        return _is_public_4(IPv4Address(int(address) & 0xFFFFFFFF))
    if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return False
    return address in _GLOBAL_6 and not any(address in network for network in _REFUSED_6)
