"""CryptoPunks and its first contract, V1: NFTs from before the standards, with events of their own.

Every move of a punk also emits an ERC-20-style ``Transfer`` of one unit, which names no punk and is no transfer by
itself. But it is right where ``PunkBought``, which follows one log later, or two with ``PunkNoLongerForSale``
between them, is wrong, since that event reads storage that was overwritten just before:

- where a bid is accepted, its ``value`` and ``toAddress`` are zero (the bid was cleared);
- on V1, its ``fromAddress`` is the buyer (the offer was cleared, which made the buyer its seller).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import CRYPTOPUNKS, Move
from indexing.decode.words import UndecodableError, expect_topics, number, topic_address, topic_number
from indexing.node.events import ASSIGN, PUNK_BID_ENTERED, PUNK_BOUGHT, PUNK_TRANSFER, TRANSFER
from indexing.node.logs import RawLog

_REACH = 2  # logs between the Transfer and its PunkBought, that one included


class PunkBid(NamedTuple):
    """A bid for a punk, in wei. It moves nothing; but when it is accepted, only this says what was paid."""

    contract: str
    token_id: int
    bidder: str
    value: int
    block_number: int
    log_index: int


class PunkBids:
    """Bids that were seen so far, by punk, in the order of the chain: some 50,000 were ever made."""

    def __init__(self) -> None:
        self._bids: dict[tuple[str, int], list[tuple[int, int, str, int]]] = {}

    def add(self, bids: Iterable[PunkBid]) -> None:
        """Take note of bids; one that is known already is not doubled."""
        for bid in bids:
            known = self._bids.setdefault((bid.contract, bid.token_id), [])
            one = (bid.block_number, bid.log_index, bid.bidder, bid.value)
            place = bisect_left(known, one)
            if one not in known[place : place + 1]:
                known.insert(place, one)

    def accepted(self, contract: str, token_id: int, buyer: str, block: int, log_index: int) -> int | None:
        """Return the value in wei of the bid that stood before a log, if it was the buyer's.

        A punk has one bid at a time: whoever bids more takes the place of the one before.
        """
        known = self._bids.get((contract, token_id), [])
        place = bisect_left(known, (block, log_index))
        if not place or known[place - 1][2] != buyer:
            return None
        return known[place - 1][3]


def punk_moves(log: RawLog, earlier: Sequence[RawLog]) -> list[Move]:
    """Read a log of a punks contract; ``earlier`` holds the two before it of the same transaction, or what there is.

    ``Assign`` is a mint, though before all were assigned the contract's owner could give a punk to another.
    Offers, bids and the ERC-20-style ``Transfer`` move nothing.
    """
    event = log.topics[0]
    if event == PUNK_BOUGHT:
        expect_topics(log, 4)
        number(log.data, 0)
        sender, receiver = _parties(log, earlier)
        token_id = topic_number(log.topics, 1)
    elif event == PUNK_TRANSFER:
        expect_topics(log, 3)
        sender, receiver = topic_address(log.topics, 1), topic_address(log.topics, 2)
        token_id = number(log.data, 0)
    elif event == ASSIGN:
        expect_topics(log, 2)
        sender, receiver = ZERO_ADDRESS, topic_address(log.topics, 1)
        token_id = number(log.data, 0)
    else:
        return []
    place = (log.transaction_hash, log.log_index, 0, log.block_number)
    return [Move(log.address, CRYPTOPUNKS, token_id, sender, receiver, 1, *place)]


def punk_bids(logs: Iterable[RawLog], contracts: Container[str]) -> list[PunkBid]:
    """Read the bids among logs of some contracts of punks; those that cannot be read tell nothing."""
    found = []
    for log in logs:
        if log.address in contracts and log.topics and log.topics[0] == PUNK_BID_ENTERED:
            try:
                found.append(_bid(log))
            except UndecodableError:
                continue
    return found


def _bid(log: RawLog) -> PunkBid:
    expect_topics(log, 3)
    return PunkBid(
        log.address,
        topic_number(log.topics, 1),
        topic_address(log.topics, 2),
        number(log.data, 0),
        log.block_number,
        log.log_index,
    )


def _parties(log: RawLog, earlier: Sequence[RawLog]) -> tuple[str, str]:
    """Who sold and who bought, by ``PunkBought`` where it can be right, else by the ``Transfer`` before it."""
    sender, receiver = topic_address(log.topics, 2), topic_address(log.topics, 3)
    if receiver not in {ZERO_ADDRESS, sender}:
        return sender, receiver
    for other in reversed(earlier):
        near = other.address == log.address and log.log_index - other.log_index <= _REACH
        if near and len(other.topics) == 3 and other.topics[0] == TRANSFER:
            seller, buyer = topic_address(other.topics, 1), topic_address(other.topics, 2)
            if sender == seller or receiver == buyer:
                return seller, buyer
    raise UndecodableError(
        "PunkBought does not say who bought from whom, and no Transfer just before it does."
    )
