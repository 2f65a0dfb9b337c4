"""Transfers of ERC-1155."""

from __future__ import annotations

from indexing.decode.moves import ERC1155, Move
from indexing.decode.words import UndecodableError, address, number, numbers, topic_address
from indexing.node.logs import RawLog

# Where the arguments behind the addresses begin in the data: with operator, sender and receiver in topics, as the
# standard has it, or with nothing indexed.
_HEADS = {4: 0, 1: 96}


def transfer_single(log: RawLog) -> list[Move]:
    """Read ``TransferSingle``. An amount of 0 is a transfer too (EIP-1155 has none forbidden), of nothing."""
    head, sender, receiver = _parties(log)
    return [
        Move(
            log.address,
            ERC1155,
            number(log.data, head),
            sender,
            receiver,
            number(log.data, head + 32),
            log.transaction_hash,
            log.log_index,
            0,
            log.block_number,
        )
    ]


def transfer_batch(log: RawLog) -> list[Move]:
    """Read ``TransferBatch``: one move an entry, also where it repeats a token or moves 0 units.

    The batch index is the entry's place (decisions, section 6). An empty batch moves nothing.
    """
    contract, transaction, log_index, block = (
        log.address,
        log.transaction_hash,
        log.log_index,
        log.block_number,
    )
    head, sender, receiver = _parties(log)
    ids, amounts = numbers(log.data, head), numbers(log.data, head + 32)
    if len(ids) != len(amounts):
        raise UndecodableError(f"TransferBatch names {len(ids)} tokens but {len(amounts)} amounts.")
    return [
        Move(contract, ERC1155, token_id, sender, receiver, amount, transaction, log_index, place, block)
        for place, (token_id, amount) in enumerate(zip(ids, amounts, strict=True))
    ]


def _parties(log: RawLog) -> tuple[int, str, str]:
    """Where the data behind the addresses begins, the sender and the receiver; nobody needs the operator."""
    topics = log.topics
    head = _HEADS.get(len(topics))
    if head is None:
        raise UndecodableError(
            f"A transfer of ERC-1155 has 4 topics, or 1 with nothing indexed, not {len(topics)}."
        )
    if head:
        return head, address(log.data, 32), address(log.data, 64)
    return head, topic_address(topics, 2), topic_address(topics, 3)
