"""Writes which NFT has which trait: the values of each contract with their exact number, and the posting lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.db import bulk
from core.db.keys import NEVER
from core.db.writing import writing
from core.memo import cached_if_short
from tokens.metadata.trait_texts import label
from tokens.models import Contract, NftRecent, NftTrait, NftTraitRecent, TraitValue
from tokens.models.trait import label_key, pair_key
from tokens.store.facts import TraitFacts

Pair = tuple[str, str]
"""Type, and text of the value."""

APART = 500
"""Contracts with a trait whose lists are their own alone. Those that come to have it later are joined to one list a
chain: a page that names no contract looks at the head of each list, and its cost does not grow with the contracts."""


TraitIds = tuple[int, ...]
"""The row of a contract's trait, and the one of its chain that it is joined to, if it is."""


class TraitChange(NamedTuple):
    """An NFT whose traits may have changed, with the keys that its postings carry."""

    nft_id: int
    contract_id: int
    token_key: str
    rarity_key: float


@dataclass
class TraitChanges:
    """What to write: traits as ``stated``, traits to keep under another contract (``moved``), new rarity keys
    (``rekeyed``: id, key); ``known``: ids of the NFTs among them that are not new.
    """

    stated: list[tuple[TraitChange, list[TraitFacts]]] = field(default_factory=list)
    moved: list[TraitChange] = field(default_factory=list)
    rekeyed: list[tuple[int, float]] = field(default_factory=list)
    known: set[int] = field(default_factory=set)


@cached_if_short(maxsize=20_000, longest=200)
def _keys(kind: str, value: str) -> tuple[str, str]:
    return pair_key(kind, value), label_key(label(kind, value))


def write(changes: TraitChanges) -> None:
    """Write the postings of NFTs. An NFT that has a pair twice has it once."""
    bulk.update_rows(NftTrait, ("nft_id", "rarity_key"), changes.rekeyed)
    wanted = {
        change: list(dict.fromkeys((one.type, one.value) for one in traits))
        for change, traits in changes.stated
    }
    stored = stored_pairs(
        change.nft_id for change in (*wanted, *changes.moved) if change.nft_id in changes.known
    )
    wanted |= {change: list(stored.get(change.nft_id, {})) for change in changes.moved}
    if wanted:
        _write(wanted, stored, changes.known)


def stored_pairs(nft_ids: Iterable[int]) -> dict[int, dict[Pair, TraitIds]]:
    """Return the trait ids that NFTs are posted under, by pair."""
    ids, parameter = bulk.id_list(nft_ids)
    found: dict[int, dict[Pair, TraitIds]] = {}
    postings, values = NftTrait._meta.db_table, TraitValue._meta.db_table
    for nft_id, trait_id, joined, kind, value in bulk.fetch(
        f'SELECT p.nft_id, v.id, v.joined, v."type", v."value" FROM {ids} wanted CROSS JOIN {postings} p'  # noqa: S608
        f" CROSS JOIN {values} v WHERE p.nft_id = wanted.id AND v.id = p.trait_id AND v.contract_id IS NOT NULL",
        [parameter],
    ):
        found.setdefault(nft_id, {})[kind, value] = _with_joined(trait_id, joined)
    return found


def _write(
    wanted: Mapping[TraitChange, list[Pair]], stored: Mapping[int, Mapping[Pair, TraitIds]], known: set[int]
) -> None:
    trait_ids = _trait_ids(wanted)
    recent_keys = _recent_keys(change.nft_id for change in wanted if change.nft_id in known)
    counts: Counter[int] = Counter()
    added, removed = [], []
    for change, pairs in wanted.items():
        before = {trait for ids in stored.get(change.nft_id, {}).values() for trait in ids}
        after = dict.fromkeys(trait for pair in pairs for trait in trait_ids[change.contract_id, pair])
        added += [
            (change.nft_id, trait, change.token_key, change.rarity_key)
            for trait in after
            if trait not in before
        ]
        removed += [(change.nft_id, trait) for trait in sorted(before) if trait not in after]
    counts.update(row[1] for row in added)
    counts.subtract(row[1] for row in removed)
    for model in (NftTrait, NftTraitRecent):
        bulk.delete_rows(model, ("nft_id", "trait_id"), removed)
    bulk.copy_rows(NftTrait, ("nft_id", "trait_id", "token_key", "rarity_key"), added)
    bulk.copy_rows(
        NftTraitRecent,
        ("nft_id", "trait_id", "recent_key"),
        [(nft_id, trait, recent_keys.get(nft_id, NEVER)) for nft_id, trait, _, _ in added],
    )
    add_to_counts(counts)


