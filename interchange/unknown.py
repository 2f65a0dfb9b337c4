"""Keys of a line that no record has: what they say is not taken, so it is told which they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from core.chains import EVM
from interchange import fields

MOST_NAMES = 1_000
"""Names that are counted one by one; the rest are counted together."""
LONGEST_NAME = 80
OTHERS = "other keys"


class Known(NamedTuple):
    """The keys that an object may have; ``within``: those of the objects that are, or stand in, some of its values."""

    names: frozenset[str]
    within: Mapping[str, Known]


def _known(*names: str, **within: Known) -> Known:
    return Known(frozenset((*names, *within)), within)


_TRANSFER = _known(
    *("record", "chain", "contractAddress", "tokenId", "transactionHash", "logIndex", "batchIndex", "native"),
    *(name for name in fields.TRANSFER_FIELDS[EVM] if name not in ("nftValue", "swaps")),
    "imageCacheUrl",  # derived
    nftValue=_known("tokenAddress", "tokenName", "amount"),
    swaps=_known("contractAddress", "tokenId", "fromAddress", "toAddress", "amount", "market"),
)
_METADATA = _known(
    *("name", "description", "imageMediaType", "imageUrl", "mediaType", "mediaUrl"),
    *("imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl"),  # derived
    traits=_known("traitType", "traitValue", "traitRarity", "traitFrequency", "traitPercentFrequency"),
)
_NFT = _known(
    *("record", "chain", "contractAddress", "contractStandard", "tokenId", "owner", "native"),
    "document",  # any JSON: what its author wrote in it
    *fields.NFT_FIELDS[EVM],
    *("orderbook", "ownersTotal"),  # derived
    owners=_known("address", "amount", "enteredAtBlock", "enteredAt", "updatedAtBlock", "updatedAt"),
    metadata=_METADATA,
    lastTransfer=_TRANSFER,
)
KNOWN: Mapping[str, Known] = {
    "chain": _known("record", "chain", *fields.CHAIN_FIELDS),
    "currency": _known("record", "currency", *fields.CURRENCY_FIELDS),
    "currencyToken": _known("record", "chain", "contractAddress", "currency", *fields.CURRENCY_TOKEN_FIELDS),
    "market": _known("record", "marketplace", *fields.MARKET_FIELDS),
    "marketContract": _known(
        "record", "chain", "contractAddress", "marketplace", *fields.MARKET_CONTRACT_FIELDS
    ),
    "contract": _known("record", "chain", "contractAddress", *fields.CONTRACT_FIELDS),
    "nft": _NFT,
    "transfer": _TRANSFER,
    "ask": _known(
        *("record", "chain", "marketplace", "orderHash", "contractAddress", "tokenId"),
        *fields.ASK_FIELDS[EVM],
    ),
    "takedown": _known("record", "reason", "chain", "contractAddress", "tokenId", "contentHash", "url"),
    "rate": _known("record", "currency", "timestamp", "usd"),
    "ens": _known("record", "name", "address"),
}
"""Keys by kind of record, those that mean nothing in a line because they are derived included."""


def unknown_keys(line: Mapping[str, Any]) -> list[str]:
    """Return the keys of a line of a known record that are not known, each once, with those that lead to it.

    ``nft.metadata.image`` is the key ``image`` of an NFT's metadata, ``nft."metadata.image"`` one with a dot in it.
    """
    record = line["record"]
    return list(dict.fromkeys(_unknown(line, KNOWN[record], f"{record}.")))


def count(counts: Counter[str], names: Iterable[str]) -> None:
    """Count names of keys; a file may have any number of them."""
    for name in names:
        counts[name if name in counts or len(counts) < MOST_NAMES else OTHERS] += 1


def told(name: str) -> str:
    """Return a key with the one that may be meant by it."""
    *path, last = name.split(".")
    known: Known | None = KNOWN.get(path[0]) if path else None
    for step in path[1:]:
        known = None if known is None else known.within.get(step)
    folded = {} if known is None else {one.lower(): one for one in known.names}
    near = get_close_matches(last.lower(), folded, n=1, cutoff=0.6)
    return f"`{name}` (`{folded[near[0]]}`?)" if near else f"`{name}`"


def _unknown(value: Any, known: Known, path: str) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield from _unknown(entry, known, path)
    elif isinstance(value, dict):
        yield from (path + _shown(name) for name in value if name not in known.names)
        for name, inner in known.within.items():
            if name in value:
                yield from _unknown(value[name], inner, f"{path}{name}.")


def _shown(name: str) -> str:
    cut = name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"
    shown = cut if cut.isprintable() else ascii(cut)[1:-1]
    return f'"{shown}"' if "." in shown or not shown else shown
