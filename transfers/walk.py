"""The engine of Transfers by Token: which transfers, in which order, at the cost of a page.

Most recent first is one walk over the transfers of the contract or token. An order of NFTs navigates the NFTs in that
order, with the engine of NFTs by Token, and then each NFT's transfers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from core.addresses import is_mint
from core.chains import MINT
from core.db.keys import mint_key
from core.db.keyset import Lists, after, concatenate, merge, merge_many
from core.db.statements import Slot
from core.rest.cursors import Position
from core.rest.pagination import Entry
from tokens.engine.conditions import MANY, Walked, filtered, is_held
from tokens.engine.postings import Place, narrowed, walk
from tokens.models import Chain, NftRecent
from tokens.prices.currency_worths import NOTHING_DUE, due_rates
from tokens.query.ordering import Order
from tokens.query.resolving import Resolved, resolve_owner
from tokens.query.scopes import Scope, resolve_scope
from tokens.query.selection import Selection
from transfers.models import Transfer

FEW = 8
"""NFTs whose transfers are read first, in an order of NFTs."""


class TransferWalk:
    """The transfers of a contract or token, in one order.

    A position is (recency key, transfer id), in an order of NFTs behind the NFT's place (phase, key, id).
    """

    def __init__(self, selection: Selection, order: Order, now: int) -> None:
        self.selection = selection
        self.order = order
        resolved = _resolve(selection, now)
        self.resolved = resolved and replace(resolved, due=due_rates(now) if order.asks else NOTHING_DUE)

    def __call__(self, start: Position | None, size: int) -> Sequence[Entry]:
        """Read at most ``size`` transfers behind ``start``."""
        if self.resolved is None:
            return []
        if self.order.name == "":
            return self._by_recency(self.resolved, start, size)
        return self._by_nft(self.resolved, start, size)

    def _by_recency(self, resolved: Resolved, start: Position | None, size: int) -> list[Entry]:
        ids = self._few(resolved)
        column = "contract_id" if ids is None else "nft_id"
        ids = resolved.scope.ids if ids is None else ids
        rows = Transfer.objects.filter(**{column: Slot("place")})
        if resolved.held is not None and column == "contract_id":
            rows = rows.filter(is_held(resolved.held, resolved.scope, Walked("transfers", "nft_id")))
        found = _merged(rows, ids, start, size)
        return [Entry((key, row_id), row_id) for key, row_id in found]

    def _few(self, resolved: Resolved) -> Sequence[int] | None:
        """Return the NFTs whose transfers are wanted; ``None``: those of the contract, or of them what one holds."""
        if resolved.token_keys is None:
            return resolved.nft_ids
        found = narrowed(resolved, self.order)
        ids = found.nft_ids or ()
        if self.selection.owner is None:
            return ids
        rows = filtered(NftRecent.objects.filter(pk__in=ids), found, Walked("ids", "nft_id"))
        return list(rows.order_by("nft_id").values_list("nft_id", flat=True))

    def _by_nft(self, resolved: Resolved, start: Position | None, size: int) -> list[Entry]:
        nfts = walk(resolved, self.order, _just_before(start, self.order), size + 1)
        # Most NFTs have several transfers: the first few mostly fill the page.
        found = _transfers_of(nfts[:FEW], start, size)
        # Each has one at least, but for the one that the last page ended in, which is the first.
        rest = nfts[FEW : FEW + size - len(found)]
        return found + _transfers_of(rest, None, size - len(found))


def _merged(
    rows: QuerySet[Transfer], ids: Sequence[int], start: Position | None, size: int
) -> list[tuple[Any, ...]]:
    """Return the (recency key, id) of the first transfers of contracts or NFTs together; ``rows`` has a slot."""
    if not ids:
        return []
    lists = Lists(
        _newest_first(rows, start, "recent_key", "id", size=size), [{"place": row_id} for row_id in ids]
    )
    if len(ids) > MANY and connection.vendor == "postgresql":
        return merge_many(lists, "place", size)
    return merge([lists], size)


def _transfers_of(nfts: Sequence[Place], start: Position | None, size: int) -> list[Entry]:
    """Return the first transfers of some NFTs in turn, of the first one those behind ``start`` if it stands there."""
    if not nfts:
        return []
    columns = ("nft_id", "recent_key", "id")
    rows = Transfer.objects.filter(nft_id=Slot("nft"))
    parts = [Lists(_newest_first(rows, None, *columns, size=size), [{"nft": nft.nft_id} for nft in nfts])]
    # If the NFT that the last page ended in has moved in the order meanwhile, it comes up where it stands now.
    if start is not None and tuple(nfts[0]) == start[:3]:
        rest = Lists(_newest_first(rows, start[3:], *columns, size=size), parts[0].fillings[:1])
        parts = [rest, Lists(parts[0].query, parts[0].fillings[1:])]
    turn = {nft.nft_id: number for number, nft in enumerate(nfts)}
    found = sorted((turn[nft_id], key, row_id) for nft_id, key, row_id in concatenate(parts))[:size]
    return [Entry((*nfts[number], key, row_id), row_id) for number, key, row_id in found]


def _newest_first(
    rows: QuerySet[Transfer], start: Position | None, *columns: str, size: int
) -> QuerySet[Any, Any]:
    """Return the columns of transfers behind a (recency key, id), most recent first."""
    if start is not None:
        rows = rows.filter(after("recent_key", "id", start[0], int(start[1])))
    return rows.order_by("recent_key", "id").values_list(*columns)[:size]


def _just_before(start: Position | None, order: Order) -> Place | None:
    """Return the place behind which the NFT that a page ended in comes first, if it still stands where it did."""
    if start is None:
        return None
    return Place(int(start[0]), start[1], int(start[2]) + (1 if order.descending else -1))


def _resolve(selection: Selection, now: int) -> Resolved | None:
    scope = resolve_scope(selection)
    if scope is not None:
        keys = selection.token_keys
        return _of_owner(
            Resolved(scope, now, selection, None if keys is None else tuple(sorted(keys)), transferred=True)
        )
    return _resolve_mint(selection, now)


def _of_owner(resolved: Resolved) -> Resolved | None:
    """Keep what the owner holds now that the query names, if it names one."""
    owned = resolve_owner(resolved.selection, resolved.scope)
    return None if owned is None else replace(resolved, nft_ids=owned.nft_ids, held=owned.held)


def _resolve_mint(selection: Selection, now: int) -> Resolved | None:
    """Take the contract address for a mint: on a mint-identified chain it may be the token itself."""
    contract = selection.contract
    if contract is None or contract.kind != MINT or not contract.address or not is_mint(contract.address):
        return None
    key = mint_key(contract.address)
    if selection.token_keys is not None and key not in selection.token_keys:
        return None
    chains = Chain.objects.filter(kind=MINT)
    if selection.chain is not None:
        chains = chains.filter(slug=selection.chain)
    ids = tuple(chains.order_by("id").values_list("id", flat=True))
    if not ids:
        return None
    return _of_owner(Resolved(Scope("chain_id", ids), now, selection, (key,), transferred=True))
