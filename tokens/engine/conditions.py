"""Conditions on an NFT beside the list that is walked.

Each is an EXISTS that one index answers, NFT by NFT; or, where both lists are long and PostgreSQL is there to do it, a
merge of the two, which lie in the same order. The walked list and the posting lists share their (key, NFT).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import BooleanField, Exists, F, Func, Model, OuterRef, Q, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from core.db.keys import NEVER
from core.db.keyset import Lists, after, fenced
from core.db.statements import Slot
from tokens.engine.ask_conditions import finds_one, priced_within, still_trades, trades_on
from tokens.models import Ask, Nft, NftMarket, NftRecent, NftTrait, NftTraitRecent
from tokens.query.ordering import KeyField
from tokens.query.owners import HeldList
from tokens.query.resolving import Resolved
from tokens.query.scopes import Scope

MANY = 64
"""More lists than this are not walked one by one."""

MERGED = 10
"""A list is merged with the walked one if it is at most so many times as long: to look up an entry costs as much as
to pass so many."""

PASSED = 20_000
"""NFTs of a walked list from which on all unmarked NFTs, whose number is not known, are merged with it."""

LOOKED_UP = 30_000
"""NFTs of which a page may look up traits or asks one by one: some microseconds each, a fifth of a second for all."""

ENDLESS = 2**62
"""Length of a walked list that is not known, and long."""

TRAIT_LISTS: dict[KeyField, type[Model]] = {
    "recent_key": NftTraitRecent,
    "token_key": NftTrait,
    "rarity_key": NftTrait,
}


@dataclass(frozen=True, slots=True)
class Walked:
    """The list that is walked, as its conditions need to know it.

    ``driver`` names the filter that it stands for, ``nft`` the column with the NFT's id, ``key`` the one with the sort
    key where the posting lists share it. ``size`` is how many entries it has at most, ``start`` the (key, id) behind
    which it begins, ``lists`` how many lists it is made of.
    """

    driver: str
    nft: str
    key: KeyField | None = None
    descending: bool = False
    size: int = 0
    start: tuple[Any, Any] | None = None
    lists: int = 1

    def merges(self, size: int) -> bool:
        """Tell whether a list of this size is better merged with it than looked up entry by entry.

        With each of very many lists that are walked it would be merged anew.
        """
        orders = connection.vendor == "postgresql" and self.key is not None and self.lists <= MANY
        return orders and size <= self.size * MERGED

    def behind_start(self, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        """Keep what lies behind the start, in this list or another with the same keys."""
        if self.start is None or self.key is None:
            return rows
        key, row_id = self.start
        return rows.filter(after(self.key, nft_column(rows.model), key, row_id, descending=self.descending))

    def in_order(self, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
        """Return the (key, NFT id) of rows in the order of this list."""
        assert self.key is not None
        columns = self.key, nft_column(rows.model)
        order = [f"-{column}" if self.descending else column for column in columns]
        return rows.order_by(*order).values_list(*columns)


class Beside(Func):
    """Tells whether the walked list's entry is in lists of the same order, by merging them with it (PostgreSQL)."""

    def __init__(self, lists: Lists, walk: Walked) -> None:
        super().__init__(F(str(walk.key)), F(walk.nft), output_field=BooleanField())
        self.lists = lists
        self.descending = walk.descending

    def as_sql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """Return an EXISTS over the fenced lists."""
        key, nft = (compiler.compile(column)[0] for column in self.get_source_expressions())
        text, parameters = fenced(self.lists, descending=self.descending)
        if not text:
            return "FALSE", []
        return f"EXISTS (SELECT 1 FROM ({text}) beside WHERE c0 = {key} AND c1 = {nft})", parameters  # noqa: S608


class AmongTraits(Func):
    """Tells whether a posting is of one of very many trait values: the few of an NFT are read and compared with them.

    With the plain column an index would be searched for each value. The ids are one text, which is not parsed as SQL.
    """

    def __init__(self, trait_ids: tuple[int, ...]) -> None:
        super().__init__(F("trait_id"), output_field=BooleanField())
        self.trait_ids = trait_ids

    def as_sql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        column = compiler.compile(self.get_source_expressions()[0])[0]
        ids = ",".join(map(str, self.trait_ids))
        if connection.vendor == "postgresql":
            return f"({column} + 0) = ANY(%s::bigint[])", [f"{{{ids}}}"]
        return f"+{column} IN (SELECT value FROM json_each(%s))", [f"[{ids}]"]  # noqa: S608 - a column


