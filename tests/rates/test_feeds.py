"""Chainlink's feeds: which rounds are read, in what order, and what is not believed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.rates.chainlink import FeedError, FeedReader
from indexing.rates.feeds import FEEDS, Feed, chosen
from tests.ingestion.encoding import UNHURRIED, word
from tests.rates.played_feed import FEED, HOUR, NOW, Played, PlayedFeed, hourly

START = NOW - 1_000 * HOUR


def rates(
    feed: PlayedFeed, since: int, faults: list[str] | None = None, currency: str = "ETH"
) -> list[tuple[int, Decimal | None]]:
    """Times and prices that a reader yields."""
    tell = (faults if faults is not None else []).append
    reader = FeedReader(feed.node(), Feed(currency, FEED), NOW, tell)
    return [(one.timestamp, one.usd) for one in reader.rates(since)]


def test_a_price_is_the_answer_over_the_feeds_decimals_from_when_it_came() -> None:
    feed = PlayedFeed([(2_000_12345678, START)])
    assert rates(feed, 0) == [(START, Decimal("2000.12345678"))]


def test_rounds_come_in_order_of_time_across_the_aggregators_behind_the_proxy() -> None:
    feed = PlayedFeed(hourly(START, 10, 11), hourly(START + 2 * HOUR, 12), hourly(START + 3 * HOUR, 13, 14))
    assert [usd for _, usd in rates(feed, 0)] == [10, 11, 12, 13, 14]
    assert [usd for _, usd in rates(feed, START + HOUR)] == [11, 12, 13, 14]


def test_an_aggregator_that_went_on_after_it_was_replaced_is_no_longer_heard() -> None:
    feed = PlayedFeed(hourly(START, 10, 11, 99, 99), hourly(START + 2 * HOUR, 12, 13))
    assert [usd for _, usd in rates(feed, 0)] == [10, 11, 12, 13]


def test_what_is_stored_already_is_not_read_again() -> None:
    feed = PlayedFeed(hourly(START, *range(1, 1_001)))
    found = rates(feed, START + 998 * HOUR)
    assert [usd for _, usd in found] == [999, 1_000]
    assert feed.asked < 150  # of a thousand rounds


@UNHURRIED
@given(
    phases=st.lists(st.lists(st.booleans(), min_size=1, max_size=30), min_size=1, max_size=4),
    since=st.integers(0, 130),
)
def test_every_finished_round_since_a_moment_is_read_once_whatever_rounds_are_missing(
    phases: list[list[bool]], since: int
) -> None:
    played: list[list[Played]] = []
    at = START
    for phase in phases:
        rounds: list[Played] = []
        for finished in [*phase[:-1], True]:  # the newest is there: it is what latestRoundData tells of
            rounds.append((at * 10**8, at) if finished else None)
            at += HOUR
        played.append(rounds)
    wanted = [one[1] for rounds in played for one in rounds if one and one[1] >= START + since * HOUR]
    assert [moment for moment, _ in rates(PlayedFeed(*played), START + since * HOUR)] == wanted


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ((0, START + HOUR), "ETH: Round 2 has a price that is not above 0."),
        ((-5, START + HOUR), "ETH: Round 2 has a price that is not above 0."),
        ((10**60, START + HOUR), "ETH: Round 2 is out of range: it must be below 10^30."),
        ((10**8, NOW + 2 * HOUR), "ETH: Round 2 has a time that is still to come."),
    ],
)
def test_a_round_that_cannot_be_is_left_out_and_told(broken: tuple[int, int], why: str) -> None:
    feed = PlayedFeed([(10**8, START), broken, (3 * 10**8, START + 2 * HOUR)])
    faults: list[str] = []
    assert [usd for _, usd in rates(feed, 0, faults)] == [1, 3]
    assert faults == [why]


@pytest.mark.parametrize(
    ("description", "currency"), [("APE / ETH", "APE"), ("BTC / USD", "ETH"), ("ETH", "ETH"), ("", "ETH")]
)
def test_a_feed_of_something_else_is_refused(description: str, currency: str) -> None:
    with pytest.raises(FeedError):
        rates(PlayedFeed(hourly(START, 1), description=description), 0, currency=currency)


def test_a_feed_may_call_a_currency_by_the_name_it_had() -> None:
    assert rates(PlayedFeed(hourly(START, 1), description="MATIC / USD"), 0, currency="POL")


def test_an_address_without_a_feed_is_told() -> None:
    class Nothing(PlayedFeed):
        def answer(self, call: dict[str, str], block: str) -> str | None:
            return "0x"

    with pytest.raises(FeedError, match=f"There is no Chainlink feed at {FEED}"):
        rates(Nothing([]), 0)


def test_a_feed_that_claims_rounds_without_end_is_refused() -> None:
    class Endless(PlayedFeed):
        def answer(self, call: dict[str, str], block: str) -> str | None:
            newest = "0x" + word(1 << 64 | 2**62) + word(10**8) + 3 * word(START)
            return newest if call["data"] == "0xfeaf968c" else super().answer(call, block)

    with pytest.raises(FeedError, match="claims"):
        rates(Endless(hourly(START, 1)), 0)


def test_a_currency_is_read_from_one_chain_and_ethereum_goes_before_others() -> None:
    assert [(chain, feed.currency) for chain, feed in chosen(["polygon", "ethereum"], ["ETH", "POL"])] == [
        ("ethereum", "ETH"),
        ("ethereum", "POL"),
    ]
    assert chosen(["base"], []) == [("base", FEEDS["base"][0])]
    assert chosen(["base"], ["POL"]) == []
