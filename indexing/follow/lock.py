"""One indexer a chain."""

from __future__ import annotations

from contextlib import AbstractContextManager

from core.db import locks
from tokens.store.chains import ChainRow

INDEXER_LOCK = 730_512_187
"""First key of the advisory locks of indexers on PostgreSQL; the second one is the chain's row."""


class AlreadyIndexedError(Exception):
    """Another process indexes this chain."""


def only_indexer(chain: ChainRow) -> AbstractContextManager[None]:
    """Hold the lock of a chain for the length of a block, which raises :class:`AlreadyIndexedError`."""
    fault = AlreadyIndexedError(f"Another process indexes {chain.slug} into this database.")
    return locks.alone(f"index-{chain.slug}", _keys(chain), fault)


def is_held(chain: ChainRow) -> bool:
    """Tell whether this connection still holds the lock: it goes when the connection was lost in between."""
    return locks.is_held(_keys(chain))


def _keys(chain: ChainRow) -> locks.Keys:
    return INDEXER_LOCK, chain.id
