"""Where a query looks: the contracts of an address, else the chains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import BigIntegerField, OuterRef, QuerySet, Subquery, Value

from core.chains import EVM, MINT
from core.db.fields import KeyField
from core.db.keys import NEVER
from core.db.statements import Slot, rows_where
from tokens.models import Chain, Contract
from tokens.prices.currency_worths import CurrencyRow, DueRates, currencies_if_due, due_of
from tokens.query.selection import ContractRef, Selection

ScopeField = Literal["contract_id", "chain_id"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: the contracts of an address (one a chain), else the chains. Each id is one list to walk."""

    field: ScopeField
    ids: tuple[int, ...]

    @property
    def condition(self) -> dict[str, Any]:
        """The condition on rows that they are there."""
        return {f"{self.field}__in": self.ids}


def resolve_scope_and_rates(selection: Selection, now: int) -> tuple[Scope | None, DueRates | None]:
    """Return where to look and what rates have come due, in one query.

    The rates are ``None`` where other registers are asked anyway, or the contract is not one of an EVM chain.
    """
    contract = selection.contract
    alone = selection.markets is None and selection.price is None
    if not alone or contract is None or contract.kind != EVM or not contract.address:
        return resolve_scope(selection), None
    rows = rows_where(_evm_contracts_and_rates, address=contract.address, now=now)
    found = [row[1:] for row in rows if row[0] == 0]
    due = due_of([CurrencyRow._make(row[1:]) for row in rows if row[0] == 1])
    return _contract_scope(found, selection.chain), due


def _contract_scope(contracts: Iterable[Sequence[Any]], chain: str | None) -> Scope | None:
    ids = tuple(sorted(row[0] for row in contracts if chain in (None, row[1])))
    return Scope("contract_id", ids) if ids else None


def resolve_scope(selection: Selection) -> Scope | None:
    """Return the contracts or chains to look in, in one query; ``None`` when there are none."""
    if selection.contract is not None:
        ids = resolve_contracts(selection.contract, selection.chain)
        return Scope("contract_id", ids) if ids else None
    # The id of one, not an EXISTS: that PostgreSQL might answer by reading all contracts.
    contracts = Contract.objects.filter(chain=OuterRef("pk")).order_by("id").values("id")
    chains = Chain.objects.alias(contract=Subquery(contracts[:1])).filter(contract__isnull=False)
    if selection.chain is not None:
        chains = chains.filter(slug=selection.chain)
    if selection.token_keys:
        # Numbers are token ids on EVM chains alone, mints on mint-identified ones alone.
        chains = chains.filter(kind__in={MINT if key >= NEVER else EVM for key in selection.token_keys})
    ids = tuple(chains.order_by("id").values_list("id", flat=True))
    return Scope("chain_id", ids) if ids else None


def _evm_contracts(address: Slot) -> QuerySet[Any, Any]:
    rows = Contract.objects.filter(chain__kind=EVM, address=address).order_by()
    return rows.values_list("id", "chain__slug")


def _evm_contracts_and_rates(address: Slot, now: Slot) -> QuerySet[Any, Any]:
    none = [Value(None, output_field=one) for one in (BigIntegerField(), KeyField(), KeyField())]
    contracts = _evm_contracts(address).values_list(Value(0), "id", "chain__slug", *none)
    rates = currencies_if_due(now).values_list(Value(1), *CurrencyRow._fields)
    union: QuerySet[Any, Any] = contracts.union(rates, all=True)
    return union


def resolve_contracts(contract: ContractRef, chain: str | None) -> tuple[int, ...]:
    """Return the ids of the contracts with an address: one a chain at most on EVM chains.

    On mint-identified chains an exact match wins, and one that differs in case alone counts when it is the only one.
    """
    if not contract.address:
        return ()
    if contract.kind == EVM:
        found_ids = rows_where(_evm_contracts, address=contract.address)
        return tuple(sorted(row_id for row_id, slug in found_ids if chain in (None, slug)))
    rows = Contract.objects.filter(chain__kind=contract.kind)
    if chain is not None:
        rows = rows.filter(chain__slug=chain)
    found = list(
        rows.filter(folded_address=contract.address.lower()).order_by("id").values_list("id", "address")
    )
    exact = tuple(row_id for row_id, address in found if address == contract.address)
    return exact or (tuple(row_id for row_id, _ in found) if len(found) == 1 else ())
