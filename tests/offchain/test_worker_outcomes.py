"""When metadata is tried again, by what an attempt found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.http.fetch import FetchError, FetchKind
from tokens.metadata.judging import Lack, UnusableDocumentError
from tokens.metadata.outcomes import (
    LAST_ATTEMPT,
    READ,
    Next,
    State,
    Verdict,
    after,
    broken,
    no_metadata,
    of_error,
    passed_over,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
MIDDLE = 0.5
"""The share at which waits are what they are said to be."""

UNREACHABLE = Verdict(State.UNREACHABLE, "No answer in time.")
UNREVEALED = Verdict(State.UNREVEALED, "HTTP 404")
OURS = Verdict(State.UNREACHABLE, "No node.", is_ours=True)


def end(verdict: Verdict, attempts: int = 1, days: int = 30, share: float = MIDDLE) -> Next:
    return after(verdict, attempts, NOW, days, share)


def wait(verdict: Verdict, attempts: int = 1, share: float = MIDDLE) -> timedelta | None:
    at = end(verdict, attempts, share=share).next_attempt_at
    return None if at is None else at - NOW


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (FetchKind.UNREACHABLE, State.UNREACHABLE),
        (FetchKind.MISSING, State.UNREVEALED),
        (FetchKind.GONE, State.GONE),
        (FetchKind.REFUSED, State.UNUSABLE),
        (FetchKind.TOO_LARGE, State.GONE),
        (FetchKind.UNUSABLE, State.UNUSABLE),
    ],
)
def test_each_kind_of_failure_has_its_state(kind: FetchKind, state: State) -> None:
    found = of_error(FetchError("Why.", kind, 5.0))
    assert (found.state, found.reason, found.retry_after) == (state, "Why.", 5.0)


def test_what_was_read_is_read_again_when_it_is_old() -> None:
    assert end(READ, attempts=3) == Next(State.READY, "", 0, NOW + timedelta(days=30))


def test_an_age_of_0_days_is_never_reached() -> None:
    assert end(READ, days=0).next_attempt_at is None


@pytest.mark.parametrize("state", [State.ABSENT, State.GONE])
def test_what_trying_again_would_not_change_is_not_tried_again(state: State) -> None:
    assert end(Verdict(state, "Why."), attempts=2) == Next(state, "Why.", 2, None)


@pytest.mark.parametrize(
    ("attempts", "expected"), [(1, 1), (2, 2), (5, 16), (11, 1024), (12, 1440), (23, 1440)]
)
def test_a_server_that_does_not_answer_is_asked_less_and_less_often(attempts: int, expected: int) -> None:
    assert wait(UNREACHABLE, attempts) == minutes(expected)


def test_a_server_that_has_not_answered_for_two_weeks_is_given_up() -> None:
    last = end(UNREACHABLE, LAST_ATTEMPT)
    assert (last.state, last.next_attempt_at) == (State.GONE, None)
    assert last.fault == f"Given up after {LAST_ATTEMPT} attempts, the last: No answer in time."
    waits = [wait(UNREACHABLE, attempts) for attempts in range(1, LAST_ATTEMPT)]
    total = sum(filter(None, waits), timedelta())
    assert timedelta(days=13) < total < timedelta(days=15)


def test_the_operators_own_node_is_never_given_up_and_asked_every_hour() -> None:
    late = end(OURS, 1_000)
    assert (late.state, late.next_attempt_at) == (State.UNREACHABLE, NOW + timedelta(hours=1))
    assert late.attempts < LAST_ATTEMPT / 2, "a server that fails afterwards has not been asked so often"


@given(st.floats(0, 1), st.integers(1, 1_000), st.floats(0.1, 600))
def test_a_server_that_is_passed_over_was_not_asked_so_that_it_is_no_attempt(
    share: float, attempts: int, silence: float
) -> None:
    """Others on a host that is down would be given up without having been asked for once."""
    found = end(passed_over("meta.example", silence), attempts, share=share)
    assert (found.state, found.attempts) == (State.UNREACHABLE, attempts - 1)
    assert found.next_attempt_at is not None
    assert timedelta(seconds=silence) <= found.next_attempt_at - NOW <= timedelta(seconds=max(silence, 75))


@pytest.mark.parametrize("kind", [FetchKind.UNUSABLE, FetchKind.REFUSED])
@pytest.mark.parametrize(
    ("attempts", "expected"), [(1, 1), (2, 2), (7, 64), (12, 1440), (24, 1440), (25, 2880)]
)
def test_an_odd_answer_is_asked_for_again_soon_and_less_and_less_often(
    kind: FetchKind, attempts: int, expected: int
) -> None:
    """A page that checks browsers, HTTP 400 and a fourth redirect pass, and so does a limit of requests."""
    for verdict in (
        of_error(FetchError("Odd.", kind)),
        no_metadata(UnusableDocumentError(Lack.HTML)),
        no_metadata(UnusableDocumentError(Lack.ERROR)),
    ):
        assert (end(verdict, attempts).state, wait(verdict, attempts)) == (State.UNUSABLE, minutes(expected))
        assert end(verdict, 1_000, days=0).next_attempt_at == NOW + timedelta(days=1)


def test_what_the_service_failed_at_is_tried_again_like_what_was_read() -> None:
    verdict = broken("It cannot be read", ValueError())
    assert (end(verdict).state, wait(verdict)) == (State.GONE, timedelta(days=30))
    assert end(verdict, days=0).next_attempt_at is None


@pytest.mark.parametrize("kind", [FetchKind.GONE, FetchKind.TOO_LARGE])
def test_what_a_server_says_is_gone_or_is_too_large_is_not_asked_for_again(kind: FetchKind) -> None:
    assert wait(of_error(FetchError("No.", kind))) is None


@pytest.mark.parametrize(
    ("attempts", "expected"), [(22, 1), (23, 2), (24, 4), (26, 16), (27, 30), (1_000, 30)]
)
def test_what_is_not_revealed_for_two_weeks_is_looked_for_ever_less_often(
    attempts: int, expected: int
) -> None:
    assert wait(UNREVEALED, attempts) == timedelta(days=expected)


def test_what_is_not_revealed_is_looked_for_daily_where_nothing_grows_old() -> None:
    assert end(UNREVEALED, 1_000, days=0).next_attempt_at == NOW + timedelta(days=1)


@pytest.mark.parametrize(("attempts", "expected"), [(1, 10), (2, 20), (3, 40), (9, 1440), (22, 1440)])
def test_what_is_not_revealed_is_looked_for_after_ten_minutes_and_at_last_daily(
    attempts: int, expected: int
) -> None:
    assert wait(UNREVEALED, attempts) == minutes(expected)


def test_a_server_that_asks_to_be_left_alone_is_but_for_no_more_than_a_day() -> None:
    assert wait(Verdict(State.UNREACHABLE, "HTTP 429", 3_600.0)) == timedelta(hours=1)
    assert wait(Verdict(State.UNREACHABLE, "HTTP 429", 1.0)) == minutes(1)
    assert wait(Verdict(State.UNREACHABLE, "HTTP 429", 1e9)) == timedelta(days=1)


@given(st.floats(0, 1), st.integers(1, LAST_ATTEMPT - 1))
def test_those_that_failed_together_do_not_come_again_together(share: float, attempts: int) -> None:
    usual, drawn = wait(UNREACHABLE, attempts), wait(UNREACHABLE, attempts, share)
    assert usual is not None
    assert drawn is not None
    assert 0.75 * usual <= drawn <= 1.25 * usual


def test_a_reason_is_cut_so_that_no_stranger_fills_the_table() -> None:
    assert len(end(Verdict(State.GONE, "x" * 10_000)).fault) == 500