def has_trait(trait_ids: tuple[int, ...], size: int, walk: Walked) -> Q:
    """Tell whether the NFT has one of the trait values, which ``size`` NFTs have at most."""
    model = NftTrait if walk.key is None else TRAIT_LISTS[walk.key]
    if walk.merges(size) and len(trait_ids) <= MANY:
        rows = walk.behind_start(model._default_manager.filter(trait_id=Slot("trait")))
        return Q(Beside(Lists(walk.in_order(rows), [{"trait": row_id} for row_id in trait_ids]), walk))
    if len(trait_ids) > MANY:
        return finds_one(NftTrait.objects.filter(Q(AmongTraits(trait_ids)), nft_id=OuterRef(walk.nft)))
    probes: QuerySet[Any] = model._default_manager.filter(nft_id=OuterRef(walk.nft))
    if walk.key is not None:
        probes = probes.filter(**{walk.key: OuterRef(walk.key)})
    return finds_one(
        probes.filter(trait_id=trait_ids[0]) if len(trait_ids) == 1 else probes.filter(trait_id__in=trait_ids)
    )


def is_unmarked(scope: Scope, walk: Walked) -> Exists | Beside:
    """Tell whether the NFT is marked neither itself nor through its contract."""
    if walk.merges(PASSED * MERGED):
        rows = list_of(walk.key).filter(**{scope.field: Slot("scope")}, marked=False)
        fillings = [{"scope": row_id} for row_id in scope.ids]
        return Beside(Lists(walk.in_order(walk.behind_start(rows)), fillings), walk)
    return Exists(NftRecent.objects.filter(nft_id=OuterRef(walk.nft), marked=False))


def list_of(key: KeyField | None) -> QuerySet[Any, Any]:
    """Return the list of all NFTs that has a sort key."""
    model: type[Model] = NftRecent if key == "recent_key" else Nft
    return model._default_manager.all()


def is_held(held: HeldList, scope: Scope, walk: Walked) -> Q:
    """Tell whether a wide holder has the NFT."""
    if walk.merges(held.size):
        rows = NftMarket.objects.filter(**{scope.field: Slot("scope")}, market_id=held.id)
        fillings = [{"scope": row_id} for row_id in scope.ids]
        return Q(Beside(Lists(walk.in_order(walk.behind_start(rows)), fillings), walk))
    return finds_one(NftMarket.objects.filter(nft_id=OuterRef(walk.nft), market_id=held.id))


def has_token_id(keys: tuple[str, ...], nft: str) -> Exists:
    """Tell whether the NFT's token id is one of these."""
    return Exists(Nft.objects.filter(id=OuterRef(nft), token_key__in=keys))


def was_transferred(nft: str) -> Exists:
    """Tell whether the NFT has any transfer."""
    return Exists(Nft.objects.filter(id=OuterRef(nft), transferred=True))


def nft_column(model: type[Model]) -> str:
    """Return the name of the NFT's id in a list."""
    return "id" if model is Nft else "nft_id"


def filtered(rows: QuerySet[Any, Any], resolved: Resolved, walk: Walked) -> QuerySet[Any, Any]:
    """Apply every filter but the one that the walked list stands for."""
    rows = _of_tokens(_of_state(rows, resolved, walk), resolved, walk)
    for number, group in enumerate(resolved.trait_groups):
        if walk.driver != f"traits{number}":
            rows = rows.filter(has_trait(group.ids, group.size, walk))
    if resolved.excluded is not None:
        rows = rows.filter(~has_trait(resolved.excluded.ids, resolved.excluded.size, walk))
    if resolved.held is not None and walk.driver not in ("held", "asked"):
        rows = rows.filter(is_held(resolved.held, resolved.scope, walk))
    # A live ask on a marketplace is one that counts, and with a price there has to be one.
    if resolved.market_ids is not None and resolved.price is None and rows.model is not Ask:
        on_market = still_trades(resolved) if walk.driver == "markets" else trades_on(resolved, walk.nft)
        rows = rows.filter(on_market)
    if resolved.price is not None:
        rows = rows.filter(priced_within(resolved.price, resolved, walk.nft))
    return rows


def _of_state(rows: QuerySet[Any, Any], resolved: Resolved, walk: Walked) -> QuerySet[Any, Any]:
    if resolved.selection.unmarked:
        plain = rows.model in (Nft, NftRecent)
        rows = rows.filter(marked=False) if plain else rows.filter(is_unmarked(resolved.scope, walk))
    if not resolved.transferred:
        return rows
    if rows.model is Nft:
        return rows.filter(transferred=True)
    if rows.model is NftRecent:
        return rows.filter(recent_key__lt=NEVER)
    return rows.filter(was_transferred(walk.nft))


def _of_tokens(rows: QuerySet[Any, Any], resolved: Resolved, walk: Walked) -> QuerySet[Any, Any]:
    if resolved.token_keys is not None and walk.driver != "token_keys":
        rows = rows.filter(has_token_id(resolved.token_keys, walk.nft))
    excluded = tuple(sorted(resolved.selection.excluded_token_keys or ()))
    if not excluded:
        return rows
    if rows.model in (Nft, NftTrait, NftMarket):
        return rows.exclude(token_key__in=excluded)
    return rows.filter(~has_token_id(excluded, walk.nft))
