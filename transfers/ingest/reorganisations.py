"""Follows the chain when it changes its mind: finds the last block that still stands, and takes back the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nftsite.batches import batched
from tokens.store.chains import ChainRow
from transfers.ingest.checkpoints import first_block, stored_blocks
from transfers.ingest.rewind import rewind
from transfers.ingest.source import Source
from transfers.ingest.transactions import Header

LOOKS = 5
"""Times that a node is asked again which is behind what is indexed, before its shorter chain is believed."""

AT_ONCE = 50


class ReorganisedError(Exception):
    """The chain has changed while it was read."""


class DeepReorganisationError(Exception):
    """The chain changed deeper than block hashes are kept."""


def follow(chain: ChainRow, source: Source, head: int, sleep: Callable[[float], None]) -> int | None:
    """Compare the blocks that are kept with the node's, and rewind to the last one that both have, if need be.

    ``head`` is the node's newest block. Returns the block to which was rewound, ``None`` where all stands: the one
    before the first that is indexed where all of them are kept and none stands (-1 if that is block 0). Raises
    :class:`DeepReorganisationError` when no kept block stands, and there were others before.
    """
    stored = stored_blocks(chain)
    if not stored:
        return None
    newest = _header(source, stored[0][0], head)
    for _ in range(LOOKS):
        if newest is not None:
            break
        # Behind a load balancer one node may lag; only a chain that stays shorter has lost its newest blocks.
        sleep(1.0)
        head = source.node.block_number()
        newest = _header(source, stored[0][0], head)
    if newest is not None and newest.hash == stored[0][1]:
        return None
    last_good = _last_standing(stored, source, head)
    if last_good is None and stored[-1][0] <= (begun := first_block(chain)):
        last_good = begun - 1  # indexing has but begun, and nothing before it was looked at
    if last_good is None:
        raise DeepReorganisationError(
            f"{chain.slug} was reorganised deeper than block hashes are kept: not even block {stored[-1][0]:,} stands. "
            f"Take back what is indexed to a block before the fork, say a thousand earlier, and index again: manage.py "
            f"index --chain {chain.slug} --rewind-to {max(stored[-1][0] - 1_000, 0)}"
        )
    rewind(chain, last_good)
    return last_good


def _header(source: Source, number: int, head: int) -> Header | None:
    """Return the header of a block, ``None`` where the node has none."""
    return source.headers([number])[0] if number <= head else None


def _last_standing(stored: Sequence[tuple[int, str]], source: Source, head: int) -> int | None:
    """Return the newest of the kept blocks that the node has too; ``None`` when it has none of them."""
    below = [pair for pair in stored if pair[0] <= head]
    for part in batched(below, AT_ONCE):
        headers: Sequence[Header | None] = source.headers([number for number, _ in part])
        for (number, hash_), found in zip(part, headers, strict=True):
            if found is not None and found.hash == hash_:
                return number
    return None
