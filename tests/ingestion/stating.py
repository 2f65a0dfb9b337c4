"""The history of a chain made by hand as lines of the interchange format, as another source would state it."""

from __future__ import annotations

from collections.abc import Collection

from tests.builders import Line, load_lines
from tests.ingestion.chain import Chain


def lines(
    chain: Chain, first: int = 0, last: int | None = None, receivers: Collection[str] | None = None
) -> list[Line]:
    """The transfers of some blocks, those to some receivers where these are named."""
    found: list[Line] = []
    for block in chain.blocks[first : None if last is None else last + 1]:
        logs = [(one, log) for one in block.transactions for log in one.logs]
        for index, (transaction, log) in enumerate(logs):
            found += [
                {
                    "record": "transfer",
                    "chain": "ethereum",
                    "contractAddress": move.contract,
                    "tokenId": str(move.token_id),
                    "transactionHash": transaction.hash,
                    "blockNumber": block.number,
                    "logIndex": index,
                    "batchIndex": place,
                    "timestamp": block.timestamp,
                    "fromAddress": move.sender,
                    "toAddress": move.receiver,
                    "transactionFrom": transaction.sender,
                    "amount": str(move.amount),
                }
                for place, move in enumerate(log.moves)
                if receivers is None or move.receiver in receivers
            ]
    return found


def load(stated: list[Line]) -> None:
    """Load lines, all of which must be good."""
    report = load_lines(stated)
    assert [str(fault) for fault in report.faults] == []
