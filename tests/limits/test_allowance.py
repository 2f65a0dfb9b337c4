"""How a quota is written, and how it is counted: in windows of time, exactly, by whoever counts at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.core.cache import caches

from core.access import counting
from core.access.allowance import Allowance
from core.quotas import Quota, quota_of

MINUTE = Quota(10, 60)


@pytest.mark.parametrize(
    ("text", "quota"),
    [
        ("600/minute", Quota(600, 60)),
        (" 600 / Minutes ", Quota(600, 60)),
        ("1/s", Quota(1, 1)),
        ("5/min", Quota(5, 60)),
        ("100/h", Quota(100, 3_600)),
        ("1000000000/day", Quota(1_000_000_000, 86_400)),
    ],
)
def test_a_quota_is_a_number_a_slash_and_a_period(text: str, quota: Quota) -> None:
    assert quota_of(text) == quota
    assert quota_of(str(quota)) == quota


@pytest.mark.parametrize(
    "text",
    [
        "",
        "600",
        "600/",
        "/minute",
        "0/minute",
        "-1/minute",
        "1.5/s",
        "600/week",
        "600 per minute",
        "٣/minute",
        "2000000000/s",
    ],
)
def test_what_is_none_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(ValueError, match="such as 600/minute"):
        quota_of(text)


def taken(holder: str, *units: int, quota: Quota = MINUTE) -> list[bool]:
    """Whether each request, of so many units, got them."""
    return [Allowance.of(holder, quota).take(one) for one in units]


def left(holder: str) -> int:
    allowance = Allowance.of(holder, MINUTE)
    allowance.look()
    return allowance.left


def test_as_much_as_the_quota_is_given_in_a_window_and_all_of_it_in_the_next(
    clock: time_machine.Traveller,
) -> None:
    clock.shift(Allowance.of("a", MINUTE).wait)  # a window begins
    assert Allowance.of("a", MINUTE).wait == 60
    assert taken("a", *[1] * 12) == [True] * 10 + [False] * 2
    clock.shift(59)
    assert Allowance.of("a", MINUTE).wait == 1, "still the same window, at its last second"
    assert taken("a", 1) == [False]
    clock.shift(1)
    assert taken("a", *[1] * 12) == [True] * 10 + [False] * 2


def test_a_request_at_the_edge_is_counted_in_one_window_and_not_in_the_other(
    clock: time_machine.Traveller,
) -> None:
    clock.shift(Allowance.of("a", MINUTE).wait)
    before = Allowance.of("a", MINUTE)
    clock.shift(60)
    after = Allowance.of("a", MINUTE)
    assert before.take(4), "one that came just before counts there, also when it is counted only now"
    assert after.take(1)
    assert (before.left, after.left) == (6, 9)


def test_the_wait_is_never_more_than_a_window_and_never_nothing(clock: time_machine.Traveller) -> None:
    waits = []
    for _ in range(240):
        clock.shift(0.25)
        waits.append(Allowance.of("a", MINUTE).wait)
    assert (min(waits), max(waits)) == (1, 60)
    assert sorted(waits) == sorted(list(range(1, 61)) * 4)


def test_windows_of_different_holders_end_at_different_moments(clock: time_machine.Traveller) -> None:
    """Else all who wait would come back in the same second."""
    assert len({Allowance.of(f"holder {number}", MINUTE).wait for number in range(100)}) > 20


def test_each_holder_has_its_own(clock: time_machine.Traveller) -> None:
    assert taken("a", *[1] * 11)[-1] is False
    assert taken("b", 1) == [True]


def test_what_does_not_fit_takes_nothing_so_that_less_may(clock: time_machine.Traveller) -> None:
    assert taken("a", 6, 5, 4, 1) == [True, False, True, False]
    assert left("a") == 0


def test_what_costs_more_than_all_is_given_for_all(clock: time_machine.Traveller) -> None:
    """A limit below the cost of a query would else forbid it for good."""
    allowance = Allowance.of("a", MINUTE)
    assert allowance.take(1)
    assert allowance.take(19), "nine are left, which are all that this request has not taken"
    assert left("a") == 0
    assert taken("b", 1) == [True]
    other = Allowance.of("b", MINUTE)
    assert other.take(1)
    assert not other.take(19), "somebody else has taken one of them"


def test_threads_together_get_exactly_the_quota() -> None:
    quota = Quota(500, 86_400)
    with ThreadPoolExecutor(8) as pool:
        parts = list(pool.map(lambda _: sum(taken("a", *[1] * 100, quota=quota)), range(8)))
    assert sum(parts) == 500


def test_what_the_memory_forgot_while_it_was_counted_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others may fill the cache between the two steps."""
    monkeypatch.setattr(caches["default"], "add", lambda *_: False)
    assert counting.added("a", 3, 60) == 3


def test_while_the_cache_is_away_each_process_counts_and_asks_it_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def fail(*_: object) -> int:
        asked.append(1)
        raise ConnectionError("Error 111 connecting to redis://:secret@10.0.0.7")

    clock = iter([0.0, 0.0, 1.0, 4.9, 5.1, 5.1])
    monkeypatch.setattr(counting, "_away_until", -1.0)
    monkeypatch.setattr("core.access.counting.time.monotonic", lambda: next(clock))
    monkeypatch.setattr(caches["default"], "incr", fail)
    assert taken("a", *[1] * 4) == [True] * 4
    assert len(asked) == 2, "at first, and again after five seconds"
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert "ConnectionError" in caplog.text
    assert "secret" not in caplog.text
    assert caches["own"]._cache  # type: ignore[attr-defined]
