"""Writes which NFT has which trait: the values of each contract with their exact number, and the posting lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from core.db import bulk
from core.db.keys import NEVER
from core.db.writing import writing
from core.memo import cached_if_short
from tokens.metadata.trait_texts import label
from tokens.models import NftRecent, NftTrait, NftTraitRecent, TraitValue
from tokens.models.trait import label_key, pair_key
from tokens.store.facts import TraitFacts

Pair = tuple[str, str]
"""Type, and text of the value."""


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


def stored_pairs(nft_ids: Iterable[int]) -> dict[int, dict[Pair, int]]:
    """Return the trait ids that NFTs are posted under, by pair."""
    ids, parameter = bulk.id_list(nft_ids)
    found: dict[int, dict[Pair, int]] = {}
    postings, values = NftTrait._meta.db_table, TraitValue._meta.db_table
    for nft_id, trait_id, kind, value in bulk.fetch(
        f'SELECT p.nft_id, p.trait_id, v."type", v."value" FROM {ids} wanted CROSS JOIN {postings} p'  # noqa: S608
        f" CROSS JOIN {values} v WHERE p.nft_id = wanted.id AND v.id = p.trait_id",
        [parameter],
    ):
        found.setdefault(nft_id, {})[kind, value] = trait_id
    return found


def _write(
    wanted: Mapping[TraitChange, list[Pair]], stored: Mapping[int, Mapping[Pair, int]], known: set[int]
) -> None:
    trait_ids = _trait_ids(wanted)
    recent_keys = _recent_keys(change.nft_id for change in wanted if change.nft_id in known)
    counts: Counter[int] = Counter()
    added, removed = [], []
    for change, pairs in wanted.items():
        before = set(stored.get(change.nft_id, {}).values())
        after = dict.fromkeys(trait_ids[change.contract_id, pair] for pair in pairs)
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


def _trait_ids(wanted: Mapping[TraitChange, list[Pair]]) -> dict[tuple[int, Pair], int]:
    """Return the ids of contracts' traits, of which new ones are made with a number of 0."""
    needed = {(change.contract_id, pair): None for change, pairs in wanted.items() for pair in pairs}
    by_key = {(contract_id, _keys(*pair)[0]): (contract_id, pair) for contract_id, pair in needed}
    found = {
        by_key[contract_id, key]: row_id
        for contract_id, key, row_id in bulk.rows_by(
            TraitValue, ("contract_id", "pair_key"), list(by_key), ("contract_id", "pair_key", "id")
        )
    }
    new = [one for one in needed if one not in found]
    rows = []
    for row_id, (contract_id, pair) in zip(bulk.take_ids(TraitValue, len(new)), new, strict=True):
        found[contract_id, pair] = row_id
        rows.append((row_id, contract_id, *pair, *_keys(*pair), 0))
    bulk.copy_rows(TraitValue, ("id", "contract_id", "type", "value", "pair_key", "label_key", "count"), rows)
    return found


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
            f'UPDATE {values} SET "count" = {number} WHERE contract_id = %s AND "count" <> {number}',  # noqa: S608
            [contract_id],
        )
        TraitValue.objects.filter(contract_id=contract_id, count=0).delete()
    return wrong
