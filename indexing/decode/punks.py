"""CryptoPunks and its first contract, V1: NFTs from before the standards, with events of their own.

Every move of a punk also emits an ERC-20-style ``Transfer`` of one unit, which names no punk and is no transfer by
itself. But it is right where ``PunkBought``, which follows one log later, or two with ``PunkNoLongerForSale``
between them, is wrong, since that event reads storage that was overwritten just before:

- where a bid is accepted, its ``value`` and ``toAddress`` are zero (the bid was cleared);
- on V1, its ``fromAddress`` is the buyer (the offer was cleared, which made the buyer its seller).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import CRYPTOPUNKS, Move, PunkBid
from indexing.decode.words import UndecodableError, expect_topics, number, topic_address, topic_number
from indexing.node.events import ASSIGN, PUNK_BID_ENTERED, PUNK_BOUGHT, PUNK_TRANSFER, TRANSFER
from indexing.node.logs import RawLog

_REACH = 2  # logs between the Transfer and its PunkBought, that one included


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
