"""Writes contracts and collections: those that facts are about, and those that are only mentioned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.db import bulk
from tokens.models import Contract
from tokens.store.chains import ChainRow
from tokens.store.facts import UNSET, ContractFacts

Identity = tuple[str, str]
"""Slug of the chain, and address; an empty address is the row of a mint-identified chain's NFTs without collection."""


class _Row(NamedTuple):
    """The columns that facts change; by default those of a contract of which nothing is known."""

    id: int
    standard: str = ""
    name: str | None = None
    symbol: str | None = None
    ens_name: str | None = None
    marked: bool = False
    marked_reason: str | None = None
    marks_pending: bool = False
    stated: str = ""


_READ = ("address", "chain_id", "rarity_computed", *_Row._fields)


class ContractRow(NamedTuple):
    """What other rows need to know of their contract."""

    id: int
    chain_id: int
    standard: str
    marked: bool
    rarity_computed: bool = False


@dataclass
class Contracts:
    """The contracts that a batch names, by (slug, address); ``restated``: ids of those whose standard has changed."""

    rows: dict[Identity, ContractRow] = field(default_factory=dict)
    restated: set[int] = field(default_factory=set)

    def __getitem__(self, identity: Identity) -> ContractRow:
        return self.rows[identity]


def write(
    facts: Iterable[ContractFacts],
    mentioned: Iterable[Identity],
    chains: Mapping[str, ChainRow],
    *,
    of_chain: bool = False,
) -> Contracts:
    """Write contracts and return them with those mentioned, which are created when they are unknown, in that order.

    What is read ``of_chain`` leaves a standard, name or symbol alone that another source stated, and a contract of
    ERC-1155 one: some have ERC-721's events too, of what there is one of.
    A changed mark is noted as pending: :func:`tokens.store.marks.apply_pending` brings the NFTs into line.
    """
    stated: dict[Identity, list[ContractFacts]] = {}
    for one in facts:
        stated.setdefault((one.chain, one.address), []).append(one)
    identities = list(dict.fromkeys([*mentioned, *stated]))
    stored = _stored(identities, chains)
    created: list[tuple[Any, ...]] = []
    changed: list[_Row] = []
    found = Contracts()
    numbers = iter(bulk.take_ids(Contract, sum(identity not in stored for identity in identities)))
    for identity in identities:
        computed, row = stored.get(identity, (False, None))
        old = row or _Row(next(numbers))
        new = _merged(old, stated.get(identity, ()), of_chain=of_chain)
        if row is None:
            new = new._replace(marks_pending=False)  # it has no NFTs yet
            slug, address = identity
            created.append((chains[slug].id, address, address.lower(), *new))
        elif new != old:
            changed.append(new)
            if new.standard != old.standard:
                found.restated.add(new.id)
        found.rows[identity] = ContractRow(new.id, chains[identity[0]].id, new.standard, new.marked, computed)
    bulk.copy_rows(Contract, ("chain_id", "address", "folded_address", *_Row._fields), created)
    bulk.update_rows(Contract, _Row._fields, changed)
    return found


def _stored(identities: list[Identity], chains: Mapping[str, ChainRow]) -> dict[Identity, tuple[bool, _Row]]:
    """Return the rows that exist, and whether their rarity is computed."""
    slugs = {chain.id: slug for slug, chain in chains.items()}
    keys = [(address, chains[slug].id) for slug, address in identities]
    rows = bulk.rows_by(Contract, ("address", "chain_id"), keys, _READ)
    return {(slugs[row[1]], row[0]): (bool(row[2]), _plain(_Row(*row[3:]))) for row in rows}


def _plain(row: _Row) -> _Row:
    """SQLite has integers for booleans."""
    return row._replace(marked=bool(row.marked), marks_pending=bool(row.marks_pending))


DESCRIBED = ("standard", "name", "symbol")
"""What a contract says of itself, and another source may state."""


def _merged(old: _Row, told: Iterable[ContractFacts], *, of_chain: bool) -> _Row:
    new = old._asdict()
    stated = set(old.stated.split())
    for facts in told:
        for name in DESCRIBED:
            value = getattr(facts, name)
            if value is UNSET or (of_chain and (name in stated or _is_less(new[name], value))):
                continue
            new[name] = value or "" if name == "standard" else value
            if not of_chain:
                (stated.discard if value is None else stated.add)(name)
        for name in ("ens_name", "marked_reason"):
            value = getattr(facts, name)
            if value is not UNSET:
                new[name] = value
        if facts.marked is not UNSET:
            new["marked"] = bool(facts.marked)
    if new["marked"] != old.marked:
        new["marks_pending"] = True
    new["stated"] = " ".join(sorted(stated))
    return _Row(**new)


def _is_less(before: object, value: object) -> bool:
    return before == "ERC1155" and value == "ERC721"


def count_nfts(changes: Mapping[int, int]) -> None:
    """Add to the number of known NFTs of contracts, by contract id."""
    rows = [(contract_id, change) for contract_id, change in sorted(changes.items()) if change]
    counts: dict[int, int] = dict(
        bulk.rows_by(Contract, ("id",), [(contract_id,) for contract_id, _ in rows], ("id", "nft_count"))
    )
    bulk.update_rows(Contract, ("id", "nft_count"), [(one, counts[one] + change) for one, change in rows])


def set_standards(standards: Mapping[int, str]) -> set[int]:
    """Set the standards of contracts by id, and return the ids of those that had another."""
    rows = bulk.rows_by(Contract, ("id",), [(contract_id,) for contract_id in standards], ("id", "standard"))
    changed = {contract_id for contract_id, standard in rows if standard != standards[contract_id]}
    bulk.update_rows(Contract, ("id", "standard"), [(one, standards[one]) for one in sorted(changed)])
    return changed
