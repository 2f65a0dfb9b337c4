"""From what a query asks for to the rows it names: owners, trait values, marketplaces, currencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Exists, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from rest_framework.exceptions import ErrorDetail, ValidationError

from core.db.fields import KeyField
from tokens.models import Ask, Currency, Market, TraitValue
from tokens.models.trait import APART_KEY, label_key
from tokens.prices.currency_worths import (
    NOTHING_DUE,
    CurrencyRow,
    DueRates,
    currencies_if_due,
    due_of,
    due_rates,
    keyed_worths,
)
from tokens.prices.lines import is_changing
from tokens.query.changing import at_the_moment
from tokens.query.owners import HeldList, held_nfts
from tokens.query.price_ranges import KeyBounds, PriceFilter, key_bounds, price_ranges
from tokens.query.scopes import Scope, resolve_scope_and_rates
from tokens.query.selection import Selection

MOST_VALUES = 20_000
"""Trait values that the entries of a query may stand for, those of each contract counted apart. Each is a list at whose
head a page looks, which takes some microseconds."""


@dataclass(frozen=True, slots=True)
class TraitGroup:
    """Alternatives: trait values of which an NFT must have at least one, and how many NFTs have them at most."""

    ids: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Resolved:
    """A selection in terms of rows; ``None`` and ``()`` mean no such filter.

    Filters that name no rows stay where they are, in ``selection``.
    """

    scope: Scope
    now: int
    selection: Selection
    token_keys: tuple[str, ...] | None = None
    trait_groups: tuple[TraitGroup, ...] = ()
    excluded: TraitGroup | None = None
    market_ids: tuple[int, ...] | None = None
    price: PriceFilter | None = None
    price_keys: KeyBounds | None = None
    """Where the bounds of ``price`` lie among the sort keys of asks."""
    transferred: bool = False
    due: DueRates = NOTHING_DUE
    """Rates that have come due since the keys of asks were written."""
    nft_ids: tuple[int, ...] | None = None
    """Ids of a small set that holds every match, where one was found: what an owner holds, if that is not very much."""
    held: HeldList | None = None
    """The list of the NFTs that the owner holds, where they are very many."""

    @property
    def sizes(self) -> list[int]:
        """How many NFTs have what is asked for at most, of each list that every match is in and whose size is known."""
        held = [] if self.held is None else [self.held.size]
        return [group.size for group in self.trait_groups] + held

    @property
    def asks_more_than_tokens(self) -> bool:
        """Whether anything is asked of an NFT beside where it is and its token id."""
        others = self.excluded, self.market_ids, self.price, self.held
        return bool(self.trait_groups) or self.selection.unmarked or any(one is not None for one in others)


def resolve(selection: Selection, now: int) -> Resolved | None:
    """Return the rows that a selection names, or ``None`` when it is plain that nothing matches.

    ``now`` is the moment of the request in Unix seconds. At most three queries, whatever the number of entries. Raises
    ``ValidationError`` where traits stand for too many values.
    """
    if selection.is_empty:
        return None
    scope, due = resolve_scope_and_rates(selection, now)
    if scope is None:
        return None
    owned = resolve_owner(selection, scope)
    traits = None if owned is None else _resolve_traits(selection, scope)
    if owned is None or traits is None:
        return None
    groups, excluded = traits
    found = _Registers((), [], NOTHING_DUE, is_changing=False)
    if due is None:
        found = _resolve_registers(selection, scope, now)
        due = found.due
    price = keys = None
    if selection.price is not None and (ranges := price_ranges(selection.price, found.currencies, due)):
        worths = {**keyed_worths(found.currencies), **due.worths}
        price, keys = PriceFilter(ranges), key_bounds(ranges, worths)
        if found.is_changing:
            price, keys = at_the_moment(price, keys, scope.condition, now, worths)
    if (selection.markets is not None and not found.market_ids) or (
        selection.price is not None and price is None
    ):
        return None
    return Resolved(
        scope=scope,
        now=now,
        selection=selection,
        token_keys=None if selection.token_keys is None else tuple(sorted(selection.token_keys)),
        trait_groups=groups,
        excluded=excluded,
        market_ids=None if selection.markets is None else found.market_ids,
        price=price,
        price_keys=keys,
        due=due,
        nft_ids=owned.nft_ids,
        held=owned.held,
    )


class Owned(NamedTuple):
    """What an owner comes to: see :class:`Resolved`."""

    nft_ids: tuple[int, ...] | None = None
    held: HeldList | None = None


def resolve_owner(selection: Selection, scope: Scope) -> Owned | None:
    """Return what the owner of a query holds in the scope; ``None`` for one that holds nothing there. One query."""
    if selection.owner is None:
        return Owned()
    if selection.owner.address is None:
        return None
    if scope.field == "contract_id":
        found = held_nfts(selection.owner.address, contract_ids=scope.ids)
    else:
        found = held_nfts(selection.owner.address, chain_ids=scope.ids if selection.chain else ())
    if isinstance(found, HeldList):
        return Owned(held=found)
    return Owned(nft_ids=found) if found else None


def _resolve_traits(
    selection: Selection, scope: Scope
) -> tuple[tuple[TraitGroup, ...], TraitGroup | None] | None:
    entries = (selection.traits or frozenset()) | (selection.excluded_traits or frozenset())
    if not entries:
        return (), None
    entry_of = {label_key(entry): entry for entry in entries}
    rows = TraitValue.objects.filter(count__gt=0)
    in_contract = scope.field == "contract_id"
    # Beyond a contract those that are joined are in the list of their chain.
    if in_contract:
        rows = rows.filter(label_key__in=entry_of, contract_id__in=scope.ids)
    else:
        rows = rows.alias(apart=APART_KEY).filter(apart__in=list(entry_of))
    types: dict[str, set[str]] = {entry: set() for entry in entries}
    ids: dict[str, list[tuple[int, int]]] = {entry: [] for entry in entries}
    chain = Coalesce("chain_id", "contract__chain_id")
    columns = rows.values_list("id", "label_key", "type", "count", chain)
    found_values = list(columns[: MOST_VALUES + 1])
    if len(found_values) > MOST_VALUES:
        raise _too_many_values(selection)
    for row_id, key, trait_type, count, chain_id in found_values:
        types[entry_of[key]].add(trait_type)
        if in_contract or chain_id in scope.ids:
            ids[entry_of[key]].append((row_id, count))
    groups = []
    for group in _alternatives(selection.traits or frozenset(), types):
        found = _together(ids, group)
        if found is None:
            return None
        groups.append(found)
    return tuple(groups), _together(ids, selection.excluded_traits or ())


def _too_many_values(selection: Selection) -> ValidationError:
    detail = (
        f"Too expensive: contracts have more than {MOST_VALUES:,} such trait values together. "
        "Name a contractAddress, or fewer traits."
    )
    names = {"traits": selection.traits, "excludedTraits": selection.excluded_traits}
    return ValidationError(
        {name: [ErrorDetail(detail, code="invalid")] for name, given in names.items() if given}
    )


def _together(ids: Mapping[str, list[tuple[int, int]]], entries: Iterable[str]) -> TraitGroup | None:
    """Return the trait values of some entries, with their (id, count) each; ``None`` where there is none."""
    found = sorted({pair for entry in entries for pair in ids[entry]})
    if not found:
        return None
    return TraitGroup(tuple(row_id for row_id, _ in found), sum(count for _, count in found))


def _alternatives(entries: Iterable[str], known: dict[str, set[str]]) -> list[set[str]]:
    """Group entries that share a possible type, transitively.

    An entry's possible types are those of its readings that exist in the data; when none does, all its splits.
    """
    groups: list[tuple[set[str], set[str]]] = []
    for entry in sorted(entries):
        types = known[entry] or {entry[:place] for place, character in enumerate(entry) if character == "-"}
        members = {entry}
        apart = []
        for other_types, other_members in groups:
            if types & other_types:
                types, members = types | other_types, members | other_members
            else:
                apart.append((other_types, other_members))
        groups = [*apart, (types, members)]
    return [members for _, members in groups]


class _Registers(NamedTuple):
    """What of a query concerns marketplaces and prices: ids of those, currencies that a price may be in, due rates.

    ETH, which all others are compared with, is among the currencies.
    """

    market_ids: tuple[int, ...]
    currencies: list[CurrencyRow]
    due: DueRates
    is_changing: bool
    """Whether there are asks in the scope whose stored price may not be the one of the moment."""


def _resolve_registers(selection: Selection, scope: Scope, now: int) -> _Registers:
    """Return all of it from one query."""
    if selection.markets is None and selection.price is None:
        return _Registers((), [], due_rates(now), is_changing=False)
    text, number = KeyField(), BigIntegerField()
    none = {"symbol": Value("", output_field=text), "wraps_id": Value(None, output_field=number)}
    unrated = {name: Value(None, output_field=text) for name in ("keyed", "newest")}
    parts: list[QuerySet[Any, Any]] = [currencies_if_due(now).annotate(part=Value(2))]
    if selection.markets is not None:
        parts.append(
            Market.objects.filter(slug__in=selection.markets).annotate(part=Value(0), **none, **unrated)
        )
    if selection.price is not None:
        symbol = selection.price.currency.upper()
        family = Q(symbol=symbol) | Q(wraps__symbol=symbol)
        wanted = Q(keyed_usd__isnull=False) if selection.price.is_usd else family
        priced = Currency.objects.filter(wanted | Q(symbol="ETH"))
        keyed = ExpressionWrapper(F("keyed_usd"), output_field=text)
        parts.append(priced.annotate(part=Value(1), keyed=keyed, newest=unrated["newest"]))
        changing = Exists(Ask.objects.filter(is_changing(now), **scope.condition))
        parts.append(Currency.objects.filter(changing, symbol="ETH").annotate(part=Value(3), **unrated))
    columns = [part.order_by().values_list("part", *CurrencyRow._fields) for part in parts]
    rows = list(columns[0].union(*columns[1:], all=True) if len(columns) > 1 else columns[0])
    return _Registers(
        tuple(sorted(row[1] for row in rows if row[0] == 0)),
        sorted(CurrencyRow._make(row[1:]) for row in rows if row[0] == 1),
        due_of([CurrencyRow._make(row[1:]) for row in rows if row[0] == 2]),
        is_changing=any(row[0] == 3 for row in rows),
    )
