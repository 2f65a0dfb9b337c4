"""Chains by the names that clients of Alchemy use, and addresses in the letter case that they get them in."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from Crypto.Hash import keccak
from django.db.models import Q, QuerySet
from rest_framework.exceptions import NotFound

from core.chains import EVM, WELL_KNOWN
from core.rest.parameters import quoted
from tokens.models import Chain

_HOSTS = {
    1: "eth-mainnet",
    10: "opt-mainnet",
    56: "bnb-mainnet",
    100: "gnosis-mainnet",
    137: "polygon-mainnet",
    324: "zksync-mainnet",
    2020: "ronin-mainnet",
    2741: "abstract-mainnet",
    8453: "base-mainnet",
    33139: "apechain-mainnet",
    42161: "arb-mainnet",
    43114: "avax-mainnet",
    59144: "linea-mainnet",
    81457: "blast-mainnet",
    7777777: "zora-mainnet",
    11155111: "eth-sepolia",
}
"""What their hosts call chains, by EIP-155 id."""
BY_HOST = {_HOSTS[chain.chain_id]: chain.slug for chain in WELL_KNOWN if chain.chain_id in _HOSTS}
"""The chains of this service by the names of their hosts."""


class AskedChain(NamedTuple):
    """The chain that an address names."""

    id: int
    slug: str
    native_currency: str


def chain_of(name: str) -> AskedChain:
    """Return an EVM chain by its slug, its numeric id, its CAIP-2 name, or their host's name, in any letter case.

    Takes one query. Raises ``NotFound`` (404): theirs is another host for each chain, and there is none for others.
    """
    text = name.lower()
    number = text.removeprefix("eip155:")
    is_number = number.isascii() and number.isdigit() and len(number) < 16
    named = Q(chain_id=int(number)) if is_number else Q(slug=BY_HOST.get(text, text))
    if "\x00" not in text and (row := _chains().filter(named).values_list(*AskedChain._fields).first()):
        return AskedChain._make(row)
    raise NotFound(
        f"There is no chain {quoted(name)} here. Known are its own names and {', '.join(BY_HOST)}."
    )


def _chains() -> QuerySet[Chain]:
    return Chain.objects.filter(kind=EVM).order_by("id")


@lru_cache(maxsize=50_000)
def checksummed(address: str) -> str:
    """Return an EVM address of 0x and 40 hexadecimal digits, given in lower case, in the letter case of EIP-55."""
    digits = address[2:]
    digest = keccak.new(digest_bits=256, data=digits.encode()).hexdigest()
    return "0x" + "".join(
        [digit.upper() if weight > "7" else digit for digit, weight in zip(digits, digest, strict=False)]
    )


def shown(address: str | None) -> str | None:
    """Return an address as their answers have it; ``None`` for none."""
    return checksummed(address) if address else None
