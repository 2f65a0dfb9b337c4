"""What decoded logs say: NFTs that moved, metadata to read again, and logs that nobody could read."""

from __future__ import annotations

from typing import NamedTuple

from indexing.node.logs import RawLog

ERC721 = "ERC721"
ERC1155 = "ERC1155"
CRYPTOPUNKS = "CryptoPunks"
CRYPTOKITTIES = "CryptoKitties"

MAX_ENTRIES = 10_000
"""NFTs that one log may move (decisions, section 6: a longer ERC-2309 range is recorded as undecoded)."""
MAX_UINT256 = 2**256 - 1


class Move(NamedTuple):
    """One NFT that one log moved, or some units of it. All hexadecimal text is lower case."""

    contract: str
    standard: str
    """As far as the log by itself says: ``ERC721`` (ERC-2309 too), ``ERC1155``, ``CryptoPunks``, ``CryptoKitties``."""
    token_id: int
    sender: str
    """The zero address for a mint."""
    receiver: str
    """The zero address for a burn."""
    amount: int
    """Units; 1 but for ERC-1155, where it may be anything from 0 up. A move of 0 units makes nobody an owner."""
    transaction_hash: str
    log_index: int
    batch_index: int
    """Place within the log's batch or range, from 0; 0 for a log that moves one NFT."""
    block_number: int


class Refresh(NamedTuple):
    """Metadata that changed, of the tokens ``first_token_id`` to ``last_token_id``, both included."""

    contract: str
    first_token_id: int
    last_token_id: int
    """2^256 - 1 stands for the end of the collection, however many it has (ERC-4906)."""
    uri: str | None
    """The token's new URI, with ``{id}`` not filled in, where the log states it (ERC-1155 ``URI``)."""
    transaction_hash: str
    log_index: int
    block_number: int


class Undecoded(NamedTuple):
    """A log that has an NFT event's hash but not its content, and the reason in a sentence."""

    log: RawLog
    reason: str


class Decoded(NamedTuple):
    """What the logs of a transaction say, each list in log order."""

    moves: list[Move]
    refreshes: list[Refresh]
    undecoded: list[Undecoded]
