"""The wide row of an NFT: how facts change it, and what must follow when they do. Reads only images and contracts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from core.db import bulk
from tokens.models import Contract
from tokens.models.nft import UNKNOWN_RARITY_KEY
from tokens.store import images as image_store
from tokens.store.contracts import ContractRow
from tokens.store.facts import UNSET, NftFacts
from tokens.store.renderings import Shown
from tokens.store.traits import TraitChange, TraitChanges


class Wide(NamedTuple):
    """The columns that facts change, as the database has them; by default those of an NFT of which nothing is known."""

    contract_id: int
    uri: str | None = None
    metadata: str | None = None
    native: str | None = None
    image_id: int | None = None
    media_id: int | None = None
    rarity: float | None = None
    rarity_key: float = UNKNOWN_RARITY_KEY
    rank: int | None = None
    stated_minter: str | None = None
    stated_markets: str | None = None
    own_marked: bool = False
    marked_reason: str | None = None
    marked: bool = False


COLUMNS = Wide._fields
_rated = attrgetter("contract_id", "metadata", "rarity", "rank")
_shown = attrgetter(*Shown._fields)
_stated = attrgetter("stated_minter", "stated_markets")
_replayed = attrgetter("contract_id", "rarity_key", "stated_minter", "stated_markets")
_PLAIN = ("uri", "metadata", "native", "marked_reason")
_NAMES = tuple(one.name for one in fields(NftFacts) if one.name not in ("chain", "token_key", "identity"))


class _HasContract(Protocol):
    @property
    def contract_id(self) -> int: ...


@dataclass
class Changes:
    """What follows from changed rows.

    ``restated``: ids of NFTs whose derived values must be made anew; ``marks``: (id, effective mark) where it changed;
    ``moves``: (id, old contract, new contract); ``rerated``: ids of contracts whose computed rarity no longer holds;
    ``shown``: the new columns of those whose record has to be rendered anew.
    """

    contracts: Mapping[int, ContractRow]
    restated: set[int] = field(default_factory=set)
    marks: list[tuple[int, bool]] = field(default_factory=list)
    moves: list[tuple[int, int, int]] = field(default_factory=list)
    traits: TraitChanges = field(default_factory=TraitChanges)
    rerated: set[int] = field(default_factory=set)
    shown: dict[int, Shown] = field(default_factory=dict)

    def note(
        self, nft_id: int, token_key: str, facts: NftFacts | None, old: Wide, new: Wide, is_new: bool = False
    ) -> None:
        """Take note of a row that has changed from ``old`` to ``new``."""
        moved = old.contract_id != new.contract_id
        if moved:
            self.moves.append((nft_id, old.contract_id, new.contract_id))
        # A new NFT is in no market yet, so that its rarity has no copy to follow.
        watched = _stated if is_new else _replayed
        if watched(old) != watched(new):
            self.restated.add(nft_id)
        if _rated(old) != _rated(new):
            self.rerated |= {old.contract_id, new.contract_id}
        if _shown(old) != _shown(new):
            self.shown[nft_id] = Shown(*_shown(new))
        if old.marked != new.marked:
            self.marks.append((nft_id, new.marked))
        change = TraitChange(nft_id, new.contract_id, token_key, new.rarity_key)
        if facts is not None and facts.traits is not UNSET and (moved or old.metadata != new.metadata):
            self.traits.stated.append((change, facts.traits))
        elif moved:
            self.traits.moved.append(change)
        if not is_new:
            self.traits.known.add(nft_id)
            if old.rarity_key != new.rarity_key:
                self.traits.rekeyed.append((nft_id, new.rarity_key))


def merge(facts: NftFacts, later: NftFacts) -> None:
    """Take over what later facts hold. Owners are stated together with the moment that they are as of."""
    if later.owners is not UNSET:
        facts.as_of_block, facts.as_of = later.as_of_block, later.as_of
    for name in _NAMES:
        value = getattr(later, name)
        if value is not UNSET:
            setattr(facts, name, value)


def unrated(row: Wide) -> Wide:
    """Return the row of an NFT that leaves the collection among whose NFTs its rarity was computed."""
    return row._replace(rarity=None, rarity_key=UNKNOWN_RARITY_KEY, rank=None)


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
    new: dict[str, Any] = {} if facts is None else _said(facts, contract, image_ids)
    is_marked = bool(new.get("own_marked", old.own_marked) or contract.marked)
    return old._replace(contract_id=contract.id, marked=is_marked, **new)


def _said(facts: NftFacts, contract: ContractRow, image_ids: Mapping[str, int]) -> dict[str, Any]:
    """Return what facts say of the row, by column."""
    new = {name: value for name in _PLAIN if (value := getattr(facts, name)) is not UNSET}
    if facts.image_url is not UNSET:
        new["image_id"] = None if facts.image_url is None else image_ids[facts.image_url]
    if facts.media_url is not UNSET:
        new["media_id"] = None if facts.media_url is None else image_ids[facts.media_url]
    if facts.minter is not UNSET:
        new["stated_minter"] = facts.minter
    if facts.markets is not UNSET:
        new["stated_markets"] = json.dumps(sorted(set(facts.markets))) if facts.markets else None
    if facts.marked is not UNSET:
        new["own_marked"] = bool(facts.marked)
    if contract.rarity_computed:  # then what is stated no longer holds
        return new
    if facts.rarity is not UNSET:
        # 0.0 - 0.0 is 0.0, where the negation would be the negative zero
        key = UNKNOWN_RARITY_KEY if facts.rarity is None else 0.0 - facts.rarity
        new |= {"rarity": facts.rarity, "rarity_key": key}
    if facts.rank is not UNSET:
        new["rank"] = facts.rank
    return new
