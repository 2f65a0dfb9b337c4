"""Transfers of ERC-721, in the forms of before the standard too, and of ERC-2309."""

from __future__ import annotations

from core.addresses import DEAD_ADDRESS
from indexing.decode.moves import ERC721, MAX_ENTRIES, Move
from indexing.decode.words import (
    UndecodableError,
    address,
    expect_topics,
    number,
    topic_address,
    topic_number,
)
from indexing.node.logs import RawLog


def indexed_transfer(log: RawLog) -> Move:
    """Read ``Transfer`` with its three arguments in topics, as ERC-721 has it.

    All that the signature names is in the topics, so data beside them changes nothing.
    """
    topics = log.topics
    return Move(
        log.address,
        ERC721,
        int(topics[3], 16),
        topic_address(topics, 1),
        topic_address(topics, 2),
        1,
        log.transaction_hash,
        log.log_index,
        0,
        log.block_number,
    )


def old_transfer(log: RawLog, standard: str = ERC721) -> Move:
    """Read ``Transfer`` of a contract known to hold NFTs, whichever of its arguments are indexed.

    An ERC-20 contract has logs of these very forms: only what is known of the contract tells them apart.
    """
    topics, data = log.topics, log.data
    if len(topics) == 1:
        sender, receiver, token_id = address(data, 0), address(data, 32), number(data, 64)
    elif len(topics) == 2:
        sender, receiver, token_id = _one_indexed(topic_number(topics, 1), number(data, 0), number(data, 32))
    else:
        sender, receiver = topic_address(topics, 1), topic_address(topics, 2)
        token_id = topic_number(topics, 3) if len(topics) == 4 else number(data, 0)
    return Move(
        log.address,
        standard,
        token_id,
        sender,
        receiver,
        1,
        log.transaction_hash,
        log.log_index,
        0,
        log.block_number,
    )


def consecutive_transfer(log: RawLog) -> list[Move]:
    """Read ERC-2309's ``ConsecutiveTransfer``: one move for each token of the range, its batch index counting."""
    topics = log.topics
    expect_topics(log, 4, "ConsecutiveTransfer")
    first, last = topic_number(topics, 1), number(log.data, 0)
    sender, receiver = topic_address(topics, 2), topic_address(topics, 3)
    if last < first:
        raise UndecodableError(f"The range ends before it begins: {first} to {last}.")
    if last - first >= MAX_ENTRIES:
        raise UndecodableError(f"The range {first} to {last} is longer than {MAX_ENTRIES} tokens.")
    return [
        Move(
            log.address,
            ERC721,
            first + place,
            sender,
            receiver,
            1,
            log.transaction_hash,
            log.log_index,
            place,
            log.block_number,
        )
        for place in range(last - first + 1)
    ]


def _one_indexed(topic: int, word: int, next_word: int) -> tuple[str, str, int]:
    """Sender, receiver and token of a ``Transfer`` with one indexed argument: the sender, or the token.

    Addresses are random numbers of 160 bits, so that one is told from a token's number by being above 2^80; where
    both readings are possible, or neither, there is no saying which is right.
    """
    readings = [
        (sender, receiver, token)
        for sender, receiver, token in [(topic, word, next_word), (word, next_word, topic)]
        if _like_address(sender) and _like_address(receiver) and (token == 0 or not _like_address(token))
    ]
    if len(readings) != 1:
        raise UndecodableError("One argument of Transfer is indexed, and its values do not tell which.")
    sender, receiver, token = readings[0]
    return f"0x{sender:040x}", f"0x{receiver:040x}", token


def _like_address(value: int) -> bool:
    return value == 0 or 2**80 <= value < 2**160 or value == int(DEAD_ADDRESS, 16)