def _trait_ids(wanted: Mapping[TraitChange, list[Pair]]) -> dict[_Owned, TraitIds]:
    """Return the ids of contracts' traits, of which new ones are made with a number of 0."""
    needed = {(change.contract_id, pair): None for change, pairs in wanted.items() for pair in pairs}
    by_key = {(contract_id, _keys(*pair)[0]): (contract_id, pair) for contract_id, pair in needed}
    found = {
        by_key[contract_id, key]: _with_joined(row_id, joined)
        for contract_id, key, row_id, joined in bulk.rows_by(
            TraitValue, ("contract_id", "pair_key"), list(by_key), ("contract_id", "pair_key", "id", "joined")
        )
    }
    new = [one for one in needed if one not in found]
    of_chains = _of_chains(new)
    rows = []
    for row_id, (contract_id, pair) in zip(bulk.take_ids(TraitValue, len(new)), new, strict=True):
        joined = of_chains.get((contract_id, pair))
        found[contract_id, pair] = _with_joined(row_id, joined)
        rows.append((row_id, contract_id, joined, *pair, *_keys(*pair), 0))
    bulk.copy_rows(TraitValue, ("id", "contract_id", "joined", *_VALUE), rows)
    return found


_VALUE = ("type", "value", "pair_key", "label_key", "count")
_Owned = tuple[int, Pair]
"""A contract's id, and a pair."""


def _with_joined(trait_id: int, joined: int | None) -> TraitIds:
    return (trait_id,) if joined is None else (trait_id, joined)


def _of_chains(new: Sequence[_Owned]) -> dict[_Owned, int]:
    """Return the ids of the chains' traits that new traits of contracts are joined to, if any; missing ones are made
    with a number of 0."""
    apart = _apart({_keys(*pair)[1] for _, pair in new})
    joining = []
    for one in new:
        label_of = _keys(*one[1])[1]
        if apart[label_of] < APART:
            apart[label_of] += 1
        else:
            joining.append(one)
    contracts = [(contract_id,) for contract_id in {contract_id for contract_id, _ in joining}]
    chains: dict[int, int] = dict(bulk.rows_by(Contract, ("id",), contracts, ("id", "chain_id")))
    pairs = {(chains[contract_id], _keys(*pair)[0]): pair for contract_id, pair in joining}
    known = bulk.rows_by(TraitValue, ("chain_id", "pair_key"), list(pairs), ("chain_id", "pair_key", "id"))
    ids = {(chain_id, key): row_id for chain_id, key, row_id in known}
    missing = [one for one in pairs if one not in ids]
    ids |= zip(missing, bulk.take_ids(TraitValue, len(missing)), strict=True)
    rows = [(ids[one], one[0], *pairs[one], *_keys(*pairs[one]), 0) for one in missing]
    bulk.copy_rows(TraitValue, ("id", "chain_id", *_VALUE), rows)
    return {(contract_id, pair): ids[chains[contract_id], _keys(*pair)[0]] for contract_id, pair in joining}


def _apart(labels: set[str]) -> dict[str, int]:
    """Return how many traits with a label are joined to no other, ``APART`` at most, by the label's key."""
    given, parameter = bulk.id_list(sorted(labels), "text")
    key = "CASE WHEN v.joined IS NULL THEN v.label_key ELSE NULL END"
    apart = f"SELECT 1 FROM {TraitValue._meta.db_table} v WHERE {key} = given.id"  # noqa: S608
    return dict(
        bulk.fetch(
            f"SELECT given.id, (SELECT count(*) FROM ({apart} LIMIT %s) cut) FROM {given} given",  # noqa: S608
            [APART, parameter],
        )
    )


def _recent_keys(nft_ids: Iterable[int]) -> dict[int, str]:
    rows = bulk.rows_by(NftRecent, ("nft_id",), [(nft_id,) for nft_id in nft_ids], ("nft_id", "recent_key"))
    return dict(rows)


def add_to_counts(changes: Mapping[int, int]) -> None:
    """Add to the numbers of traits, by trait id; one that no NFT has any more is none."""
    rows = [(trait_id,) for trait_id, change in sorted(changes.items()) if change]
    counts = {
        trait_id: count + changes[trait_id]
        for trait_id, count in bulk.rows_by(TraitValue, ("id",), rows, ("id", "count"))
    }
    bulk.update_rows(TraitValue, ("id", "count"), [row for row in counts.items() if row[1]])
    bulk.delete_rows(TraitValue, ("id",), [(trait_id,) for trait_id, count in counts.items() if not count])


def recount(contract_id: int) -> int:
    """Count who has each trait of a contract anew, from the postings; return how many numbers were wrong.

    Opens its own transaction: it is for when something other than this service has written.
    """
    values, postings = TraitValue._meta.db_table, NftTrait._meta.db_table
    number = f"(SELECT count(*) FROM {postings} p WHERE p.trait_id = {values}.id)"  # noqa: S608
    with writing():
        wrong = bulk.run(
            f'UPDATE {values} SET "count" = {number} WHERE "count" <> {number} AND (contract_id = %s '  # noqa: S608
            f"OR id IN (SELECT joined FROM {values} WHERE contract_id = %s))",
            [contract_id, contract_id],
        )
        TraitValue.objects.filter(contract_id=contract_id, count=0).delete()
    return wrong
