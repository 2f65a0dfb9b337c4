"""Listings that sales name, and bids in them, as the order events in the database have them."""

from __future__ import annotations

import json
from collections.abc import Collection

from core.db import bulk
from indexing.judge.markets.listings import KINDS, Listings, Noted
from indexing.models import IndexedChain
from transfers.ledger.order_facts import OrderKind
from transfers.models import OrderEvent

_COLUMNS = ("order_hash", "block_number", "log_index", "kind", "maker", "detail")


def load(chain_id: int, names: Collection[str] | None = None) -> Listings:
    """Return what is stored of a chain's listings: of all, or of those with some names.

    While what was said before indexing began is still being read, listings from before that place are left out: bids in
    them may be missing, and a listing without a bid sold nothing.
    """
    if names is None:
        kinds = ", ".join(f"'{kind}'" for kind in KINDS)  # written out: so their index is used
        rows = bulk.fetch(
            f"SELECT {', '.join(_COLUMNS)} FROM {OrderEvent._meta.db_table} "  # noqa: S608 - the models' own names
            f"WHERE chain_id = %s AND kind IN ({kinds})",
            [chain_id],
        )
    else:
        keys = [(name, chain_id) for name in names]
        rows = bulk.rows_by(OrderEvent, ("order_hash", "chain_id"), keys, _COLUMNS)
    since = _complete_since(chain_id)
    return Listings(_noted(*row) for row in rows if row[3] in KINDS and row[1] >= since)


def _noted(name: str, block: int, log_index: int, kind: str, maker: str | None, detail: str) -> Noted:
    told = json.loads(detail)
    is_bid = kind == OrderKind.BID
    return Noted(name, block, log_index, is_bid, maker, told.get("currency"), told.get("price"))


def _complete_since(chain_id: int) -> int:
    """Return the block from which on all that was said of orders is stored."""
    row = IndexedChain.objects.filter(chain_id=chain_id).values_list("orders_next", "orders_end").first()
    following, end = row or (None, None)
    return following if following is not None and end is not None and following < end else 0
