"""What holds for every market, over the transactions of all their tables."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing.judge.markets.orders import APPROVAL_FOR_ALL
from indexing.judge.markets.registry import CLONES, POOLS, PROTOCOLS, UNLISTED, registry
from indexing.node.logs import RawLog
from tests import markets
from tests.ingestion.encoding import LATER
from tests.markets.building import Case, verdict
from tests.markets.changed_logs import changed
from tests.markets.ordering import Orders, read_orders
from tests.markets.punk_events import PUNKS, V1
from tests.markets.topics import ORDER_TOPICS, TOPICS

NAMES = dict(line.split() for line in TOPICS.read_text().splitlines())
ORDER_NAMES = NAMES | dict(line.split() for line in ORDER_TOPICS.read_text().splitlines())
ENDLESS = "OrdersMatched of blur, "
"""The end of Blur's first event is not read: it holds what no rule needs."""
STRANGER = "0x" + "5f" * 20
ALWAYS_TOLD = ("blur-1", "looksrare-1")
"""Protocols whose events are all of sales: whatever one holds, it is a fill or a fault."""
HARMS: dict[str, Callable[[RawLog], RawLog]] = {
    "cut off": lambda log: log._replace(data=log.data[: len(log.data) // 2]),
    "without its last byte": lambda log: log._replace(data=log.data[:-1]),
    "without its last word": lambda log: log._replace(data=log.data[:-32]),
    "without data": lambda log: log._replace(data=b""),
    "a topic less": lambda log: log._replace(topics=log.topics[:-1]),
    "a topic more": lambda log: log._replace(topics=(*log.topics, log.topics[0])),
    "its topics twice": lambda log: log._replace(topics=log.topics * 2),
}

TABLES = {
    one.name.removeprefix("test_"): importlib.import_module(f"{markets.__name__}.{one.name}")
    for one in pkgutil.iter_modules(markets.__path__)
    if one.name.startswith("test_") and f"{markets.__name__}.{one.name}" != __name__
}
SOUND: dict[str, list[Case]] = {
    name: [case for case in getattr(module, "CASES", {}).values() if case.is_sound]
    for name, module in TABLES.items()
}
"""The transactions of all tables in which nothing is wrong."""
PARTING = ("nfttrader", "rarible-2")
"""Protocols of which an event has the logs since the one before it, whether that can be read or not."""


def _events() -> Iterator[tuple[str, tuple[Case, RawLog]]]:
    """Each event of each market where it is met first, of contracts that are known by their addresses."""
    for name, case in ((name, case) for name, cases in SOUND.items() for case in cases):
        if {log.topics[0] for log in case.sent.logs} & {*UNLISTED, *CLONES}:
            continue
        known = registry(case.chain).markets
        for log in case.sent.logs:
            if log.address in known and log.topics[0] in NAMES:
                yield f"{NAMES[log.topics[0]]} of {name}, {log.topics[0][:6]}", (case, log)


EVENTS = dict(reversed(list(_events())))
READ = {name: one for name, one in EVENTS.items() if one[1].address not in (PUNKS, V1)}
"""Those that are no moves as well: the punks' own test has theirs."""
HARMED = {
    f"{name}, {label}": (case, harm(event))
    for name, (case, event) in READ.items()
    for label, harm in HARMS.items()
    if harm(event) != event and harm(event).topics and not (name.startswith(ENDLESS) and "last" in label)
}


def _orders() -> Iterator[tuple[str, tuple[Orders, RawLog]]]:
    """Each event of orders of each market where it is met first, with all that it stands in."""
    for module in TABLES.values():
        for case in getattr(module, "ORDERS", {}).values():
            for log in case.logs:
                if _is_of_orders(log, case.chain):
                    yield f"{ORDER_NAMES[log.topics[0]]} of {log.address}, {log.topics[0][:6]}", (case, log)


def _is_of_orders(log: RawLog, chain: int) -> bool:
    deployment = registry(chain).books.get(log.address)
    events = PROTOCOLS[deployment.protocol].order_events if deployment is not None else ()
    return log.topics[0] in {*(event.topic for event in events), *POOLS, APPROVAL_FOR_ALL.topic}


ORDERS = dict(reversed(list(_orders())))


@pytest.mark.parametrize(("case", "harmed"), HARMED.values(), ids=HARMED)
def test_a_malformed_copy_of_an_event_is_a_fault_and_the_rest_is_read(case: Case, harmed: RawLog) -> None:
    harmed = harmed._replace(log_index=1 + case.sent.logs[-1].log_index)
    found = verdict(replace(case.sent, logs=(*case.sent.logs, harmed)), case.chain, case.earlier)
    assert found.judgements == verdict(case.sent, case.chain, case.earlier).judgements
    assert [one.log_index for one in found.faults] == [harmed.log_index]


def _malformed() -> Iterator[tuple[str, tuple[Case, RawLog]]]:
    """What an event of a market cannot say, with a transaction of its table that has a log of the same contract."""
    for name, module in TABLES.items():
        for label, bad in getattr(module, "MALFORMED", {}).items():
            case = next(one for one in SOUND[name] if bad.address in {log.address for log in one.sent.logs})
            yield f"{name}: {label}", (case, bad)


MALFORMED = dict(_malformed())


@pytest.mark.parametrize(("case", "bad"), MALFORMED.values(), ids=MALFORMED)
def test_an_event_that_says_what_cannot_be_is_a_fault_and_the_rest_is_read(case: Case, bad: RawLog) -> None:
    """Before all others as after them, and, where it parts nothing, right before the first of its contract."""
    logs = case.sent.logs
    first = next(place for place, log in enumerate(logs) if log.address == bad.address)
    protocol = registry(case.chain).markets.get(bad.address) or CLONES[bad.topics[0]]
    whole = verdict(case.sent, case.chain, case.earlier)
    for place in {0, len(logs)} if protocol.protocol in PARTING else {0, first, len(logs)}:
        put = [one._replace(log_index=at) for at, one in enumerate([*logs[:place], bad, *logs[place:]])]
        found = verdict(replace(case.sent, logs=tuple(put)), case.chain, case.earlier)
        assert (found.judgements, found.markets) == (whole.judgements, whole.markets)
        assert [(one.protocol, one.log_index) for one in found.faults] == [(protocol.protocol, place)]


@pytest.mark.parametrize(("case", "event"), READ.values(), ids=READ)
@settings(deadline=None, max_examples=8)
@given(drawn=st.data())
def test_whatever_an_event_holds_its_transaction_is_judged(
    case: Case, event: RawLog, drawn: st.DataObject
) -> None:
    """Without its end or some topics, with another word, or of any bytes."""
    data, topics = st.binary(max_size=700), st.integers(0, 4).map(lambda size: (event.topics * 2)[:size])
    odd = drawn.draw(
        changed(event) | st.builds(lambda *of: event._replace(data=of[0], topics=of[1]), data, topics)
    )
    logs = tuple(odd if one is event else one for one in case.sent.logs)
    verdict(replace(case.sent, logs=logs), case.chain, case.earlier)
    if odd.topics and registry(case.chain).markets[event.address].protocol in ALWAYS_TOLD:
        alone = verdict(replace(case.sent, logs=(odd,)), case.chain)
        assert alone.fills or alone.faults


@pytest.mark.parametrize(("case", "event"), EVENTS.values(), ids=EVENTS)
def test_the_same_events_of_contracts_that_are_no_deployment_say_nothing(case: Case, event: RawLog) -> None:
    known = registry(case.chain).markets
    logs = [log._replace(address=STRANGER) if log.address in known else log for log in case.sent.logs]
    found = verdict(replace(case.sent, logs=tuple(logs), target=STRANGER), case.chain)
    assert (found.fills, found.faults, found.markets) == ((), (), ())
    assert not any(one.transfer_type == "sale" for one in found.judgements) or not found.is_commercial


def test_every_event_of_orders_that_a_market_declares_stands_in_a_table() -> None:
    met = {log.topics[0] for _, log in ORDERS.values()}
    declared = {event.topic for one in PROTOCOLS.values() for event in one.order_events}
    assert {ORDER_NAMES[topic] for topic in declared - met} == set()


def _harmed(log: RawLog) -> Iterator[RawLog]:
    """Copies of a log without a topic, with one more, or cut off at any word and in its midst; not without a first."""
    yield log._replace(topics=(*log.topics, log.topics[0]))
    if len(log.topics) > 1:
        yield log._replace(topics=log.topics[:-1])
    for size in range(0, len(log.data), 32):
        yield log._replace(data=log.data[:size])
        yield log._replace(data=log.data[: size + 31])


@pytest.mark.parametrize(("case", "event"), ORDERS.values(), ids=ORDERS)
def test_a_malformed_event_of_orders_is_a_fault_and_the_rest_is_read(case: Orders, event: RawLog) -> None:
    whole = read_orders(case.logs, case.chain)
    for harmed in _harmed(event._replace(log_index=LATER)):
        is_approval = event.topics[0] == APPROVAL_FOR_ALL.topic and len(harmed.topics) != len(event.topics)
        fault = (
            [] if is_approval else [LATER]
        )  # an approval that does not index its operator is another event
        assert read_orders([*case.logs, harmed], case.chain) == [*whole, *fault], harmed


@pytest.mark.parametrize(("case", "event"), ORDERS.values(), ids=ORDERS)
def test_events_of_orders_of_contracts_that_are_no_deployment_say_nothing(
    case: Orders, event: RawLog
) -> None:
    is_told_by_topic = event.topics[0] in {*POOLS, APPROVAL_FOR_ALL.topic}
    logs = [log._replace(address=STRANGER) for log in case.logs if log.topics == event.topics]
    assert is_told_by_topic or read_orders(logs, case.chain) == []
