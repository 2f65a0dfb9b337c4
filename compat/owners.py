"""Who owns what."""

from __future__ import annotations

from typing import Final

from compat import paging
from compat.chains import AskedChain, checksummed
from compat.filters import Asked
from core.db.keyset import behind
from core.rest.cursors import Position
from tokens.models import Owner

OF_NFT: Final = "getOwnersForNFT"
MOST: Final = 1_000


def owners_of_nft(nft_id: int, asked: Asked, chain: AskedChain) -> tuple[list[str], str | None]:
    """Return the owners of an NFT and the pageKey, by at most two queries.

    Most units first, then who entered first, then by address, as the service's own records have them. Raises
    ``ValidationError`` for a key of another query.
    """
    start, size = paging.start_of(OF_NFT, chain.slug, asked), asked.limit or MOST
    found = _behind(nft_id, start, size + 1)
    key = paging.key_of(OF_NFT, chain.slug, asked, found[size - 1]) if len(found) > size else None
    return [checksummed(str(place[2])) for place in found[:size]], key


def _behind(nft_id: int, start: Position | None, size: int) -> list[Position]:
    """Return the places of holders behind a place; each is (units, position at which it entered, address)."""
    holders = Owner.objects.filter(nft_id=nft_id, amount__gt=0).order_by("-amount", "entered_key", "address")
    found = holders.values_list("amount", "entered_key", "address")
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
