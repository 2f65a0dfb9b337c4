"""Asks brought into line with what they follow from (``ask_causes``): read by NFT, and written where they differ."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable

from core.db import bulk
from core.db.keys import uint_key
from tokens.models import Ask
from transfers.ledger.ask_causes import Facts, Row, Traded

_DERIVED = ("reflects", "amount", "status", "reason", "check_at", "active", "sole")


def settle(
    nft_ids: Collection[int], whole: Collection[int], of_nft: Callable[[int], Traded]
) -> dict[int, set[int]]:
    """Bring the asks of NFTs into line; return the marketplaces by NFT where one is active and has not ended.

    Of the NFTs in ``whole`` those that ended are worked out anew too: fills or events of them came or went. Called
    within ``writing()``.
    """
    rows = _read(nft_ids, whole)
    facts = Facts(rows, {nft_id: of_nft(nft_id) for nft_id in {row.nft_id for row in rows}})
    after = {row.id: facts.state_of(row) for row in rows}
    alone = Counter(row.nft_id for row in rows if after[row.id].active)
    changed = []
    asked: dict[int, set[int]] = defaultdict(set)
    now = time.time()
    for row in rows:
        found = after[row.id]
        sole = found.active and alone[row.nft_id] == 1
        reflects = row.reflects or json.dumps(sorted(facts.transactions(row)), separators=(",", ":"))
        amount = None if found.amount is None else uint_key(found.amount)
        # It wakes to what nobody asked for yet.
        check_at = 0 if found.active and not row.active else row.check_at
        values = (reflects, amount, found.status, found.reason, check_at, found.active, sole)
        if values != (*row[-7:-2], bool(row.active), bool(row.sole)):
            changed.append((row.id, *values))
        if found.active and row.valid_until > now:
            asked[row.nft_id].add(row.market_id)
    bulk.update_rows(Ask, ("id", *_DERIVED), changed)
    return asked


def of_orders(orders: Iterable[tuple[str, int]]) -> set[int]:
    """Return the NFTs of the asks of orders, named by hash and chain."""
    rows = bulk.rows_by(Ask, ("order_hash", "chain_id"), list(set(orders)), ("nft_id",))
    return {row[0] for row in rows}


def _read(nft_ids: Collection[int], whole: Collection[int]) -> list[Row]:
    columns = ", ".join(f"a.{name}" for name in Row._fields)
    rows: list[Row] = []
    for ids, condition in (
        ([one for one in nft_ids if one not in whole], "a.status = 'open'"),
        ([one for one in nft_ids if one in whole], "true"),
    ):
        if ids:
            sql, parameter = bulk.id_list(ids)
            found = bulk.fetch(
                f"SELECT {columns} FROM {sql} wanted CROSS JOIN {Ask._meta.db_table} a "
                f"WHERE a.nft_id = wanted.id AND {condition}",
                [parameter],
            )
            rows += map(Row._make, found)
    return rows
