"""What follows from transfers, statements and asks: last transfer, markets, minter, owners, active asks, postings.

Everything is a function of what is stored, whatever the order in which it came: an NFT whose new transfers all lie
after those it had is brought up to date by them alone, any other is derived from all its transfers again.
"""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils import timezone

from core.batches import batched
from core.db import bulk
from core.db.keys import NEVER, recency_parts
from core.db.writing import writing
from core.memo import cached_if_short
from tokens.models import StatedOwnership
from tokens.store import fetches, wide_holders
from tokens.store.wide_holders import Moved
from transfers.ledger import derived_rows, openings, past, trading
from transfers.ledger.derived_rows import Derived, DerivedNft, Fresh
from transfers.ledger.holdings import Case, append_all, replay_all
from transfers.ledger.ledger import NOBODY, Event, Held, chain_order
from transfers.ledger.openings import Openings
from transfers.ledger.owners import minting
from transfers.ledger.transfers import TransferChanges
from transfers.models import Transfer

CHUNK = 10_000
"""NFTs derived at once."""

REPLAY_CHUNK = 500
"""NFTs whose transfers are all read at once."""


def refresh(
    *,
    changes: TransferChanges | None = None,
    restated: Iterable[int] = (),
    asked: Iterable[int] = (),
    fresh: Fresh | None = None,
    opened: Openings | None = None,
    bare: Mapping[int, DerivedNft] | None = None,
) -> None:
    """Derive anew what a batch of writes may have changed; what is right already is not written.

    ``changes`` is what ``transfers.write`` returned. ``restated`` are ids of NFTs whose stated owners, minter, markets,
    rarity or contract's standard may have changed, ``asked`` those whose asks have. ``fresh`` are NFTs that this very
    batch created without their ``NftRecent`` rows. ``opened`` are new openings, ``bare`` those of the
    fresh ones that need not be read. Called within ``writing()``, in the transaction of those writes.
    """
    touched = _Touched(
        changes or TransferChanges(), set(restated), set(asked), fresh or {}, opened or {}, bare or {}
    )
    for ids in batched(touched.nft_ids(), CHUNK):
        _refresh_chunk(ids, touched)


class _Touched(NamedTuple):
    """What ``refresh`` was called with."""

    changes: TransferChanges
    restated: set[int]
    asked: set[int]
    fresh: Fresh
    opened: Openings
    bare: Mapping[int, DerivedNft]

    def nft_ids(self) -> list[int]:
        touched = self.changes.nft_ids | self.restated | self.asked
        return sorted(touched | self.fresh.keys() | self.opened.keys())

    def is_whole(self, nft: DerivedNft) -> bool:
        """Whether it takes all transfers of the NFT: an old one changed, or a new one does not lie after all others."""
        if nft.id in self.restated or nft.id in self.changes.changed or nft.is_open:
            return True
        newest = nft.stored.recent_key
        if nft.id in self.opened and not (
            nft.id in self.changes.arrived and _are_later(self.opened[nft.id], newest)
        ):
            return True
        return any(event.recent_key >= newest for event in self.changes.arrived.get(nft.id, ()))


def _are_later(held: Iterable[Held], newest: str) -> bool:
    """Tell whether openings are of later blocks than the transfer with a recency key, and all tell amounts."""
    last = -1 if newest == NEVER else recency_parts(newest)[1]
    return all(one.amount is not None and one.block > last for one in held)


def settle() -> None:
    """Fix the block as of which ownership was stated, for statements that name none: their NFT's newest block now.

    To be called when a file has been loaded. Opens its own transactions, in chunks: one that is cut short is finished
    by the next call.
    """
    table, transfers = StatedOwnership._meta.db_table, Transfer._meta.db_table
    newest = f"SELECT max(block_number) FROM {transfers} t WHERE t.nft_id = {table}.nft_id"
    while True:
        with writing():
            pending = f"SELECT nft_id FROM {table} WHERE pending ORDER BY nft_id LIMIT {CHUNK}"
            ids = [row[0] for row in bulk.fetch(pending)]
            if not ids:
                return
            sql, parameter = bulk.id_list(ids)
            bulk.run(
                f"UPDATE {table} SET as_of_block = COALESCE(({newest}), 0), pending = %s "
                f"WHERE nft_id IN (SELECT id FROM {sql} wanted)",
                [False, parameter],
            )


def _refresh_chunk(ids: Sequence[int], touched: _Touched) -> None:
    read = {nft.id: nft for nft in derived_rows.read([one for one in ids if one not in touched.bare])}
    read.update((one, touched.bare[one]) for one in ids if one in touched.bare)
    nfts = {one: read[one] for one in ids if one in read}
    derived: dict[int, Derived] = {}
    moved: dict[int, Moved] = {}
    new, later, again = [], [], []
    for nft in nfts.values():
        if nft.id in touched.fresh and nft.id not in touched.changes.changed:
            new.append(nft)  # none of its transfers was another's
        elif touched.is_whole(nft):
            again.append(nft)
        elif nft.id in touched.changes.arrived:
            later.append(nft)
    arrived = {nft.id: touched.changes.arrived.get(nft.id, []) for nft in new}
    _derive(new, arrived, derived, touched.opened, moved, new=True)
    again += _append(later, touched, derived, moved)
    for some in batched(again, REPLAY_CHUNK):
        events = past.histories(nft.id for nft in some)
        _derive(some, events, derived, openings.read(events), moved)
    derived_rows.save(nfts.values(), derived, touched.fresh)
    _request_metadata(nfts.values(), derived, touched)

    def trade_of(nft_id: int) -> trading.Trade:
        return _trade(nfts[nft_id], derived.get(nft_id, nfts[nft_id].stored))

    known = [nft_id for nft_id in nfts if nft_id not in touched.fresh or nft_id in touched.asked]
    traded = [nft_id for nft_id, values in derived.items() if values.markets != "[]"]
    # What was derived anew from all transfers may have lost some, and asks that these ended may be open again.
    whole = touched.asked | {nft.id for nft in again}
    wide = trading.refresh(known, whole, traded, moved, trade_of)
    wide_holders.widen(moved, wide)


