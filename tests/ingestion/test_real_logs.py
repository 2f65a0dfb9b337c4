"""Real logs of public chains, against answers that others worked out and against a second reading of the words."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from indexing.contracts.kinds import Form, form_of
from indexing.decode.decode import decode
from indexing.decode.moves import Decoded
from indexing.decode.old_contracts import OLD_NFTS
from indexing.node.logs import raw_log
from tests.ingestion.second_reading import TRANSFER, Moved, second_reading
from tests.shared import DATA

pytestmark = pytest.mark.shared


def lines(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / name, "rt") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def recorded() -> dict[str, list[dict[str, Any]]]:
    """The logs of the 1,830 recorded transactions, by transaction hash."""
    transactions = lines("transactions.jsonl.gz")
    return {
        transaction["transaction"]["hash"]: [
            {
                **log,
                "transactionHash": transaction["transaction"]["hash"],
                "transactionIndex": transaction["receipt"]["transactionIndex"],
                "blockHash": transaction["block"]["hash"],
            }
            for log in transaction["receipt"]["logs"]
        ]
        for transaction in transactions
    }


def blocks() -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The logs of each transaction of the whole blocks, with the chain's id."""
    for path in sorted((DATA / "blocks").glob("*.json.gz")):
        with gzip.open(path, "rt") as file:
            block = json.load(file)
        by_transaction: dict[str, list[dict[str, Any]]] = {}
        for log in block["eth_getLogs"] or []:
            by_transaction.setdefault(log["transactionHash"], []).append(log)
        chain_id = {"ethereum": 1, "zora": 7_777_777}[path.name.partition("_")[0]]
        yield from ((chain_id, logs) for logs in by_transaction.values())


def decoded(logs: list[dict[str, Any]], chain_id: int = 1) -> Decoded:
    return decode([raw_log(log) for log in logs], chain_id)


def moved(found: Decoded) -> list[Moved]:
    return [
        Moved(move.log_index, move.contract, move.token_id, move.sender, move.receiver, move.amount)
        for move in found.moves
    ]


def test_the_hand_checked_cases_are_exact(recorded: dict[str, list[dict[str, Any]]]) -> None:
    """Contract, token, sender, receiver, amount and log of each transfer, and how many there are."""
    cases = lines("vectors.jsonl.gz")
    assert len(cases) == 84
    for case in cases:
        found = moved(decoded(recorded[case["tx"]]))
        stated = [
            Moved(
                transfer["logIndex"],
                transfer["contract"],
                int(transfer["tokenId"]),
                transfer["from"],
                transfer["to"],
                int(transfer["amount"]),
            )
            for transfer in case["transfers"]
        ]
        assert len(found) == case["transferCount"], case["title"]
        assert found[: len(stated)] == stated, case["title"]


def test_every_nft_log_of_the_recorded_transactions_is_read(
    recorded: dict[str, list[dict[str, Any]]],
) -> None:
    assert len(recorded) == 1_830
    for logs in recorded.values():
        found = decoded(logs)
        assert moved(found) == [move for log in logs for move in second_reading(log)]
        assert found.undecoded == []


def test_the_recorded_transfers_are_as_many_as_counted_by_hand(
    recorded: dict[str, list[dict[str, Any]]],
) -> None:
    """3,330 `Transfer` with four topics, 13 with one, 785 `TransferSingle`, 15 batches, 6 punks."""
    moves = [move for logs in recorded.values() for move in decoded(logs).moves]
    forms = Counter(move.standard for move in moves)
    assert forms["ERC721"] + forms["CryptoKitties"] == 3_330 + 13
    assert forms["CryptoKitties"] == 8
    assert forms["CryptoPunks"] == 6
    in_batches = {(move.transaction_hash, move.log_index) for move in moves if move.batch_index}
    assert len({(m.transaction_hash, m.log_index) for m in moves if m.standard == "ERC1155"}) == 785 + 15
    assert len(in_batches) == 8  # of the 15, seven hold one token


def test_no_contract_of_the_recorded_transactions_is_unclear(
    recorded: dict[str, list[dict[str, Any]]],
) -> None:
    bare = {
        log.address for logs in recorded.values() for log in map(raw_log, logs) if form_of(log) is Form.BARE
    }
    assert bare - OLD_NFTS[1].keys() == set()


def test_every_item_of_a_real_sale_was_moved(recorded: dict[str, list[dict[str, Any]]]) -> None:
    """The sales were decoded from market events; where they match the logs, each item has a move."""
    sales = [sale for sale in lines("sales.jsonl.gz") if sale["itemsMatchTransferLogs"]]
    assert len(sales) > 690
    for sale in sales:
        transferred = {(move.contract, move.token_id) for move in decoded(recorded[sale["tx"]]).moves}
        assert {(contract, int(token_id)) for contract, token_id, _ in sale["items"]} <= transferred


def test_whole_blocks_are_read_without_a_fault() -> None:
    transactions = 0
    for chain_id, logs in blocks():
        transactions += 1
        found = decoded(logs, chain_id)
        assert moved(found) == [move for log in logs for move in second_reading(log)]
        assert found.undecoded == []
    assert transactions > 1_000


def test_another_tool_finds_the_same_nfts_in_two_blocks() -> None:
    """ethereum-etl lists every `Transfer` of either kind; those with four topics are ours, the rest is money."""
    by_transaction: dict[str, list[dict[str, Any]]] = {}
    topics: dict[tuple[str, int], int] = {}
    for log in lines("blocks/ethereum-etl/expected_logs.json.gz"):
        topics[log["transaction_hash"], log["log_index"]] = len(log["topics"])
        by_transaction.setdefault(log["transaction_hash"], []).append(
            {
                "address": log["address"],
                "topics": log["topics"],
                "data": log["data"],
                "blockNumber": hex(log["block_number"]),
                "blockHash": log["block_hash"],
                "transactionHash": log["transaction_hash"],
                "transactionIndex": hex(log["transaction_index"]),
                "logIndex": hex(log["log_index"]),
            }
        )
    listed_there = {
        (
            transfer["transaction_hash"],
            Moved(
                transfer["log_index"],
                transfer["token_address"],
                transfer["value"],
                transfer["from_address"],
                transfer["to_address"],
                1,
            ),
        )
        for transfer in lines("blocks/ethereum-etl/expected_token_transfers.json.gz")
        if topics[transfer["transaction_hash"], transfer["log_index"]] == 4
    }
    found = {
        (name, move)
        for name, logs in by_transaction.items()
        for move in moved(decoded(logs))
        if any(int(log["logIndex"], 16) == move.log_index and log["topics"][0] == TRANSFER for log in logs)
    }
    assert found == listed_there
    assert len(found) == 9
