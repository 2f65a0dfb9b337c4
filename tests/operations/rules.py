"""Rules as small worlds: lines that are loaded, and what queries then find, by the service and by the oracle alike.

A rule is a list of steps: interchange lines, and between them ``{query: ids}``. A query of Transfers by Token begins
with ``transfers?``, and its items are ``id@block``. Pages are of two items.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, quote

from tests.builders import Line
from tests.operations.promises import NOW, Record, given
from tests.oracle.model import Item, Oracle
from tests.walks.checking import answer, walk

Rule = list[dict[str, Any]]


def check(rule: Rule) -> None:
    """Load the lines of a rule as they stand, and ask both sides at NOW, where the clock stands."""
    oracle, waiting = Oracle(), list[Line]()
    for step in rule:
        if "record" in step:
            waiting.append(step)
            continue
        given(*waiting)
        oracle.load(waiting)
        waiting = []
        for query, expected in step.items():
            operation, _, text = query.rpartition("?")
            params = parse_qs(quote(text, safe="=&,"), keep_blank_values=True)
            found = [_name(record) for record in walk(operation or "nfts", params, [2])]
            known = [_name_of(oracle, item) for item in answer(oracle, operation or "nfts", params, NOW)]
            assert (found, known) == (expected.split(), expected.split()), query
    assert not waiting, "lines about which nothing is asked"


def _name(record: Record) -> str:
    block = record.get("blockNumber")
    return str(record["tokenId"]) + (f"@{block}" if block is not None else "")


def _name_of(oracle: Oracle, item: Item) -> str:
    if len(item.identity) == 3:
        return str(item.identity[2])
    line = oracle.world.transfers[item.identity]
    return f"{line['nft'][2]}@{line['blockNumber']}"
