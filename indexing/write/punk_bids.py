"""Bids for punks in the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from core.db import bulk
from core.db.keys import UINT256_MAX, uint_from_key, uint_key
from indexing import models
from indexing.decode.punks import PunkBid, PunkBids

_COLUMNS = ("chain_id", "block_number", "log_index", "contract_address", "token_key", "bidder", "value")


def load(chain_id: int, contracts: Collection[str] | None = None) -> PunkBids:
    """Return the bids that are stored of a chain: all, or those for punks of some contracts."""
    rows = models.PunkBid.objects.filter(chain_id=chain_id).order_by("block_number", "log_index")
    if contracts is not None:
        rows = rows.filter(contract_address__in=contracts)
    columns = ("contract_address", "token_key", "bidder", "value", "block_number", "log_index")
    found = PunkBids()
    found.add(
        PunkBid(contract, uint_from_key(token_key), bidder, int(value), *place)
        for contract, token_key, bidder, value, *place in rows.values_list(*columns)
    )
    return found


def write(chain_id: int, bids: Iterable[PunkBid]) -> None:
    """Write bids that are not stored yet. Called within ``writing()``."""
    rows = {
        (chain_id, one.block_number, one.log_index): (
            one.contract,
            uint_key(one.token_id),
            one.bidder,
            uint_key(min(one.value, UINT256_MAX)),
        )
        for one in bids
    }
    for key in bulk.rows_by(models.PunkBid, _COLUMNS[:3], list(rows), _COLUMNS[:3]):
        del rows[key]
    bulk.copy_rows(models.PunkBid, _COLUMNS, [(*key, *row) for key, row in rows.items()])
