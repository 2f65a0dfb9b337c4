"""Walking all pages of a query, and comparing what came with what the oracle expects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import cycle, groupby
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

import time_machine
from django.db import transaction
from django.test import Client

from core.db import keyset
from tests.builders import Line, load_lines
from tests.oracle.model import Item, Oracle
from tests.oracle.query import Params
from tests.oracle.records import OPEN, nft_record, transfer_record
from tests.oracle.world import NftKey
from tests.strategies.pools import NOW
from tokens.engine import by_price, conditions, postings
from tokens.engine import scope_lists as lists

NFTS, TRANSFERS = "nfts", "transfers"
Walk = list[dict[str, Any]]


class Thresholds(NamedTuple):
    """Numbers at which the engine goes another way, as its modules call them.

    With its own numbers a drawn world would always go the same way.
    """

    SMALL: int = lists.SMALL
    MANY: int = conditions.MANY
    MERGED: int = conditions.MERGED
    PASSED: int = conditions.PASSED
    LOOKED_UP: int = conditions.LOOKED_UP
    FEW: int = postings.FEW
    MOST_TERMS: int = keyset.MOST_TERMS


OWN = Thresholds()
# A token may be on three chains.
WAYS = [
    OWN,
    Thresholds(SMALL=0, MANY=0, MERGED=0),
    Thresholds(SMALL=0, MERGED=1_000, PASSED=0),
    Thresholds(SMALL=2, MANY=1),
    Thresholds(SMALL=0, MANY=1, LOOKED_UP=2),
    Thresholds(SMALL=0, MERGED=0),
]
WAYS_OF_TRANSFERS = [OWN, Thresholds(SMALL=3, MANY=0, MERGED=0), Thresholds(SMALL=3, MERGED=1_000, PASSED=0)]


@contextmanager
def engine(thresholds: Thresholds) -> Iterator[None]:
    """Make the engine take other ways."""
    numbers = thresholds._asdict()
    with ExitStack() as stack:
        for module in (keyset, conditions, lists, postings, by_price):
            known = {name: number for name, number in numbers.items() if hasattr(module, name)}
            stack.enter_context(patch.multiple(module, **known))
        yield


@contextmanager
def loaded(*files: Sequence[Line | str], now: int = NOW) -> Iterator[time_machine.Traveller]:
    """Load files one after the other at `now`, where the clock then stands; all is rolled back at the end."""
    with time_machine.travel(now, tick=False) as clock, transaction.atomic():
        for lines in files:
            load(lines)
        yield clock
        transaction.set_rollback(True)


def load(lines: Sequence[Line | str]) -> None:
    """Load one more file, every line of which must be good."""
    report = load_lines(lines)
    assert not report.faults, report.faults


@cache
def client() -> Client:
    """One client for all requests: each new one would load the middleware again."""
    return Client()


def get_page(operation: str, params: Params) -> dict[str, Any]:
    """One page as decoded JSON."""
    query = urlencode(params, doseq=True)
    response = client().get(f"/api/v1/{operation}/by-token?{query}")
    assert response.status_code == 200, (query, response.content)
    body: dict[str, Any] = json.loads(response.content)
    assert body.keys() <= {"data", "nextCursor"}, "no total that it could not count"
    return body


def walk(
    operation: str,
    params: Params,
    limits: Sequence[int] = (3,),
    between: Callable[[], None] | None = None,
    total: int | None = None,
    respell: Callable[[], Params] | None = None,
) -> Walk:
    """All items of all pages, at limits taken in turn.

    `between` is called between two pages. With `total`, which takes a world that stands still, every page is as full
    as it can be and the last one has no `nextCursor`. `respell` gives other parameters of the same meaning for the
    pages after the first.
    """
    found: Walk = []
    sent: Mapping[str, Any] = params
    for number, limit in enumerate(cycle(limits)):
        page = get_page(operation, {**sent, "limit": str(limit)})
        found += page["data"]
        assert len(page["data"]) <= limit
        if total is not None:
            assert len(page["data"]) == min(limit, total - len(found) + len(page["data"]))
            assert ("nextCursor" in page) == (len(found) < total)
        if "nextCursor" not in page:
            return found
        if between is not None:
            between()
        assert number < 200, "the walk does not end"
        sent = {**(respell() if respell else params), "cursor": page["nextCursor"]}
    raise AssertionError


def identity(operation: str, record: dict[str, Any]) -> tuple[Any, ...]:
    """What the oracle calls an item; drawn transfers carry their place in `native`."""
    if operation == NFTS:
        return record["chain"], record.get("contractAddress"), record["tokenId"]
    return (record["chain"], *record["native"]["place"])


def answer(oracle: Oracle, operation: str, params: Params, now: int = NOW) -> list[Item]:
    """What the oracle expects of either operation."""
    return oracle.nfts(params, now) if operation == NFTS else oracle.transfers(params, now)


def assert_same_order(expected: list[Item], found: list[tuple[Any, ...]]) -> None:
    """The same items, in the same order up to ties."""
    by_identity = {item.identity: item for item in expected}
    assert sorted(map(repr, found)) == sorted(repr(item.identity) for item in expected)
    items = [by_identity[identity] for identity in found]
    assert [item.key for item in items] == [item.key for item in expected]
    for within, run in groupby(items, key=lambda item: item.within):
        if within is not None:
            together = list(run)
            assert len(together) == sum(item.within == within for item in items), f"{within} is torn apart"
            assert together == sorted(together, key=lambda item: item.inner)


def assert_same_records(oracle: Oracle, now: int = NOW) -> None:
    """Every NFT and every transfer is shown, whole, as the oracle knows it."""
    shown = walk(NFTS, {"includeLastTransfer": "true"}, [30])
    records = {identity(NFTS, record): record for record in shown}
    assert len(shown) == len(records) == len(oracle.world.nfts)
    for nft in oracle.world.nfts:
        expected = nft_record(oracle, nft, now, last_transfer=True)
        assert_same_record(expected, records[oracle.identity(nft)])
        contract = nft[2] if oracle.is_mint(nft) else oracle.collection(nft)
        moved = walk(TRANSFERS, {"contractAddress": contract or "", "tokenId": nft[2], "chain": nft[0]}, [30])
        assert_same_transfers(oracle, nft, moved)


def assert_same_transfers(oracle: Oracle, nft: NftKey, shown: Walk) -> None:
    """All transfers of an NFT, newest first."""
    expected = [transfer_record(oracle, nft, line) for line in reversed(oracle.transfers_of(nft))]
    assert len(shown) == len(expected)
    for wanted, record in zip(expected, shown, strict=True):
        assert_same(wanted, record)


def assert_same_record(expected: Line, shown: dict[str, Any]) -> None:
    """Compare NFT records; asks of equal worth may stand in any order in the order book."""
    expected, shown = dict(expected), dict(shown)
    book = expected.pop("orderbook", [])
    listed = shown.pop("orderbook", [])
    assert sorted(listed) == sorted(text for _, text in book)
    worth = {text: value for value, text in reversed(book)}
    assert [worth[text] for text in listed] == [value for value, _ in book]
    if "lastTransfer" in expected:
        assert_same(expected.pop("lastTransfer"), shown.pop("lastTransfer"))
    assert_same(expected, shown)


def assert_same(expected: Mapping[str, Any], shown: Mapping[str, Any]) -> None:
    """Compare two records; what the oracle holds open may be anything or absent."""
    left_open = {name for name, value in expected.items() if value is OPEN}
    wanted, found = tidy(expected), tidy(shown)
    names = (wanted.keys() | found.keys()) - left_open
    wrong = {
        name: (found.get(name), wanted.get(name)) for name in names if found.get(name) != wanted.get(name)
    }
    assert not wrong, f"shown and expected: {wrong}"


def tidy(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without what the rules leave open: the order of markets; whether an empty list or text is shown."""
    tidied = dict(record)
    tidied["markets"] = sorted(record.get("markets") or [])
    if "metadata" in record:
        traits = [
            {"traitType": "", **entry, "jsonType": type(entry["traitValue"])}
            for entry in record["metadata"].get("traits") or []
        ]
        stated = {name: value for name, value in record["metadata"].items() if value != ""}
        tidied["metadata"] = {**stated, "traits": traits}
    return tidied
