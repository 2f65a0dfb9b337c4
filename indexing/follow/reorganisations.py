"""Follows the chain when it changes its mind: finds the last block that still stands, and takes back the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.batches import batched
from indexing.follow.rewind import rewind
from indexing.node.source import Source
from indexing.node.transactions import Header
from indexing.write.checkpoints import first_block, stored_blocks
from tokens.store.chains import ChainRow

LOOKS = 5
"""Times that a node is asked again at once which is behind what is indexed: behind one URL another may answer next."""

AT_ONCE = 50


class BehindError(Exception):
    """The node does not tell of blocks that are indexed, and contradicts none: there is nothing to do but wait."""


class DeepReorganisationError(Exception):
    """The chain changed deeper than block hashes are kept."""


class Standing(NamedTuple):
    """The node's newest block, which is not behind what is indexed, and the block to which was rewound, if any."""

    head: int
    rewound: int | None


def follow(chain: ChainRow, source: Source, head: int, sleep: Callable[[float], None]) -> Standing:
    """Compare the blocks that are kept with the node's, and rewind to the last one that both have, if need be.

    Only another hash of a block's number says that the block is gone; a node that knows fewer blocks, or does not tell
    of one, says nothing. ``head`` is the node's newest block; one that is behind is asked again a few times. What was
    rewound to is the block before the first that is indexed where all of them are kept and none stands (-1 if that is
    block 0). Raises :class:`BehindError` while the node does not know all of the kept blocks,
    :class:`DeepReorganisationError` when it has others in the place of all of them, and there were more before.
    """
    stored = stored_blocks(chain)
    if not stored:
        return Standing(head, None)
    source.node.at_least = stored[0][0]
    for _ in range(LOOKS):
        try:
            return Standing(head, _compare(chain, stored, source, head))
        except BehindError:
            sleep(1.0)
            head = source.head()
    return Standing(head, _compare(chain, stored, source, head))


def _compare(chain: ChainRow, stored: Sequence[tuple[int, str]], source: Source, head: int) -> int | None:
    newest = stored[0][0]
    last_good = _last_standing(stored, source, head)
    if last_good == newest:
        return None
    if last_good is not None and not any(last_good < number <= head for number, _ in stored):
        raise BehindError(f"The node is at block {head:,}, {newest:,} is indexed: waiting for it.")
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


def _last_standing(stored: Sequence[tuple[int, str]], source: Source, head: int) -> int | None:
    """Return the newest of the kept blocks that the node has too; ``None`` when it has another in the place of each.

    Raises :class:`BehindError` when it knows none of them, or does not tell of one that it should know.
    """
    below = [pair for pair in stored if pair[0] <= head]
    if not below:
        raise BehindError(f"The node is at block {head:,}, {stored[0][0]:,} is indexed: waiting for it.")
    # Most of the time it is the newest one: the others are asked for only where it does not stand.
    for part in (below[:1], *batched(below[1:], AT_ONCE)):
        headers: Sequence[Header | None] = source.headers([number for number, _ in part])
        for (number, hash_), found in zip(part, headers, strict=True):
            if found is None:
                raise BehindError(
                    f"The node is at block {head:,} but does not tell of block {number:,}: waiting for it."
                )
            if found.hash == hash_:
                return number
    return None
