"""Recorded transactions of Ethereum with their sales and hand-checked cases, read where they lie."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from indexing.decode.decode import decode
from indexing.decode.moves import Move
from indexing.judge.classify import classify
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Verdict
from indexing.node.logs import raw_log
from indexing.node.transactions import ChainTransaction, transaction
from tests.shared import DATA, TRANSACTIONS

SALES, VECTORS = DATA / "sales.jsonl.gz", DATA / "vectors.jsonl.gz"


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path) as lines:
        return [json.loads(line) for line in lines]


@cache
def transactions() -> dict[str, tuple[ChainTransaction, list[Move]]]:
    """Every recorded transaction with its moves, by hash."""
    found = {}
    for line in _lines(TRANSACTIONS):
        whole, stamp = line["transaction"], line["block"]["timestamp"]
        place = {key: whole[key] for key in ("blockHash", "blockNumber", "transactionIndex")}
        logs = [
            raw_log({**one, **place, "transactionHash": whole["hash"]}) for one in line["receipt"]["logs"]
        ]
        one = transaction(whole, logs, int(stamp, 16) if isinstance(stamp, str) else stamp)
        found[one.hash] = one, decode(one.logs, 1).moves
    return found


@cache
def verdicts() -> dict[str, tuple[list[Move], Verdict]]:
    """What every recorded transaction was, by hash, beside its moves."""
    markets = registry(1)
    return {hash_: (moves, classify(one, moves, markets)) for hash_, (one, moves) in transactions().items()}


@cache
def sales() -> dict[str, list[dict[str, Any]]]:
    """The recorded sales by transaction."""
    found = defaultdict(list)
    for sale in _lines(SALES):
        found[sale["tx"]].append(sale)
    return dict(found)


@cache
def vectors() -> dict[str, dict[str, Any]]:
    """The hand-checked cases by their id."""
    return {vector["id"]: vector for vector in _lines(VECTORS)}


def certain() -> list[dict[str, Any]]:
    """The recorded sales whose money and items are in their transactions."""
    return [
        sale
        for some in sales().values()
        for sale in some
        if sale["moneyReconciled"] and sale["itemsMatchTransferLogs"]
    ]
