"""What follows from transfers, statements and asks: last transfer, markets, minter, owners, active asks, postings.

Everything is a function of what is stored, whatever the order in which it came: an NFT whose new transfers all lie
after those it had is brought up to date by them alone, any other is derived from all its transfers again.
"""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

from nftsite.db import bulk
from nftsite.db.keys import NEVER
from nftsite.db.writing import writing
from tokens.models import Contract, Nft, NftRecent, NftTraitRecent, StatedOwnership
from transfers.models import Transfer
from transfers.store import trading
from transfers.store.holdings import Case, append_all, replay_all, statement_of
from transfers.store.owners import NOBODY, Event, Statement, chain_order
from transfers.store.transfers import Moves, events_of

T = TypeVar("T")

CHUNK = 5000
"""NFTs derived at once."""

REPLAY_CHUNK = 500
"""NFTs whose transfers are all read at once."""


class _Nft(NamedTuple):
    """An NFT as stored: what is derived, and what it is derived from."""

    id: int
    chain_id: int
    contract_id: int
    token_key: str
    rarity_key: float
    stated_minter: str | None
    minter: str | None
    stated_markets: str | None
    transferred: bool
    recent_key: str
    last_transfer_id: int | None
    markets: str
    owners_total: int | None
    standard: str
    statement: Statement | None


class _Derived(NamedTuple):
    """The values that are derived from an NFT's transfers."""

    recent_key: str
    last_transfer_id: int | None
    markets: str
    owners_total: int | None
    transferred: bool
    minter: str | None


def refresh(*, moves: Moves | None = None, restated: Iterable[int] = (), asked: Iterable[int] = ()) -> None:
    """Derive anew what batches of writes may have changed; what is right already is not written.

    ``moves`` is what ``transfers.write`` returned. ``restated`` are ids of NFTs whose stated owners, minter, markets,
    rarity or contract's standard may have changed, ``asked`` those whose asks have. Called within ``writing()``, in
    the same transaction as those writes.
    """
    moves = moves or Moves()
    whole = moves.changed | set(restated)
    for ids in _chunks(sorted(whole | moves.arrived.keys() | set(asked)), CHUNK):
        _refresh_chunk(ids, moves, whole)


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


def _refresh_chunk(ids: Sequence[int], moves: Moves, whole: set[int]) -> None:
    nfts = _read(ids)
    derived = {nft.id: _as_stored(nft) for nft in nfts}
    later, again = [], []
    for nft in nfts:
        arrived = moves.arrived.get(nft.id)
        if nft.id in whole or (arrived and not all(event.recent_key < nft.recent_key for event in arrived)):
            again.append(nft)
        elif arrived:
            later.append(nft)
    again += _append(later, moves, derived)
    for some in _chunks(again, REPLAY_CHUNK):
        _replay(some, derived)
    _save(nfts, derived)
    trading.refresh([_trade(nft, derived[nft.id]) for nft in nfts])


def _append(nfts: Sequence[_Nft], moves: Moves, derived: dict[int, _Derived]) -> list[_Nft]:
    """Bring NFTs up to date by new transfers that lie after all they had; return those that it takes more for."""
    events = {nft.id: chain_order(moves.arrived[nft.id]) for nft in nfts}
    undecided = [nft for nft in nfts if _minter_is_open(nft, events[nft.id])]
    left = {nft.id for nft in undecided}
    cases = [
        Case(nft.id, nft.standard, nft.statement, nft.owners_total, events[nft.id])
        for nft in nfts
        if nft.id not in left
    ]
    totals, beyond = append_all(cases)
    left.update(beyond)
    for nft in nfts:
        if nft.id in left:
            continue
        new = events[nft.id]
        before = () if nft.markets == "[]" else _slugs(nft.markets)
        derived[nft.id] = _Derived(
            recent_key=new[-1].recent_key,
            last_transfer_id=new[-1].id,
            markets=_markets(nft, new, before),
            owners_total=totals[nft.id],
            transferred=True,
            minter=nft.minter if nft.minter is not None else _minter(nft, new),
        )
    return [nft for nft in nfts if nft.id in left]


