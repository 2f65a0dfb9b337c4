"""Events that tell of changed metadata: ERC-1155's ``URI`` and those of ERC-4906."""

from __future__ import annotations

from indexing.decode.moves import Refresh
from indexing.decode.words import UndecodableError, number, octets, topic_number
from indexing.node.logs import RawLog

MAX_URI_BYTES = 64 * 1024
"""A longer URI is not passed on: the contract is asked for it like any other."""


def uri(log: RawLog) -> Refresh:
    """Read ``URI(string value, uint256 id)``, whose id is indexed (EIP-1155) or not.

    What is not UTF-8, and NUL, which no text column takes, becomes U+FFFD. An empty URI is none.
    """
    if len(log.topics) == 2:
        token_id = topic_number(log.topics, 1)
    elif len(log.topics) == 1:
        token_id = number(log.data, 32)
    else:
        raise UndecodableError(f"URI has 2 topics (EIP-1155), this log {len(log.topics)}.")
    value = octets(log.data, 0)
    text = value.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return _refresh(log, token_id, token_id, text if text and len(value) <= MAX_URI_BYTES else None)


def metadata_update(log: RawLog) -> Refresh:
    """Read ``MetadataUpdate(uint256 tokenId)``, which ERC-4906 does not index but some contracts do."""
    (token_id,) = _numbers(log, 1)
    return _refresh(log, token_id, token_id, None)


def batch_metadata_update(log: RawLog) -> Refresh:
    """Read ``BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId)``, both tokens included.

    ERC-4906: the whole collection is said by 2^256 - 1 as the last token.
    """
    first, last = _numbers(log, 2)
    if last < first:
        raise UndecodableError(f"The range ends before it begins: {first} to {last}.")
    return _refresh(log, first, last, None)


def _numbers(log: RawLog, count: int) -> list[int]:
    """As many integers, the first of them in topics, as far as they go."""
    indexed = len(log.topics) - 1
    if indexed > count:
        raise UndecodableError(f"The event has {count + 1} topics at most, this log {indexed + 1}.")
    return [topic_number(log.topics, place + 1) for place in range(indexed)] + [
        number(log.data, 32 * place) for place in range(count - indexed)
    ]


def _refresh(log: RawLog, first: int, last: int, value: str | None) -> Refresh:
    return Refresh(log.address, first, last, value, log.transaction_hash, log.log_index, log.block_number)
