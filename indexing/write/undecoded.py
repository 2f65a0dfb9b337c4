"""Writes the logs that could not be decoded, and what a node sent that is no log, for the operator to see."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain

from indexing.decode.moves import Undecoded
from indexing.models import UndecodedLog
from indexing.node.logs import Unreadable
from indexing.write.window import Window

SHOWN_DATA_BYTES = 10_000
"""Data of a log that could not be decoded, as far as it is kept beside the evidence."""


def write(chain_id: int, window: Window, of_orders: Sequence[Undecoded] = ()) -> None:
    """Write what of a window, and of its orders, could not be decoded or read, once a place. In ``writing()``."""
    unreadable = [
        one._replace(reason=f"The node sent what is no log: {one.reason}.") for one in window.unreadable
    ]
    rows = {
        (one.transaction_hash, one.log_index): one for one in (*unreadable, *_undecoded(window, of_orders))
    }
    UndecodedLog.objects.bulk_create(
        [
            UndecodedLog(
                chain_id=chain_id,
                block_number=one.block_number,
                transaction_hash=one.transaction_hash,
                log_index=one.log_index,
                address=one.address,
                topics=json.dumps(one.topics),
                data=one.data[: 2 + 2 * SHOWN_DATA_BYTES],
                reason=one.reason,
            )
            for one in rows.values()
        ],
        update_conflicts=True,
        unique_fields=["transaction_hash", "log_index", "chain"],
        update_fields=["block_number", "address", "topics", "data", "reason"],
    )


def _undecoded(window: Window, of_orders: Sequence[Undecoded]) -> Iterator[Unreadable]:
    for log, reason in chain(of_orders, *(reading.decoded.undecoded for reading in window.readings)):
        yield Unreadable(
            log.block_number,
            log.transaction_hash,
            log.log_index,
            log.address,
            log.topics,
            "0x" + log.data.hex(),
            reason,
        )
