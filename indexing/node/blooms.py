"""Blocks whose header says that they hold logs that the node did not tell of.

A header holds a filter of the contracts and topics of all logs of its block (``logsBloom``; the yellow paper, section
4.3.1), and the block's hash commits to it. What it does not hold is not there, what it holds may be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from Crypto.Hash import keccak

from indexing.node.events import TOPICS

_FILTER = re.compile(r"0x[0-9a-fA-F]{512}", re.ASCII)


def silent_blocks(
    blocks: Mapping[int, Any], told: Collection[int], addresses: Collection[str] | None
) -> list[int]:
    """Return the numbers of blocks that may hold an NFT log of some contracts, or of any (``None``), by their headers.

    Not of those that were ``told`` of; nor of those whose header has no such filter, or an empty one (some chains').
    """
    return [
        number
        for number, block in blocks.items()
        if number not in told and _may_hold(block.get("logsBloom"), addresses)
    ]


def _may_hold(bloom: object, addresses: Collection[str] | None) -> bool:
    if not isinstance(bloom, str) or _FILTER.fullmatch(bloom) is None:
        return False
    held = int(bloom, 16)
    return any(held & bits == bits for bits in map(_bits, TOPICS)) and (
        addresses is None or any(held & bits == bits for bits in map(_bits, addresses))
    )


@lru_cache(maxsize=10_000)
def _bits(value: str) -> int:
    """Return the three bits that an address or a topic sets."""
    digest = keccak.new(digest_bits=256, data=bytes.fromhex(value[2:])).digest()
    bits = 0
    for place in (0, 2, 4):
        bits |= 1 << (int.from_bytes(digest[place : place + 2], "big") & 2047)
    return bits
