"""Writes NFTs: those that facts are about, and those that transfers and asks only mention.

New NFTs get ids in the order in which the lines name them first: ties of every order fall by id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils import timezone

from core.db import bulk
from tokens.metadata.nft_facts import fill
from tokens.models import Ask, MetadataFetch, Nft, NftMarket, NftRecent, Owner
from tokens.rarity import computing as rarity
from tokens.store import contracts as contract_store
from tokens.store import ownership, renderings, traits, wide
from tokens.store.chains import ChainRow
from tokens.store.contracts import ContractRow, Contracts
from tokens.store.facts import UNSET, Identity, NftFacts, Unset

Home = tuple[str, str | None | Unset]
"""Token key of an NFT and the address of its contract, as far as it is said."""


class Mentions:
    """The NFTs that facts name, in the order in which they name them, and the contracts.

    ``homes``: the last address that was said of each NFT, which on a mint-identified chain is its collection's;
    ``contracts``: identity of every contract named.
    """

    def __init__(self) -> None:
        self.homes: dict[Identity, Home] = {}
        self.contracts: dict[tuple[str, str], None] = {}

    def add(self, identity: Identity, token_key: str, address: str | None | Unset) -> None:
        """Take note of an NFT."""
        self.contracts[identity[0], address if isinstance(address, str) else ""] = None
        if address is not UNSET or identity not in self.homes:
            self.homes[identity] = token_key, address


class NftRow(NamedTuple):
    """What other rows need to know of their NFT."""

    id: int
    contract_id: int
    chain_id: int


@dataclass
class NftIds:
    """The NFTs that a batch names.

    ``changed``: ids of those whose derived values must be made anew, since what is stated of them has changed;
    ``moved``: ids of those that belong to another collection now; ``restated``: contracts with another standard;
    ``mentioned``: ids of those that no source has ever named for itself;
    ``fresh``: new ones that have a transfer, whose rows of what transfers change are left to who writes the transfer;
    ``bare``: those of them of which nothing is stated, each with its rarity key and who minted it.
    """

    rows: dict[Identity, NftRow] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    restated: set[int] = field(default_factory=set)
    mentioned: set[int] = field(default_factory=set)
    fresh: dict[int, tuple[int, int, str, bool]] = field(default_factory=dict)
    bare: dict[int, tuple[float, str | None]] = field(default_factory=dict)


def write(
    facts: Iterable[NftFacts],
    homes: Mapping[Identity, Home],
    contracts: Contracts,
    chains: Mapping[str, ChainRow],
    transferred: Mapping[Identity, str | None],
    named: Collection[Identity] = (),
) -> NftIds:
    """Write NFTs. ``homes`` names every NFT of the batch in the order of lines, those of ``facts`` too.

    ``named``: those of which another source than the chain says for itself that they are, so that they stay whatever
    becomes of their transfers; others stay while something else names them.

    NFTs that are new and in ``transferred`` are written as having a transfer, which must follow, and as minted by
    whom it names. It saves writing their wide rows, with all their indexes, a second time. Their ``NftRecent`` rows
    (contract, chain, token key and mark of each are in ``fresh``) are the caller's to write.
    """
    found = NftIds()
    told = _merged(_as_written(one, contracts) for one in facts)
    existing, unstated = _existing(homes, contracts, chains)
    fresh = [identity for identity in homes if identity not in existing]
    ids = bulk.take_ids(Nft, len(fresh))
    for identity, row_id in zip(fresh, ids, strict=True):
        contract, chain_id = _home(homes[identity][1], identity, contracts, chains)
        found.rows[identity] = NftRow(row_id, contract.id, chain_id)
    found.rows.update(existing)
    moves = _moves(existing, homes, contracts)
    changes = wide.Changes(contracts={row.id: row for row in contracts.rows.values()})
    own = set(named)
    _create(fresh, told, found, changes, transferred, own)
    bulk.update_rows(Nft, ("id", "stated"), [(unstated[one], True) for one in unstated.keys() & own])
    found.mentioned = {found.rows[one].id for one in {*fresh, *unstated} - own}
    _update(existing, told, moves, found, changes)
    ownership.write({found.rows[identity].id: one for identity, one in told.items()}, found.changed)
    _restate(told, found)
    return found


def _as_written(one: NftFacts, contracts: Contracts) -> NftFacts:
    """Return facts without the token id in what they say of an ERC-721: there one document is for one token."""
    if one.as_written is not UNSET and contracts[one.identity[0], one.identity[1]].standard == "ERC721":
        fill(one, one.as_written)
    return one


def _merged(facts: Iterable[NftFacts]) -> dict[Identity, NftFacts]:
    """Merge facts of the same NFT: the later ones win for what they hold."""
    merged: dict[Identity, NftFacts] = {}
    for one in facts:
        before = merged.setdefault(one.identity, one)
        if before is not one:
            wide.merge(before, one)
    return merged


def _home(
    address: str | None | Unset, identity: Identity, contracts: Contracts, chains: Mapping[str, ChainRow]
) -> tuple[ContractRow, int]:
    slug = identity[0]
    return contracts[slug, address if isinstance(address, str) else ""], chains[slug].id


def _existing(
    homes: Mapping[Identity, Home], contracts: Contracts, chains: Mapping[str, ChainRow]
) -> tuple[dict[Identity, NftRow], dict[Identity, int]]:
    """Return the NFTs that are known, and the ids of those that no source has named for itself so far."""
    by_contract, by_chain = {}, {}
    ids = {identity: row.id for identity, row in contracts.rows.items()}
    for identity, (token_key, address) in homes.items():
        if len(identity) == 2:
            by_chain[chains[identity[0]].id, token_key] = identity
        else:
            assert isinstance(address, str)
            by_contract[ids[identity[0], address], token_key] = identity
    columns = ("id", "contract_id", "chain_id", "token_key", "stated")
    rows, unstated = {}, {}
    known = bulk.rows_by(Nft, ("contract_id", "token_key"), list(by_contract), columns)
    minted = bulk.rows_by(Nft, ("chain_id", "token_key"), list(by_chain), columns)
    for row_id, contract_id, chain_id, token_key, is_stated in [*known, *minted]:
        identity = by_contract.get((contract_id, token_key)) or by_chain[chain_id, token_key]
        rows[identity] = NftRow(row_id, contract_id, chain_id)
        if not is_stated:
            unstated[identity] = row_id
    return rows, unstated


def _moves(
    existing: Mapping[Identity, NftRow], homes: Mapping[Identity, Home], contracts: Contracts
) -> dict[Identity, ContractRow]:
    """Return the new collection of each known NFT that a line puts into another one."""
    moves: dict[Identity, ContractRow] = {}
    for identity, row in existing.items():
        address = homes[identity][1]
        if len(identity) == 2 and address is not UNSET:
            contract = contracts[identity[0], address or ""]
            if contract.id != row.contract_id:
                moves[identity] = contract
    return moves


def _create(
    fresh: Sequence[Identity],
    stated: Mapping[Identity, NftFacts],
    found: NftIds,
    changes: wide.Changes,
    transferred: Mapping[Identity, str | None],
    own: Collection[Identity],
) -> None:
    images = wide.images(stated[identity] for identity in fresh if identity in stated)
    rows, recent = [], []
    for identity in fresh:
        nft = found.rows[identity]
        old = wide.Wide(nft.contract_id)
        new = wide.applied(stated.get(identity), old, changes.contracts[nft.contract_id], images)
        token_key = identity[-1]
        minter = new.stated_minter or transferred.get(identity)
        rows.append((nft.id, nft.chain_id, token_key, identity in transferred, minter, identity in own, *new))
        if identity in transferred:
            found.fresh[nft.id] = nft.contract_id, nft.chain_id, token_key, new.marked
            if identity not in stated:
                found.bare[nft.id] = new.rarity_key, minter
        else:
            recent.append((nft.id, nft.contract_id, nft.chain_id, token_key, new.marked))
        changes.note(nft.id, token_key, stated.get(identity), old, new, is_new=True)
    columns = ("id", "chain_id", "token_key", "transferred", "minter", "stated", *wide.COLUMNS)
    bulk.copy_rows(Nft, columns, rows)
    bulk.copy_rows(NftRecent, ("nft_id", "contract_id", "chain_id", "token_key", "marked"), recent)
    contract_store.count_nfts(Counter(found.rows[identity].contract_id for identity in fresh))
    _follow(changes, found)


def _update(
    existing: Mapping[Identity, NftRow],
    stated: Mapping[Identity, NftFacts],
    moves: Mapping[Identity, ContractRow],
    found: NftIds,
    created: wide.Changes,
) -> None:
    touched = {identity: row for identity, row in existing.items() if identity in stated or identity in moves}
    if not touched:
        return
    changes = wide.Changes(contracts=wide.with_contracts(created.contracts, touched.values()))
    images = wide.images(stated[identity] for identity in touched if identity in stated)
    stored = {
        row[0]: wide.Wide(*row[1:])
        for row in bulk.rows_by(Nft, ("id",), [(row.id,) for row in touched.values()], ("id", *wide.COLUMNS))
    }
    updates = []
    for identity, row in touched.items():
        contract = moves.get(identity) or changes.contracts[row.contract_id]
        old = stored[row.id]
        leaves = contract.id != row.contract_id and changes.contracts[row.contract_id].rarity_computed
        before = wide.unrated(old) if leaves else old
        new = wide.applied(stated.get(identity), before, contract, images)
        if new != old:
            updates.append((row.id, *new))
            changes.note(row.id, identity[-1], stated.get(identity), old, new)
            found.rows[identity] = row._replace(contract_id=contract.id)
    bulk.update_rows(Nft, ("id", *wide.COLUMNS), updates)
    bulk.update_rows(NftRecent, ("nft_id", "marked"), changes.marks)
    _move(changes, found)
    _follow(changes, found)


def _follow(changes: wide.Changes, found: NftIds) -> None:
    """Write what follows from changed rows, and tell of what the caller is to derive anew."""
    found.changed |= changes.restated
    traits.write(changes.traits)
    renderings.write(changes.shown)
    rarity.changed(changes.rerated, timezone.now(), known_only=True)


def _move(changes: wide.Changes, found: NftIds) -> None:
    """Have the copies of an NFT's collection follow it."""
    rows = [(nft_id, new) for nft_id, _, new in changes.moves]
    for model in (NftRecent, NftMarket, Ask, Owner, MetadataFetch):
        bulk.update_rows(model, ("nft_id", "contract_id"), rows)
    counts = Counter(new for _, _, new in changes.moves)
    counts.subtract(old for _, old, _ in changes.moves)
    contract_store.count_nfts(counts)
    found.moved |= {nft_id for nft_id, _ in rows}


def _restate(stated: Mapping[Identity, NftFacts], found: NftIds) -> None:
    """Write the standards that were stated with an NFT whose contract only its row names."""
    standards = {
        found.rows[identity].contract_id: facts.standard or ""
        for identity, facts in stated.items()
        if facts.standard is not UNSET
    }
    found.restated |= contract_store.set_standards(standards)
