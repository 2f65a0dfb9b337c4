"""A price API: what is asked, which answers are read, and that a hostile one does no harm."""

from __future__ import annotations

import gzip
import logging
from decimal import Decimal
from typing import Any

import pytest

from indexing.rates.price_api import ATTEMPTS, WINDOW, PriceApi, PriceApiError
from tests.net.played import Answer, Clock
from tests.rates.price_server import PriceServer

AT = 1_700_000_000
Found = list[tuple[int, Any]]


def ask(
    server: PriceServer, *, since: int = AT, until: int = AT + 100, **options: Any
) -> tuple[Found, list[str]]:
    """Times and prices, and what was told of the answers."""
    faults: list[str] = []
    clock = Clock()
    api = PriceApi(server.template, on_fault=faults.append, sleep=clock.sleep, **options)
    return [(one.timestamp, one.usd) for one in api.rates("ETH", "ether eum", since, until)], faults


def answered(document: Any, **options: Any) -> tuple[Found, list[str]]:
    with PriceServer(lambda currency, start, end: document) as server:
        return ask(server, **options)


@pytest.mark.parametrize(
    "document",
    [
        [[AT + 5, 2000.5]],
        {"prices": [[(AT + 5) * 1000, 2000.5]], "market_caps": []},
        [{"timestamp": AT + 5, "usd": "2000.5"}],
        {"prices": [{"time": AT + 5.25, "price": 2000.5, "volume": 3}]},
    ],
)
def test_answers_of_the_documented_shapes_are_read(document: Any) -> None:
    assert answered(document) == ([(AT + 5, Decimal("2000.5"))], [])


def test_a_long_time_is_asked_for_in_parts_of_ninety_days() -> None:
    with PriceServer(lambda currency, start, end: [[end, 1], [start, 2]]) as server:
        found, _ = ask(server, since=AT, until=AT + WINDOW + 10)
    assert server.asked == [
        ("ether%20eum", AT, AT + WINDOW - 1),
        ("ether%20eum", AT + WINDOW, AT + WINDOW + 10),
    ]
    assert [moment for moment, _ in found] == [AT, AT + WINDOW - 1, AT + WINDOW, AT + WINDOW + 10]


def test_prices_are_exact_decimals_of_at_most_18_places() -> None:
    body = b"[[%d, 2000.123456789012345678901]]" % AT
    assert answered(Answer(body))[0] == [(AT, Decimal("2000.123456789012345679"))]


def test_an_answer_can_say_nothing_of_a_time_that_was_not_asked_for() -> None:
    assert answered([[AT - 1, 1], [AT, 2], [AT + 100, 3], [AT + 101, 4]])[0] == [(AT, 2), (AT + 100, 3)]


@pytest.mark.parametrize(
    "entry",
    [
        [AT, None],
        [AT, 0],
        [AT, -5],
        [AT, True],
        [AT, "1e5"],
        [AT, "９"],
        [AT, [1]],
        [AT, 10**400],
        [AT],
        [AT, 1, 2],
        [None, 1],
        ["1700000000", 1],
        [True, 1],
        [10**40, 1],
        [-1, 1],
        {},
        None,
        7,
    ],
)
def test_an_entry_that_is_no_price_is_left_out_and_told(entry: Any) -> None:
    found, faults = answered([[AT, 1], entry, [AT + 1, 2]])
    assert found == [(AT, 1), (AT + 1, 2)]
    assert len(faults) == 1
    assert "1 of 3 prices of ETH are left out; the first " in faults[0]


@pytest.mark.parametrize(
    "number", [b"1e400", b"1e99999999999999999999", b"1e-400", b"9" * 100_000, b"NaN", b"-Infinity"]
)
def test_numbers_without_bounds_are_no_prices(number: bytes) -> None:
    try:
        found, faults = answered(Answer(b"[[%d, %s]]" % (AT, number)))
    except PriceApiError:  # no JSON at all
        return
    assert found == []
    assert len(faults) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"null",
        b"[" * 100_000,
        b'{"prices": {"a": 1}}',
        b'{"error": "key very-secret-key is wrong"}',
        b"\xff\xfe",
        b'"text"',
    ],
)
def test_what_is_no_list_of_prices_is_refused_without_the_key(body: bytes) -> None:
    with pytest.raises(PriceApiError) as refused:
        answered(Answer(body))
    assert "secret" not in str(refused.value)
    assert "/prices" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_an_answer_that_is_too_large_is_given_up_also_when_it_was_packed_small() -> None:
    packed = Answer(gzip.compress(b" " * 3_000_000), headers={"Content-Encoding": "gzip"})
    with pytest.raises(PriceApiError, match="an answer of more than 1000000 bytes"):
        answered(packed, max_body=1_000_000)


def test_a_redirect_is_not_followed() -> None:
    with pytest.raises(PriceApiError, match="HTTP 302"):
        answered(Answer(status=302, headers={"Location": "http://127.0.0.1:1/"}))


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_may_pass_is_tried_again_and_not_for_ever(status: int) -> None:
    tries: list[int] = []

    def twice(currency: str, start: int, end: int) -> Any:
        tries.append(start)
        return Answer(status=status) if len(tries) < 3 else [[AT, 1]]

    with PriceServer(twice) as server:
        assert ask(server)[0] == [(AT, 1)]
    with PriceServer(lambda *_: Answer(status=status)) as server:
        with pytest.raises(PriceApiError, match=f"HTTP {status}"):
            ask(server)
        assert len(server.asked) == ATTEMPTS


def test_a_wrong_key_is_told_at_once() -> None:
    with PriceServer(lambda *_: Answer(b"no", status=401)) as server:
        with pytest.raises(PriceApiError, match="HTTP 401"):
            ask(server)
        assert len(server.asked) == 1


def test_a_server_that_is_not_there_is_told_without_the_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with PriceServer(lambda *_: []) as server:
        assert ask(server) == ([], [])
    with pytest.raises(PriceApiError) as refused:
        ask(server)
    assert "secret" not in str(refused.value)
    assert "secret" not in caplog.text