def _replay(nfts: Sequence[_Nft], derived: dict[int, _Derived]) -> None:
    """Derive NFTs from all their transfers."""
    events: dict[int, list[Event]] = {nft.id: [] for nft in nfts}
    for event in events_of(events):
        events[event.nft_id].append(event)
    ordered = {nft_id: chain_order(found) for nft_id, found in events.items()}
    cases = [Case(nft.id, nft.standard, nft.statement, nft.owners_total, ordered[nft.id]) for nft in nfts]
    totals = replay_all(cases)
    for nft in nfts:
        found = ordered[nft.id]
        last = found[-1] if found else None
        derived[nft.id] = _Derived(
            recent_key=NEVER if last is None else last.recent_key,
            last_transfer_id=None if last is None else last.id,
            markets=_markets(nft, found, ()),
            owners_total=totals[nft.id],
            transferred=bool(found),
            minter=_minter(nft, found),
        )


def _read(ids: Sequence[int]) -> list[_Nft]:
    sql, parameter = bulk.id_list(ids)
    rows = bulk.fetch(
        "SELECT n.id, n.chain_id, n.contract_id, n.token_key, n.rarity_key, n.stated_minter, n.minter, "
        "n.stated_markets, n.transferred, r.recent_key, r.last_transfer_id, r.markets, r.owners_total, c.standard, "
        f"s.owners, s.as_of_block, s.as_of, s.pending FROM {sql} wanted "
        f"CROSS JOIN {Nft._meta.db_table} n CROSS JOIN {NftRecent._meta.db_table} r "
        f"CROSS JOIN {Contract._meta.db_table} c "
        f"LEFT JOIN {StatedOwnership._meta.db_table} s ON s.nft_id = n.id "
        "WHERE n.id = wanted.id AND r.nft_id = n.id AND c.id = n.contract_id",
        [parameter],
    )
    return [_Nft._make((*row[:14], statement_of(*row[14:]))) for row in rows]


def _as_stored(nft: _Nft) -> _Derived:
    return _Derived(
        nft.recent_key,
        nft.last_transfer_id,
        nft.markets,
        nft.owners_total,
        bool(nft.transferred),
        nft.minter,
    )


def _save(nfts: Sequence[_Nft], derived: dict[int, _Derived]) -> None:
    """Write what differs from what is stored."""
    recents, keys, wide = [], [], []
    for nft in nfts:
        before, after = _as_stored(nft), derived[nft.id]
        if before[:4] != after[:4]:
            recents.append((nft.id, *after[:4]))
        if before.recent_key != after.recent_key:
            keys.append((nft.id, after.recent_key))
        if before[4:] != after[4:]:
            wide.append((nft.id, *after[4:]))
    columns = ("nft_id", "recent_key", "last_transfer_id", "markets", "owners_total")
    bulk.update_rows(NftRecent, columns, recents)
    bulk.update_rows(NftTraitRecent, ("nft_id", "recent_key"), keys)
    bulk.update_rows(Nft, ("id", "transferred", "minter"), wide)


def _trade(nft: _Nft, derived: _Derived) -> trading.Trade:
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


def _markets(nft: _Nft, events: Iterable[Event], before: Iterable[str]) -> str:
    """Return the JSON of all marketplaces: stated, those known before, and those of the events; sorted."""
    texts = {event.markets for event in events}
    if nft.stated_markets is not None:
        texts.add(nft.stated_markets)
    slugs = set(before).union(*map(_slugs, texts))
    return json.dumps(sorted(slugs), separators=(",", ":"))


@lru_cache(maxsize=10_000)
def _slugs(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _minter(nft: _Nft, events: Iterable[Event]) -> str | None:
    """Return the stated minter, else the sender of the earliest mint's transaction; never the zero address."""
    if nft.stated_minter is not None:
        return nft.stated_minter
    first = next((event for event in events if event.is_mint), None)
    return None if first is None or first.transaction_from in NOBODY else first.transaction_from


def _minter_is_open(nft: _Nft, events: Iterable[Event]) -> bool:
    """Tell whether a mint that has now come might not be the first: there were transfers, and no minter is known."""
    if nft.minter is not None or nft.recent_key == NEVER or nft.stated_minter is not None:
        return False
    return any(event.is_mint and event.transaction_from is not None for event in events)


def _chunks(items: Collection[T], size: int) -> Iterator[list[T]]:
    walk = iter(items)
    while some := list(islice(walk, size)):
        yield some
