"""What an operator's search can name, and how that is found: by exact matches in indexes only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join

from core.addresses import is_collection_address, is_evm_address, is_mint, normalise_evm_address
from core.backoffice import html
from core.db.keys import UINT256_MAX, token_key
from tokens.ens import names as ens
from tokens.models import Contract, Nft

MOST_NFTS = 200
"""NFTs of one token id whose transfers, asks or owners are looked for."""

_NUMBER = re.compile(r"[0-9]{1,78}|0[xX][0-9a-fA-F]{1,64}", re.ASCII)
_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)


def token_key_of(text: str) -> str | None:
    """Return the sort key of a token id, decimal, hexadecimal or a mint; ``None`` if it is none."""
    if _NUMBER.fullmatch(text):
        number = int(text, 16 if text[:2].lower() == "0x" else 10)
        return token_key(str(number)) if number <= UINT256_MAX else None
    return token_key(text) if is_mint(text) else None


def is_hash(text: str) -> bool:
    """Tell whether this is ``0x`` and 64 hexadecimal digits: a transaction's or an order's hash on EVM chains."""
    return _HASH.fullmatch(text) is not None


def by_hash(rows: QuerySet[Any], text: str, *order: str) -> QuerySet[Any] | None:
    """Return the rows, in an order, whose first column of it is the hash that a text is; ``None`` if it is none."""
    return rows.filter(**{order[0]: text.lower()}).order_by(*order) if is_hash(text) else None


def at_address(rows: QuerySet[Any], text: str, *order: str) -> QuerySet[Any] | None:
    """Return the rows at the EVM address that a text is, in an order; ``None`` if it is none."""
    return rows.filter(address=normalise_evm_address(text)).order_by(*order) if is_evm_address(text) else None


def is_contract_name(text: str) -> bool:
    """Tell whether a text can name a contract: by address or ENS name."""
    if is_evm_address(text) or (is_collection_address(text) and text[:2].lower() != "0x"):
        return True
    return ens.is_name(text) and "/" not in text and ":" not in text


def of_contracts(rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
    """Return the rows, each named by its contract's id, of the contracts that a text names; ``None``: it names none."""
    if not is_contract_name(text):
        return None
    return rows.filter(pk__in=[one.pk for one in contracts_named(text)]).order_by("pk")


def contracts_named(text: str) -> list[Contract]:
    """Return the contracts, one a chain at most, that an address or an ENS name stands for."""
    address: str | None = text
    if is_evm_address(text):
        address = normalise_evm_address(text)
    elif ens.is_name(text):
        try:
            name = ens.normalised(text)
        except ValueError:
            return []
        address = ens.addresses([name]).get(name)
    if not address:
        return []
    rows = Contract.objects.select_related("chain")
    found = list(rows.filter(address=address).order_by("id"))
    return found or list(rows.filter(folded_address=address.lower()).order_by("id")[:20])


def contract_of(request: HttpRequest, text: str, model: Any) -> Contract | None:
    """Return the one contract that a text names. When there are several, the operator is shown where to choose."""
    found = contracts_named(text)
    if len(found) <= 1:
        return found[0] if found else None
    links = format_html_join(
        ", ", "{}", ((html.list_link(model, str(one.chain), contract=one.pk),) for one in found)
    )
    messages.info(request, format_html("There are {} such contracts. Choose a chain: {}.", len(found), links))
    return None


def nfts_named(text: str) -> Q | None:
    """Return which NFTs ``contract/token id`` or a token id alone stands for; ``None`` for any other text."""
    contract, slash, token = text.rpartition("/")
    key = token_key_of(token.strip())
    if key is None:
        return None
    if not slash:
        return Q(token_key=key)
    if not is_contract_name(contract.strip()):
        return None
    return Q(contract_id__in=[one.pk for one in contracts_named(contract.strip())], token_key=key)


def of_nfts(rows: QuerySet[Any], text: str, order: Sequence[str]) -> QuerySet[Any] | None:
    """Return the rows, in an order, of the NFTs that a text names (the first of them, if they are very many)."""
    named = nfts_named(text)
    if named is None:
        return None
    ids = list(Nft.objects.filter(named).order_by("token_key", "id").values_list("id", flat=True)[:MOST_NFTS])
    return rows.filter(nft_id__in=ids).order_by(*order)
