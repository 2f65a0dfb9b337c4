"""What the markets' modules declare: their names, their events and their contracts."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from django.apps import apps

from indexing.decode.signatures import Event
from indexing.judge import markets
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import CLONES, MARKETS, NAMES, PROTOCOLS, UNLISTED, registry
from tests.markets.building import ETHEREUM
from tests.markets.topics import ORDER_TOPICS, TOPICS

MODULES = [
    importlib.import_module(f"{markets.__name__}.{one.name}")
    for one in pkgutil.iter_modules(markets.__path__)
]


def _events(value: object) -> Iterator[Event]:
    if isinstance(value, Event):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _events(one)


def test_the_events_that_are_declared_are_those_on_the_chains() -> None:
    declared = {
        f"{event.topic} {event.name}"
        for module in MODULES
        for value in vars(module).values()
        for event in _events(value)
    }
    assert declared == {line for file in (TOPICS, ORDER_TOPICS) for line in file.read_text().splitlines()}


def test_every_market_that_a_module_declares_is_listed() -> None:
    listed = set(map(id, MARKETS))
    for module in MODULES:
        declared = (getattr(module, "MARKET", None), *getattr(module, "MARKETS", ()))
        assert {id(one) for one in declared if one is not None} <= listed, module.__name__


def test_a_contract_is_declared_once() -> None:
    declared = Counter(
        (chain, address)
        for market in MARKETS
        for places in (market.targets, *(one.addresses for one in market.protocols))
        for chain, addresses in places.items()
        for address in addresses
    )
    assert [where for where, count in declared.items() if count > 1] == []
    assert all(re.fullmatch("0x[0-9a-f]{40}", address) for _, address in declared)


def test_a_slug_has_one_name_and_a_protocol_one_reader() -> None:
    assert len({(market.slug, market.name) for market in MARKETS}) == len({market.slug for market in MARKETS})
    readers = {(one.name, one.read) for market in MARKETS for one in market.protocols}
    assert len(readers) == len(PROTOCOLS)


def test_an_event_that_makes_strange_contracts_known_is_of_one_protocol() -> None:
    events = [event.topic for one in PROTOCOLS.values() for event in (*one.unlisted, *one.clones)]
    assert len(events) == len(set(events)) == len(UNLISTED) + len(CLONES)


@pytest.mark.django_db
def test_every_database_begins_with_the_names_of_the_markets() -> None:
    rows = apps.get_model("tokens", "Market").objects.values_list("slug", "name")
    assert dict(rows) == NAMES
    assert (NAMES["opensea"], NAMES["zeroex"], "joepegs" in NAMES) == ("OpenSea", "0x", False)


def test_what_an_operator_adds_wins_and_without_a_protocol_is_a_target_and_a_source() -> None:
    built_in = registry(ETHEREUM)
    address = next(iter(built_in.markets))
    added = [Deployment(address, "blur-1", "own"), Deployment("0x" + "3a" * 20, "", "front")]
    found = registry(ETHEREUM, added)
    assert found.markets == {**built_in.markets, address: added[0]}
    assert found.targets == {**built_in.targets, added[1].address: "front"}
    assert found.sources == {**built_in.sources, added[1].address: "front"}
