"""From logs to what they say about NFTs. Pure: no database, no node, nothing kept between calls."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

from core.db.keys import MAX_LOG_INDEX
from indexing.decode.doubled import once_each
from indexing.decode.erc721 import consecutive_transfer, indexed_transfer, old_transfer
from indexing.decode.erc1155 import transfer_batch, transfer_single
from indexing.decode.moves import ERC721, Decoded, Move, Refresh, Undecoded
from indexing.decode.old_contracts import OLD_NFTS, PUNKS
from indexing.decode.punks import punk_moves
from indexing.decode.refreshes import batch_metadata_update, metadata_update, uri
from indexing.decode.words import UndecodableError
from indexing.node.events import (
    BATCH_METADATA_UPDATE,
    CONSECUTIVE_TRANSFER,
    ERC721_TRANSFER,
    METADATA_UPDATE,
    TRANSFER,
    TRANSFER_BATCH,
    TRANSFER_SINGLE,
    URI,
)
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction

MAX_MOVES = 100_000
"""NFTs that one transaction may move. An ERC-2309 log of a few bytes stands for thousands; a block full of them
would fill any memory."""

_MOVES: dict[str, Callable[[RawLog], list[Move]]] = {
    TRANSFER_SINGLE: transfer_single,
    TRANSFER_BATCH: transfer_batch,
    CONSECUTIVE_TRANSFER: consecutive_transfer,
}
_REFRESHES: dict[str, Callable[[RawLog], Refresh]] = {
    URI: uri,
    METADATA_UPDATE: metadata_update,
    BATCH_METADATA_UPDATE: batch_metadata_update,
}


def decode(
    logs: Sequence[RawLog],
    chain_id: int,
    nft_contracts: Container[str] = (),
    *,
    fungible_contracts: Container[str] = (),
    punk_contracts: Container[str] = (),
    renaming_contracts: Container[str] = (),
) -> Decoded:
    """Read the NFT logs among the logs of one transaction, in log order; never raises.

    ``Transfer`` is an event of ERC-721 and of ERC-20 (and of the chain's own money, on zkSync and its kin). With
    four topics it is read as ERC-721's, unless ``fungible_contracts`` has the contract; in every other form it is
    another's and left out, unless the contract is a known one from before the standard, or in ``nft_contracts``:
    those that the caller knows to hold NFTs by ERC-165 or by asking them.
    ``punk_contracts`` are more contracts with the events of CryptoPunks than the built-in ones, whose events are
    theirs alone. ``renaming_contracts`` are those whose ``ERC721Transfer`` is what others call ``Transfer`` (ERC-404).
    All of them hold addresses in lower case. What one contract tells by events of two kinds is one move
    (:func:`indexing.decode.doubled.once_each`).

    Self-transfers, repeated tokens and amounts of 0 are moves like others. Data behind what an event needs is
    ignored; a word that should be an address but is longer, lists that are cut off or of unequal lengths, ranges
    that are reversed or longer than 10,000, what would move over 100,000 NFTs in one transaction, and a log index of
    2^24 or more leave the whole log undecoded: an owner is never guessed.
    """
    old_nfts = OLD_NFTS.get(chain_id, {})
    punks = PUNKS.get(chain_id, frozenset())
    told: list[tuple[str, Move]] = []
    refreshes: list[Refresh] = []
    undecoded: list[Undecoded] = []
    for place, log in enumerate(logs):
        topics, contract = log.topics, log.address
        if not topics:
            continue
        event = topics[0]
        found: list[Move] = []
        try:
            if contract in punks or contract in punk_contracts:
                found = punk_moves(log, logs[max(0, place - 2) : place])
            elif event == TRANSFER:
                found = _transfer(log, old_nfts, nft_contracts, fungible_contracts)
            elif event == ERC721_TRANSFER:
                found = [indexed_transfer(log)] if len(topics) == 4 and contract in renaming_contracts else []
            elif event in _MOVES:
                found = _MOVES[event](log)
            elif event in _REFRESHES:
                refreshes.append(_REFRESHES[event](log))
            if found:
                told += [(event, move) for move in _within(MAX_MOVES - len(told), found)]
        except UndecodableError as fault:
            undecoded.append(Undecoded(log, str(fault)))
    return Decoded(once_each(told), refreshes, undecoded)


def _transfer(
    log: RawLog,
    old_nfts: Mapping[str, str],
    nft_contracts: Container[str],
    fungible_contracts: Container[str],
) -> list[Move]:
    """Read ``Transfer`` where it is an NFT's; nothing else is read from it."""
    if log.address in old_nfts:
        return [old_transfer(log, old_nfts[log.address])]
    if len(log.topics) == 4:
        return [] if log.address in fungible_contracts else [indexed_transfer(log)]
    return [old_transfer(log, ERC721)] if log.address in nft_contracts else []


def _within(room: int, moves: list[Move]) -> list[Move]:
    if len(moves) > room:
        raise UndecodableError(f"The transaction moves more than {MAX_MOVES} NFTs.")
    if moves[0].log_index > MAX_LOG_INDEX:
        raise UndecodableError(
            f"Its log index is {moves[0].log_index}, more than the order of transfers holds."
        )
    return moves


def whole(transaction: ChainTransaction, own: Sequence[Move], chain_id: int) -> list[Move]:
    """Return every move of a transaction in log order: its ``own`` ones, and those of contracts that are not indexed.

    The others are what their logs say by themselves: nobody asked their contracts, so that an ERC-20 ``Transfer``
    with an indexed amount counts as ERC-721's, and an unknown old contract's as ERC-20's.
    """
    places = set(map(place, own))
    others = (move for move in decode(transaction.logs, chain_id).moves if place(move) not in places)
    return sorted((*own, *others), key=place)


def place(move: Move) -> tuple[int, int]:
    """Return where in its transaction a move stands: log index, and place within the log's batch."""
    return move.log_index, move.batch_index
