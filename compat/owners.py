"""Who owns what."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db.models import Exists, QuerySet

from compat import paging
from compat.chains import AskedChain, checksummed
from compat.filters import Asked
from core.db.keys import token_id_from_key
from core.db.keyset import behind
from core.db.statements import rows_where
from core.rest.cursors import Position
from core.rest.records import Record
from tokens.engine import holders
from tokens.models import Nft, Owner

OF_NFT: Final = "getOwnersForNFT"
OF_CONTRACT: Final = "getOwnersForContract"
MOST: Final = 1_000
OWNERS: Final = 200
"""Owners of a contract a page: each is looked up by itself."""
BALANCES: Final = 500
"""What they hold a page, at most; an owner who holds more goes on upon the next one."""


def owners_of_nft(nft_id: int, asked: Asked, chain: AskedChain) -> tuple[list[str], str | None]:
    """Return the owners of an NFT and the pageKey, by at most two queries.

    Most units first, then who entered first, then by address, as the service's own records have them. Raises
    ``ValidationError`` for a key of another query.
    """
    start, size = paging.start_of(OF_NFT, chain.slug, asked), asked.limit or MOST
    found = _behind(nft_id, start, size + 1)
    key = paging.key_of(OF_NFT, chain.slug, asked, found[size - 1]) if len(found) > size else None
    return [checksummed(str(place[2])) for place in found[:size]], key


class OwnersPage(NamedTuple):
    """Owners of a contract, or what they hold of it; how many there are (``None``: not counted), and the pageKey."""

    owners: list[Any]
    total: int | None
    page_key: str | None


def owners_of_contract(contract_id: int, asked: Asked, chain: AskedChain) -> OwnersPage:
    """Return a page of the owners of a contract by address, by one query, or two where balances are told.

    Raises ``ValidationError`` for a key of another query.
    """
    start = paging.start_of(OF_CONTRACT, chain.slug, asked)
    if asked.with_balances:
        found, last = _balances(contract_id, start)
        key = None if last is None else paging.key_of(OF_CONTRACT, chain.slug, asked, last)
        return OwnersPage(found, None, key)
    addresses = holders.owners_of(contract_id, str(start[0]) if start else "", OWNERS + 1)
    page = addresses[:OWNERS]
    more = len(addresses) > OWNERS
    key = paging.key_of(OF_CONTRACT, chain.slug, asked, (page[-1],)) if more else None
    return OwnersPage(list(map(checksummed, page)), None if more or start else len(page), key)


def _balances(contract_id: int, start: Position | None) -> tuple[list[Record], Position | None]:
    """Return owners with what they hold behind a place, which may be amid what one of them holds."""
    read = balances_behind(contract_id, start, BALANCES + 1)
    page = read[:BALANCES]
    keys = dict(rows_where(_tokens, ids=[nft_id for _, nft_id, _ in page]))
    owners = [
        {
            "ownerAddress": checksummed(address),
            "tokenBalances": [
                {"tokenId": token_id_from_key(keys[nft_id]), "balance": str(amount)}
                for _, nft_id, amount in own
            ],
        }
        for address, own in groupby(page, key=lambda one: one[0])
    ]
    return owners, page[-1][:2] if len(read) > BALANCES else None


def balances_behind(contract_id: int, start: Position | None, size: int) -> list[tuple[str, int, int]]:
    """Return address, NFT's id and units of the first holdings of a contract behind an (address, NFT's id)."""
    rows = Owner.objects.filter(contract_id=contract_id, amount__gt=0, known=True)
    if start is not None:
        rows = rows.filter(behind(("address", "nft_id"), start))
    return list(rows.order_by("address", "nft_id").values_list("address", "nft_id", "amount")[:size])


def _tokens(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Nft.objects.filter(pk__in=ids).values_list("id", "token_key")


def _behind(nft_id: int, start: Position | None, size: int) -> list[Position]:
    """Return the places of holders behind a place; each is (units, position at which it entered, address)."""
    # Whether it is known is the same of all holders of an NFT: asked of each row, all rows would be read and sorted.
    known = Exists(Owner.objects.filter(nft_id=nft_id, known=True))
    rows = Owner.objects.filter(known, nft_id=nft_id, amount__gt=0).order_by(
        "-amount", "entered_key", "address"
    )
    found = rows.values_list("amount", "entered_key", "address")
    if start is None:
        return [_place(row) for row in found[:size]]
    units, entered, address = int(start[0]), start[1], start[2]
    # Two walks, as the index descends by the first column and ascends by the others.
    equal = found.filter(amount=units).filter(behind(("entered_key", "address"), (entered, address)))
    places = [_place(row) for row in equal[:size]]
    if len(places) < size:
        places += [_place(row) for row in found.filter(amount__lt=units)[: size - len(places)]]
    return places


def _place(row: tuple[int, str, str]) -> Position:
    return str(row[0]), row[1], row[2]
