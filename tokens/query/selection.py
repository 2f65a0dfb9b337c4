"""What a query asks for, in domain terms, by verbs that return it changed: no database, no HTTP.

A :class:`Query` is to the engine what a QuerySet is to the ORM.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass, replace
from decimal import Decimal
from typing import Any, Self

from core.chains import ChainKind
from core.db.keys import scaled, unscaled
from core.rest.cursors import Cursor
from core.rest.freshness import Subject
from core.rest.pagination import DEPTH_CAP, MAX_LIMIT
from tokens.query.ordering import ORDERS, RECENT, Order


@dataclass(frozen=True, slots=True)
class PriceBounds:
    """Inclusive bounds of the lowest live ask, in whole units of a currency; ``usd`` compares the USD value.

    ``currency`` is the canonical symbol in lower case.
    """

    currency: str
    minimum: Decimal | None
    maximum: Decimal | None

    @property
    def is_usd(self) -> bool:
        """Whether the bounds are on the value in USD."""
        return self.currency == "usd"


@dataclass(frozen=True, slots=True)
class ContractRef:
    """A contract as a caller named it: ``address`` in lower case for EVM and as written for base58.

    ``address`` is ``None`` for an ENS name that resolves to nothing.
    """

    kind: ChainKind | None
    address: str | None


@dataclass(frozen=True, slots=True)
class OwnerRef:
    """An owner as a caller named it: ``address`` in lower case for EVM and as written for base58.

    ``address`` is ``None`` for an ENS name that resolves to nothing.
    """

    address: str | None


Entries = frozenset[str] | None
"""What a list filter holds; ``None`` means not given, an empty set "defined but empty"."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The filters of one query, normalised. ``None`` means not given. Each field counts in the fingerprint."""

    chain: str | None = None
    contract: ContractRef | None = None
    token_keys: Entries = None
    excluded_token_keys: Entries = None
    traits: Entries = None
    excluded_traits: Entries = None
    markets: Entries = None
    price: PriceBounds | None = None
    unmarked: bool = False
    owner: OwnerRef | None = None

    def on_chain(self, slug: str) -> Self:
        """Keep what lives on one chain."""
        return replace(self, chain=slug)

    def for_contract(self, contract: ContractRef) -> Self:
        """Keep what belongs to one contract address, on every chain that has it."""
        return replace(self, contract=contract)

    def with_token_ids(self, keys: frozenset[str]) -> Self:
        """Keep the NFTs with one of these token ids (as :func:`core.db.keys.token_key`)."""
        return replace(self, token_keys=keys)

    def with_token_id(self, key: str) -> Self:
        """Keep the NFTs with one token id."""
        return self.with_token_ids(frozenset({key}))

    def without_token_ids(self, keys: frozenset[str]) -> Self:
        """Drop the NFTs with one of these token ids."""
        return replace(self, excluded_token_keys=keys)

    def with_traits(self, entries: frozenset[str]) -> Self:
        """Keep the NFTs that have the traits: any within a type, all across types."""
        return replace(self, traits=entries)

    def without_traits(self, entries: frozenset[str]) -> Self:
        """Drop the NFTs that have any of these traits."""
        return replace(self, excluded_traits=entries)

    def trading_on(self, slugs: frozenset[str]) -> Self:
        """Keep the NFTs transferred on, or listed by a live ask on, one of these marketplaces."""
        return replace(self, markets=slugs)

    def priced(self, bounds: PriceBounds) -> Self:
        """Keep the NFTs whose lowest live ask in the currency lies within the bounds."""
        return replace(self, price=bounds)

    def without_marked(self, is_set: bool = True) -> Self:
        """Drop the NFTs marked by an operator, themselves or through their contract."""
        return replace(self, unmarked=is_set)

    def owned_by(self, owner: OwnerRef) -> Self:
        """Keep the NFTs that one address holds now, on every chain."""
        return replace(self, owner=owner)

    @property
    def is_empty(self) -> bool:
        """Tell whether a list filter is defined but empty: the whole answer then is (specification, Errors)."""
        return any(getattr(self, one.name) == frozenset() for one in fields(Selection))

    @property
    def subject(self) -> Subject:
        """The chain and contract that the query concerns; nothing where the contract's name resolves to none."""
        if self.contract is None:
            return Subject(self.chain)
        if self.contract.address is None:
            return Subject()
        return Subject(self.chain, self.contract.address)

    def fingerprint(self) -> str:
        """Return a digest that is equal for equal filters, whatever their spelling, order or repetition.

        A cursor carries it, so that it can only continue the query it came from. It is of all fields of a selection in
        their order. Which lists are given follows from them, and is written once more as cursors always had it. An
        owner counts where there is one, so that the cursors of all other queries are those that were given out before.
        """
        values = {one: getattr(self, one.name) for one in fields(Selection) if one.name != "owner"}
        parts = [_normal(value) for value in values.values()]
        parts += [value is not None for one, value in values.items() if one.type == "Entries"]
        if self.owner is not None:
            parts.append(_normal(self.owner))
        text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _normal(value: Any) -> Any:
    """Return one JSON value for equal values: a set sorted, what has fields as their list, 0.50 as 0.5."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Decimal):
        return str(unscaled(scaled(value, 200), 200))
    return [_normal(getattr(value, one.name)) for one in fields(value)] if is_dataclass(value) else value


@dataclass(frozen=True, slots=True)
class Query(Selection):
    """A selection, and how a page is made of it: its order, where it starts, how long it is, and as of when."""

    now: int = 0
    """The moment that it is asked at, in Unix seconds."""
    order: Order = RECENT
    cursor: Cursor | None = None
    limit: int = MAX_LIMIT
    last_transfers: bool = False

    def ordered_by(self, name: str) -> Self:
        """Put what is selected in an order."""
        return replace(self, order=ORDERS[name])

    def behind(self, cursor: Cursor) -> Self:
        """Start behind the page that gave this cursor."""
        return replace(self, cursor=cursor)

    def at_most(self, limit: int) -> Self:
        """Stop after so many items."""
        return replace(self, limit=limit)

    def with_last_transfers(self, is_set: bool = True) -> Self:
        """Show each NFT's last transfer."""
        return replace(self, last_transfers=is_set)

    @property
    def cap(self) -> int | None:
        """Items that a walk in the order reaches (specification, Limits); ``None``: all."""
        return DEPTH_CAP if self.order.asks else None
