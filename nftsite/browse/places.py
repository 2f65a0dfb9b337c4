"""What the addresses of pages name: chains, collections, NFTs; and the addresses themselves."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.db.models import QuerySet
from django.urls import reverse

from core.addresses import is_collection_address, is_evm_address, is_mint
from core.db.keys import UINT256_MAX, mint_key, token_key
from core.db.keyset import after
from core.rest.cards import query_url
from tokens.models import Chain, Contract, Nft
from transfers.models import Transfer


class Collection(NamedTuple):
    """A collection: its row, with chain and figures."""

    row: Contract

    @property
    def chain(self) -> Chain:
        return self.row.chain

    @property
    def url(self) -> str:
        """The address of its page."""
        return collection_url(self.chain.slug, self.row.address)

    @property
    def name(self) -> str:
        """What people call it."""
        return self.row.name or self.row.symbol or self.row.address or "no collection"

    @property
    def nfts_url(self) -> str:
        """The address of the query for its NFTs."""
        return self.query("nfts-by-token")

    def query(self, operation: str, **parameters: str | None) -> str:
        """Return the address of a query of an operation, about this collection."""
        subject = {"chain": self.chain.slug, "contractAddress": self.row.address}
        return query_url(reverse(operation), **subject, **parameters)


def collection_url(chain: str, address: str) -> str:
    """Return the address of a collection's page."""
    return reverse("collection", args=[chain, address])


def transfer_url(chain: str, transaction: str, log_index: int, batch_index: int) -> str:
    """Return the address of a transfer's page."""
    return reverse("transfer", args=[chain, transaction, log_index, batch_index])


def is_named(chain: Chain, text: str) -> bool:
    """Tell whether a text is a chain's slug, number or CAIP-2 name."""
    number = "" if chain.chain_id is None else str(chain.chain_id)
    return text.lower() in {chain.slug, *((number, f"eip155:{number}") if number else ())}


def collection_of(chain: str, address: str) -> Collection | None:
    """Return a collection by chain and address in any of their spellings; by one query."""
    if not is_evm_address(address) and not is_collection_address(address):
        return None
    near = Contract.objects.select_related("chain", "figures").filter(folded_address=address.lower())
    found = [row for row in near if is_named(row.chain, chain)]
    exact = [row for row in found if row.address == address] or (found if len(found) == 1 else [])
    return Collection(exact[0]) if exact else None


def nft_of(chain: str, contract: str, token: str) -> Nft | None:
    """Return an NFT by chain, contract and token id; by one query.

    A token of a mint-identified chain that belongs to no collection has its mint in place of a contract.
    """
    rows = Nft.objects.select_related("contract__chain", "image")
    if is_evm_address(contract):
        number = number_of(token)
        if number is None:
            return None
        rows = rows.filter(contract__address=contract.lower(), token_key=token_key(number))
    elif is_mint(token):
        rows = rows.filter(token_key=mint_key(token))
    else:
        return None
    here = [row for row in rows if is_named(row.contract.chain, chain)]
    return next(
        (row for row in here if contract.lower() in (token.lower(), row.contract.folded_address)), None
    )


def number_of(text: str) -> str | None:
    """Return a token id, decimal or hexadecimal, as a plain decimal; ``None`` where it is none."""
    if len(text) > 100 or not text.isascii():
        return None
    try:
        is_hexadecimal = text[:2].lower() == "0x" and text[2:].isalnum()
        number = int(text, 16) if is_hexadecimal else int(text) if text.isdigit() else -1
    except ValueError:
        return None
    return str(number) if 0 <= number <= UINT256_MAX else None


def transfers_behind(rows: QuerySet[Transfer], text: str, where: str) -> QuerySet[Transfer]:
    """Return the transfers behind a place, newest first, as a page's address names it: the recency key and the id.

    Raises ``ValueError``, with a text for people, for what is no place.
    """
    place = re.fullmatch(r"([-0-9A-Z_a-z]{22})([0-9]{1,18})", text, re.ASCII)
    if place is None:
        raise ValueError(f"no place {where}: {text[:40]!r}")
    return rows.filter(after("recent_key", "id", place[1], int(place[2])))
