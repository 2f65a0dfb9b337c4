"""The wide row of an NFT: how facts change it, and what must follow when they do. Reads only images and contracts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from core.db import bulk
from tokens.models import Contract
from tokens.models.nft import UNKNOWN_RARITY_KEY
from tokens.store import images as image_store
from tokens.store.contracts import ContractRow
from tokens.store.facts import UNSET, NftFacts
from tokens.store.traits import TraitChange, TraitChanges

COLUMNS = (
    *("contract_id", "uri", "metadata", "native", "image_id", "media_id", "rarity", "rarity_key", "rank"),
    *("stated_minter", "stated_markets", "own_marked", "marked_reason", "marked"),
)
_AT = {name: place for place, name in enumerate(COLUMNS)}
CONTRACT, METADATA, RARITY_KEY, STATED_MINTER, MARKED = (
    _AT[name] for name in ("contract_id", "metadata", "rarity_key", "stated_minter", "marked")
)
_RATED = tuple(_AT[name] for name in ("contract_id", "metadata", "rarity", "rank"))
_REPLAYED = tuple(_AT[name] for name in ("contract_id", "rarity_key", "stated_minter", "stated_markets"))
_PLAIN = tuple((name, _AT[name]) for name in ("uri", "metadata", "native", "marked_reason"))
_NAMES = tuple(one.name for one in fields(NftFacts) if one.name not in ("chain", "token_key", "identity"))

Wide = list[Any]
"""Values of :data:`COLUMNS`."""


class _HasContract(Protocol):
    @property
    def contract_id(self) -> int: ...


@dataclass
class Changes:
    """What follows from changed rows.

    ``restated``: ids of NFTs whose derived values must be made anew; ``marks``: (id, effective mark) where it changed;
    ``moves``: (id, old contract, new contract); ``rerated``: ids of contracts whose computed rarity no longer holds.
    """

    contracts: Mapping[int, ContractRow]
    restated: set[int] = field(default_factory=set)
    marks: list[tuple[int, bool]] = field(default_factory=list)
    moves: list[tuple[int, int, int]] = field(default_factory=list)
    traits: TraitChanges = field(default_factory=TraitChanges)
    rerated: set[int] = field(default_factory=set)

    def note(
        self, nft_id: int, token_key: str, facts: NftFacts | None, old: Wide, new: Wide, is_new: bool = False
    ) -> None:
        """Take note of a row that has changed from ``old`` to ``new``."""
        moved = old[CONTRACT] != new[CONTRACT]
        if moved:
            self.moves.append((nft_id, old[CONTRACT], new[CONTRACT]))
        # A new NFT is in no market yet, so that its rarity has no copy to follow.
        watched = _REPLAYED[2:] if is_new else _REPLAYED
        if any(old[place] != new[place] for place in watched):
            self.restated.add(nft_id)
        if any(old[place] != new[place] for place in _RATED):
            self.rerated |= {old[CONTRACT], new[CONTRACT]}
        if old[MARKED] != new[MARKED]:
            self.marks.append((nft_id, new[MARKED]))
        change = TraitChange(nft_id, new[CONTRACT], token_key, new[RARITY_KEY])
        if facts is not None and facts.traits is not UNSET and (moved or old[METADATA] != new[METADATA]):
            self.traits.stated.append((change, facts.traits))
        elif moved:
            self.traits.moved.append(change)
        if not is_new:
            self.traits.known.add(nft_id)
            if old[RARITY_KEY] != new[RARITY_KEY]:
                self.traits.rekeyed.append((nft_id, new[RARITY_KEY]))


def merge(facts: NftFacts, later: NftFacts) -> None:
    """Take over what later facts hold. Owners are stated together with the moment that they are as of."""
    if later.owners is not UNSET:
        facts.as_of_block, facts.as_of = later.as_of_block, later.as_of
    for name in _NAMES:
        value = getattr(later, name)
        if value is not UNSET:
            setattr(facts, name, value)


def empty(contract_id: int) -> Wide:
    """Return the row of an NFT of which nothing is known."""
    return [
        contract_id,
        None,
        None,
        None,
        None,
        None,
        None,
        UNKNOWN_RARITY_KEY,
        None,
        None,
        None,
        False,
        None,
        False,
    ]


def unrated(row: Wide) -> Wide:
    """Return the row of an NFT that leaves the collection among whose NFTs its rarity was computed."""
    new = list(row)
    new[_AT["rarity"]], new[RARITY_KEY], new[_AT["rank"]] = None, UNKNOWN_RARITY_KEY, None
    return new


def images(facts: Iterable[NftFacts]) -> dict[str, int]:
    """Return the id of each image, and of each animation whose type is to be found out, that facts name."""
    facts = list(facts)
    return image_store.ids_of(
        {one.image_url for one in facts if isinstance(one.image_url, str)},
        {one.media_url for one in facts if isinstance(one.media_url, str)},
    )


def with_contracts(known: Mapping[int, ContractRow], nfts: Iterable[_HasContract]) -> dict[int, ContractRow]:
    """Return the known contracts and those of the NFTs, by id: a mint's contract is not named by the lines."""
    missing = sorted({nft.contract_id for nft in nfts} - set(known))
    columns = ("id", "chain_id", "standard", "marked", "rarity_computed")
    rows = bulk.rows_by(Contract, ("id",), [(contract_id,) for contract_id in missing], columns)
    return {
        **known,
        **{row[0]: ContractRow(row[0], row[1], row[2], bool(row[3]), bool(row[4])) for row in rows},
    }


def applied(facts: NftFacts | None, old: Wide, contract: ContractRow, image_ids: Mapping[str, int]) -> Wide:
    """Return the row after the facts."""
    new = list(old)
    new[CONTRACT] = contract.id
    if facts is not None:
        for name, place in _PLAIN:
            value = getattr(facts, name)
            if value is not UNSET:
                new[place] = value
        if facts.image_url is not UNSET:
            new[_AT["image_id"]] = None if facts.image_url is None else image_ids[facts.image_url]
        if facts.media_url is not UNSET:
            new[_AT["media_id"]] = None if facts.media_url is None else image_ids[facts.media_url]
        if facts.minter is not UNSET:
            new[_AT["stated_minter"]] = facts.minter
        if facts.markets is not UNSET:
            new[_AT["stated_markets"]] = json.dumps(sorted(set(facts.markets))) if facts.markets else None
        if facts.marked is not UNSET:
            new[_AT["own_marked"]] = bool(facts.marked)
        if not contract.rarity_computed:  # then what is stated no longer holds
            _apply_rarity(facts, new)
    new[MARKED] = bool(new[_AT["own_marked"]] or contract.marked)
    return new


def _apply_rarity(facts: NftFacts, new: Wide) -> None:
    if facts.rarity is not UNSET:
        new[_AT["rarity"]] = facts.rarity
        # 0.0 - 0.0 is 0.0, where the negation would be the negative zero
        new[RARITY_KEY] = UNKNOWN_RARITY_KEY if facts.rarity is None else 0.0 - facts.rarity
    if facts.rank is not UNSET:
        new[_AT["rank"]] = facts.rank
