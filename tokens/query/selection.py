"""What a query asks for, in domain terms: no database, no HTTP."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from decimal import Decimal

from core.chains import ChainKind
from core.db.keys import scaled, unscaled


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

    address: str | None
    kind: ChainKind | None


@dataclass(frozen=True, slots=True)
class Selection:
    """The filters of one query, normalised. ``None`` means not given; an empty set means defined but empty."""

    chain: str | None = None
    contract: ContractRef | None = None
    token_keys: frozenset[str] | None = None
    excluded_token_keys: frozenset[str] | None = None
    traits: frozenset[str] | None = None
    excluded_traits: frozenset[str] | None = None
    markets: frozenset[str] | None = None
    price: PriceBounds | None = None
    unmarked: bool = False

    def on_chain(self, slug: str) -> Selection:
        """Keep what lives on one chain."""
        return replace(self, chain=slug)

    def for_contract(self, contract: ContractRef) -> Selection:
        """Keep what belongs to one contract address, on every chain that has it."""
        return replace(self, contract=contract)

    def with_token_ids(self, keys: frozenset[str]) -> Selection:
        """Keep the NFTs with one of these token ids (as :func:`core.db.keys.token_key`)."""
        return replace(self, token_keys=keys)

    def without_token_ids(self, keys: frozenset[str]) -> Selection:
        """Drop the NFTs with one of these token ids."""
        return replace(self, excluded_token_keys=keys)

    def with_traits(self, entries: frozenset[str]) -> Selection:
        """Keep the NFTs that have the traits: any within a type, all across types."""
        return replace(self, traits=entries)

    def without_traits(self, entries: frozenset[str]) -> Selection:
        """Drop the NFTs that have any of these traits."""
        return replace(self, excluded_traits=entries)

    def trading_on(self, slugs: frozenset[str]) -> Selection:
        """Keep the NFTs transferred on, or listed by a live ask on, one of these marketplaces."""
        return replace(self, markets=slugs)

    def priced(self, bounds: PriceBounds) -> Selection:
        """Keep the NFTs whose lowest live ask in the currency lies within the bounds."""
        return replace(self, price=bounds)

    def without_marked(self) -> Selection:
        """Drop the NFTs marked by an operator, themselves or through their contract."""
        return replace(self, unmarked=True)

    @property
    def is_empty(self) -> bool:
        """Tell whether a list filter is defined but empty: the whole answer then is (specification, Errors)."""
        lists = (self.token_keys, self.excluded_token_keys, self.traits, self.excluded_traits, self.markets)
        return any(entries is not None and not entries for entries in lists)

    def fingerprint(self) -> str:
        """Return a digest that is equal for equal filters, whatever their spelling, order or repetition.

        A cursor carries it, so that it can only continue the query it came from.
        """
        price = self.price and [self.price.currency, _plain(self.price.minimum), _plain(self.price.maximum)]
        contract = self.contract and [self.contract.kind, self.contract.address]
        lists = (self.token_keys, self.excluded_token_keys, self.traits, self.excluded_traits, self.markets)
        parts = [
            self.chain,
            contract,
            *(entries and sorted(entries) for entries in lists),
            price,
            self.unmarked,
        ]
        parts += [entries is not None for entries in lists]
        parts = [sorted(part) if isinstance(part, frozenset) else part for part in parts]
        text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _plain(bound: Decimal | None) -> str | None:
    """Return one text for equal bounds: 0.50 and 0.5 are one bound."""
    return None if bound is None else str(unscaled(scaled(bound, 200), 200))
