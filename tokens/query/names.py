"""What the names in one query stand for: chains, currencies and ENS names, looked up once and only when needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from django.db.models import IntegerField, Value
from django.utils.datastructures import MultiValueDict

from core.chains import EVM, MINT, ChainKind
from core.rest.errors import ServiceUnavailable
from core.rest.parameters import quoted
from core.rest.snapshot import between_snapshots
from tokens.ens import names as ens
from tokens.ens import node as ens_node
from tokens.ens.names import EnsAnswer
from tokens.models import Chain, Currency

USD = "usd"
"""In a price filter: the USD value of the lowest ask over all currencies. Known without a row."""


@dataclass(frozen=True, slots=True)
class KnownChain:
    """A chain of the table: slug, kind, EIP-155 id (EVM only)."""

    slug: str
    kind: ChainKind
    chain_id: int | None


class Names:
    """Lazy look-ups for the parameters of one query: one statement for all of them, and none where nothing is named."""

    def __init__(self, data: MultiValueDict[str, str]) -> None:
        self._data = data
        self._told: dict[str, EnsAnswer] = {}

    @property
    def chains(self) -> tuple[KnownChain, ...]:
        return self._tables[0]

    def chain(self, text: str) -> KnownChain | None:
        """Return the chain of a slug, a numeric chain id or a CAIP-2 name, in any letter case."""
        return self._chains_by_name.get(text.lower())

    def currency(self, text: str) -> str | None:
        """Return the canonical symbol, in lower case, of a currency's symbol or alias in any letter case."""
        return USD if text.lower() == USD else self._tables[1].get(text.upper())

    @cached_property
    def kind(self) -> ChainKind | None:
        """The kind of the one chain that the query names; ``None`` without a chain, or without a valid one."""
        named = {self.chain(text.strip()) for text in self._data.getlist("chain") if text.strip()}
        chain = named.pop() if len(named) == 1 else None
        return chain.kind if chain else None

    def ens_answer(self, name: str) -> EnsAnswer | None:
        """Return what a name of the query, in normal form, stands for; ``None`` when nobody has told yet."""
        return self._ens_answers[name]

    @property
    def is_ambiguous(self) -> bool:
        """Whether a parameter names several of which nobody has told yet, although it takes one."""
        return any(sum(self.ens_answer(name) is None for name in names) > 1 for names in self._ens_names)

    def look_up(self) -> None:
        """Ask the node for the names that are open. Raises ``ServiceUnavailable`` when it does not tell in time.

        No snapshot of the database is open meanwhile; all that is known of names is read again afterwards.
        """
        with between_snapshots():
            self._told = {
                name: self._looked_up(name) for name, answer in self._ens_answers.items() if answer is None
            }
        for known in ("_tables", "_chains_by_name", "_ens_answers", "kind"):
            self.__dict__.pop(known, None)

    def _looked_up(self, name: str) -> EnsAnswer:
        try:
            return ens_node.look_up(name)
        except ens_node.EnsUnavailableError as fault:
            message = f"The ENS name {quoted(name)} could not be looked up in time. Try again."
            raise ServiceUnavailable(message, "ens_unavailable", wait=ceil(fault.wait)) from None

    @cached_property
    def _ens_answers(self) -> dict[str, EnsAnswer | None]:
        found = self._tables[2]
        return {
            name: EnsAnswer(found[name]) if name in found else self._told.get(name)
            for name in set[str]().union(*self._ens_names)
        }

    @property
    def _ens_names(self) -> list[set[str]]:
        """The ENS names that each parameter that takes one may mean, in normal form."""
        return [self._names_in(parameter) for parameter in ("contractAddress", "ownerAddress")]

    def _names_in(self, parameter: str) -> set[str]:
        asked = set()
        for text in self._data.getlist(parameter):
            if ens.is_name(text):
                try:
                    asked.add(ens.normalised(text.strip()))
                except ValueError:
                    continue  # the field reports it
        return asked

    @cached_property
    def _chains_by_name(self) -> dict[str, KnownChain]:
        by_name = {}
        for chain in self.chains:
            if chain.chain_id is not None:
                by_name[str(chain.chain_id)] = by_name[f"eip155:{chain.chain_id}"] = chain
        return by_name | {chain.slug.lower(): chain for chain in self.chains}

    @cached_property
    def _tables(self) -> tuple[tuple[KnownChain, ...], dict[str, str], dict[str, str | None]]:
        """All chains, the currencies that the price filter names, and the ENS names, by one statement."""
        symbols = {text.split(",")[0].strip().upper() for text in self._data.getlist("priceFilter")}
        chains = Chain.objects.annotate(source=Value("chain")).values_list(
            "source", "slug", "kind", "chain_id"
        )
        currencies = (
            Currency.objects.filter(symbol__in={symbol for symbol in symbols if _storable(symbol)})
            .annotate(source=Value("currency"), number=Value(None, IntegerField()))
            .values_list("source", "symbol", "alias_of__symbol", "number")
        )
        rows: list[Any] = list(
            chains.union(currencies, *ens.stored(set[str]().union(*self._ens_names)), all=True)
        )
        known = [
            KnownChain(slug, EVM if kind == EVM else MINT, number)
            for source, slug, kind, number in rows
            if source == "chain"
        ]
        canonical = {
            symbol: (alias_of or symbol).lower()
            for source, symbol, alias_of, _ in rows
            if source == "currency"
        }
        return tuple(sorted(known, key=lambda chain: chain.slug)), canonical, ens.chosen(rows)


def _storable(text: str) -> bool:
    return len(text) <= 40 and text.isprintable()
