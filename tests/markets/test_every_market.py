"""What holds for every market, over the transactions of all their tables."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from indexing.judge.markets.orders import APPROVAL_FOR_ALL
from indexing.judge.markets.registry import CLONES, POOLS, PROTOCOLS, UNLISTED, registry
from indexing.node.logs import RawLog
from tests import markets
from tests.ingestion.encoding import LATER
from tests.markets.building import Case, verdict
from tests.markets.ordering import Orders, read_orders
from tests.markets.punk_events import PUNKS, V1
from tests.markets.test_declarations import ORDER_TOPICS, TOPICS

NAMES = dict(line.split() for line in TOPICS.read_text().splitlines())
ORDER_NAMES = NAMES | dict(line.split() for line in ORDER_TOPICS.read_text().splitlines())
STRANGER = "0x" + "5f" * 20
HARMS: dict[str, Callable[[RawLog], RawLog]] = {
    "cut off": lambda log: log._replace(data=log.data[: len(log.data) // 2]),
    "a topic less": lambda log: log._replace(topics=log.topics[:-1]),
    "a topic more": lambda log: log._replace(topics=(*log.topics, log.topics[0])),
}


def _cases() -> Iterator[tuple[str, Case]]:
    """The transactions of all tables in which nothing is wrong, and whose contracts are known by their addresses."""
    for one in pkgutil.iter_modules(markets.__path__):
        if one.name.startswith("test_") and f"{markets.__name__}.{one.name}" != __name__:
            table = getattr(importlib.import_module(f"{markets.__name__}.{one.name}"), "CASES", {})
            for case in table.values():
                topics = {log.topics[0] for log in case.sent.logs}
                if case.is_sound and not topics & {*UNLISTED, *CLONES}:
                    yield one.name.removeprefix("test_"), case


def _events() -> Iterator[tuple[str, tuple[Case, RawLog]]]:
    """Each event of each market where it is met first."""
    for name, case in _cases():
        known = registry(case.chain).markets
        for log in case.sent.logs:
            if log.address in known and log.topics[0] in NAMES:
                yield f"{NAMES[log.topics[0]]} of {name}, {log.topics[0][:6]}", (case, log)


EVENTS = dict(reversed(list(_events())))


def _orders() -> Iterator[tuple[str, tuple[Orders, RawLog]]]:
    """Each event of orders of each market where it is met first, with all that it stands in."""
    for one in pkgutil.iter_modules(markets.__path__):
        if one.name.startswith("test_orders_"):
            for case in importlib.import_module(f"{markets.__name__}.{one.name}").ORDERS.values():
                for log in case.logs:
                    if _is_of_orders(log, case.chain):
                        yield (
                            f"{ORDER_NAMES[log.topics[0]]} of {log.address}, {log.topics[0][:6]}",
                            (case, log),
                        )


def _is_of_orders(log: RawLog, chain: int) -> bool:
    deployment = registry(chain).books.get(log.address)
    events = PROTOCOLS[deployment.protocol].order_events if deployment is not None else ()
    return log.topics[0] in {*(event.topic for event in events), *POOLS, APPROVAL_FOR_ALL.topic}


ORDERS = dict(reversed(list(_orders())))


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
@pytest.mark.parametrize(("case", "event"), EVENTS.values(), ids=EVENTS)
def test_a_malformed_copy_of_an_event_is_a_fault_and_the_rest_is_read(
    case: Case, event: RawLog, harm: Callable[[RawLog], RawLog]
) -> None:
    harmed = harm(event)._replace(log_index=1 + case.sent.logs[-1].log_index)
    if (
        event.address in (PUNKS, V1)
        or not harmed.topics
        or harmed == event._replace(log_index=harmed.log_index)
    ):
        pytest.skip("the punks' own test has theirs, and nothing can be cut off from nothing")
    found = verdict(replace(case.sent, logs=(*case.sent.logs, harmed)), case.chain, case.earlier)
    assert found.judgements == verdict(case.sent, case.chain, case.earlier).judgements
    assert [one.log_index for one in found.faults] == [harmed.log_index]


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
