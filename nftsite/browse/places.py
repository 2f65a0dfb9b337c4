"""What the addresses of pages name: chains, collections, NFTs; and the addresses themselves."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from core.addresses import is_collection_address, is_evm_address, is_mint, normalise_evm_address
from core.chains import EVM
from core.db.keys import UINT256_MAX, mint_key, token_key
from core.rest.cards import query_url
from tokens.models import Contract, Nft
from tokens.query.names import KnownChain, Names


class Collection(NamedTuple):
    """A collection: its row with chain and figures, and its canonical address on the chain."""

    chain: KnownChain
    row: Contract

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


def chain_of(text: str) -> KnownChain | None:
    """Return the chain of a slug, a number or a CAIP-2 name; by one query."""
    return Names(MultiValueDict()).chain(text)


def collection_of(chain_text: str, address: str) -> Collection | None:
    """Return a collection by chain and address in any of their spellings; by two queries."""
    chain = chain_of(chain_text)
    if chain is None:
        return None
    rows = Contract.objects.select_related("chain", "figures").filter(chain__slug=chain.slug)
    if chain.kind == EVM:
        if not is_evm_address(address):
            return None
        row = rows.filter(address=normalise_evm_address(address)).first()
        return None if row is None else Collection(chain, row)
    if not is_collection_address(address):
        return None
    near = list(rows.filter(Q(address=address) | Q(folded_address=address.lower()))[:3])
    exact = [row for row in near if row.address == address] or (near if len(near) == 1 else [])
    return Collection(chain, exact[0]) if exact else None


def nft_of(chain_text: str, contract: str, token: str) -> Nft | None:
    """Return an NFT by chain, contract and token id; by two queries.

    A token of a mint-identified chain that belongs to no collection has its mint in place of a contract.
    """
    chain = chain_of(chain_text)
    if chain is None:
        return None
    rows = Nft.objects.select_related("contract__chain").filter(contract__chain__slug=chain.slug)
    if chain.kind == EVM:
        number = number_of(token)
        if number is None or not is_evm_address(contract):
            return None
        here = {"contract__address": normalise_evm_address(contract), "token_key": token_key(number)}
        return rows.filter(**here).first()
    if not is_mint(token):
        return None
    found = Nft.objects.select_related("contract__chain").filter(
        chain__slug=chain.slug, token_key=mint_key(token)
    )
    row = found.first()
    is_there = row is not None and contract in (token, row.contract.address)
    return row if is_there else None


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
