"""What holds for every market, over the transactions of all their tables."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from indexing.judge.markets.registry import CLONES, UNLISTED, registry
from indexing.node.logs import RawLog
from tests import markets
from tests.markets.building import Case, verdict
from tests.markets.punk_events import PUNKS, V1
from tests.markets.test_declarations import TOPICS

NAMES = dict(line.split() for line in TOPICS.read_text().splitlines())
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
    found = verdict(replace(case.sent, logs=(*case.sent.logs, harmed)), case.chain)
    assert found.judgements == verdict(case.sent, case.chain).judgements
    assert [one.log_index for one in found.faults] == [harmed.log_index]


@pytest.mark.parametrize(("case", "event"), EVENTS.values(), ids=EVENTS)
def test_the_same_events_of_contracts_that_are_no_deployment_say_nothing(case: Case, event: RawLog) -> None:
    known = registry(case.chain).markets
    logs = [log._replace(address=STRANGER) if log.address in known else log for log in case.sent.logs]
    found = verdict(replace(case.sent, logs=tuple(logs), target=STRANGER), case.chain)
    assert (found.fills, found.faults, found.markets) == ((), (), ())
    assert not any(one.transfer_type == "sale" for one in found.judgements) or not found.is_commercial