def _append(
    nfts: Sequence[DerivedNft], touched: _Touched, derived: dict[int, Derived], moved: dict[int, Moved]
) -> list[DerivedNft]:
    """Bring NFTs up to date by new transfers that lie after all they had; return those that it takes more for."""
    events = {nft.id: chain_order(touched.changes.arrived[nft.id]) for nft in nfts}
    left = {nft.id for nft in nfts if _minter_is_open(nft, events[nft.id])}
    cases = [_case(nft, events[nft.id], touched.opened) for nft in nfts if nft.id not in left]
    found, beyond = append_all(cases, moved)
    left.update(beyond)
    for nft in nfts:
        if nft.id in left:
            continue
        new = events[nft.id]
        derived[nft.id] = Derived(
            recent_key=new[-1].recent_key,
            last_transfer_id=new[-1].id,
            markets=_markets(nft, new, nft.stored.markets),
            owners_total=found[nft.id].total,
            transferred=True,
            minter=nft.stored.minter if found[nft.id].born is None else _minter(nft, found[nft.id].born),
        )
    return [nft for nft in nfts if nft.id in left]


def _derive(
    nfts: Sequence[DerivedNft],
    events: Mapping[int, Sequence[Event]],
    derived: dict[int, Derived],
    opened: Openings,
    moved: dict[int, Moved],
    new: bool = False,
) -> None:
    """Derive NFTs from all their transfers; ``new``: nothing is derived of them yet."""
    ordered = {nft_id: chain_order(found) for nft_id, found in events.items()}
    cases = [_case(nft, ordered[nft.id], opened) for nft in nfts]
    totals = replay_all(cases, moved, new)
    for nft in nfts:
        found = ordered[nft.id]
        last = found[-1] if found else None
        derived[nft.id] = Derived(
            recent_key=NEVER if last is None else last.recent_key,
            last_transfer_id=None if last is None else last.id,
            markets=_markets(nft, found),
            owners_total=totals[nft.id],
            transferred=bool(found),
            minter=_minter(nft, minting(found, nft.standard, nft.statement, opened.get(nft.id, ()))),
        )


def _case(nft: DerivedNft, events: Sequence[Event], opened: Openings) -> Case:
    held = opened.get(nft.id, ())
    return Case(nft.id, nft.contract_id, nft.standard, nft.statement, nft.stored.owners_total, events, held)


def _request_metadata(nfts: Iterable[DerivedNft], derived: Mapping[int, Derived], touched: _Touched) -> None:
    """Have the metadata read of NFTs with their first transfer, and again of those minted anew after a burn.

    Some were asked for before their first transfer, and their contract knew no such token then.
    """
    created, first, minted = [], [], []
    for nft in nfts:
        if nft.token_key >= NEVER:  # a mint: its metadata comes by `load` or from a DAS node
            continue
        is_new = nft.id in touched.fresh or not nft.stored.transferred
        if is_new and not nft.has_metadata and derived.get(nft.id, nft.stored).transferred:
            one = fetches.Met(nft.id, nft.contract_id, nft.chain_id)
            if nft.id in touched.fresh:
                created.append(one)
            else:
                first.append(one)
                minted.append(nft.id)
        elif not is_new and any(event.is_mint for event in touched.changes.arrived.get(nft.id, ())):
            minted.append(nft.id)
    if created or first or minted:
        now = timezone.now()
        fetches.created(created, now)
        fetches.met(first, now)
        fetches.request_absent(minted, now)


def _trade(nft: DerivedNft, derived: Derived) -> trading.Trade:
    return trading.Trade(
        nft.id,
        nft.contract_id,
        nft.chain_id,
        nft.standard,
        derived.owners_total is not None,
        _slugs(derived.markets),
        derived.recent_key,
        nft.token_key,
        nft.rarity_key,
    )


def _markets(nft: DerivedNft, events: Iterable[Event], before: str = "[]") -> str:
    """Return the JSON of all marketplaces: stated, those known before, and those of the events; sorted."""
    texts = {event.markets for event in events}
    texts.add(before)
    if nft.stated_markets is not None:
        texts.add(nft.stated_markets)
    if len(texts) == 1:
        return before
    slugs: set[str] = set().union(*map(_slugs, texts))
    return json.dumps(sorted(slugs), separators=(",", ":"))


@cached_if_short(maxsize=5_000, longest=300)
def _slugs(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _minter(nft: DerivedNft, mint: Event | None) -> str | None:
    """Return the stated minter, else the sender of the transaction with this mint; never the zero address."""
    if nft.stated_minter is not None:
        return nft.stated_minter
    return None if mint is None or mint.transaction_from in NOBODY else mint.transaction_from


def _minter_is_open(nft: DerivedNft, events: Iterable[Event]) -> bool:
    """Tell whether a mint has now come of an NFT of which no minter is known: others may have been before it."""
    if nft.stored.minter is not None:
        return False
    return any(event.is_mint and event.transaction_from is not None for event in events)
