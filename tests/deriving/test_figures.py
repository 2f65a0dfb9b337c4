"""Figures of collections: what is counted for people, when it is counted again, and that a count is right by itself."""

from __future__ import annotations

import json
from array import array

import pytest

from tests.builders import (
    ALICE,
    APES,
    BOB,
    CAROL,
    DEAD,
    ZERO,
    Line,
    contract,
    load_lines,
    nft,
    rate,
    transfer,
)
from tokens.models import Chain
from transfers.figures import counting
from transfers.figures.details import BINS, PERIODS, Sales, distribution
from transfers.figures.distinct import Distinct
from transfers.models import CollectionFigures, Transfer

DAY = 86_400
NOW = 1_700_000_000
OLD = NOW - 40 * DAY


def sold(token: str, at: int, price: int, block: int, receiver: str = BOB) -> Line:
    """A sale of an ape for so many hundredths of an ether."""
    return transfer(
        token,
        block=block,
        timestamp=at,
        sender=ALICE,
        receiver=receiver,
        transferType="sale",
        ethValue=price / 100,
        markets=["blur"],
    )


def minted(token: str, block: int, to: str = ALICE) -> Line:
    """A mint, long ago."""
    return transfer(token, block=block, timestamp=OLD - DAY, receiver=to)


def four_apes() -> list[Line]:
    """Four apes: one is burnt, one was sold long ago, and one twice of late; two of them have metadata."""
    return [
        contract(APES, name="Apes"),
        nft("1", traits=[("Fur", "Brown")], rarity=1.0),
        nft("2", traits=[("Fur", "Gold")], rarity=3.0),
        *(minted(str(number), number) for number in range(1, 5)),
        sold("1", OLD, 100, 10),
        sold("2", NOW - DAY, 50, 11),
        transfer("2", block=12, timestamp=NOW - DAY // 2, sender=BOB, receiver=CAROL, transferType="sale"),
        transfer("4", block=13, timestamp=NOW - DAY, sender=ALICE, receiver=ZERO),
    ]


def counted() -> CollectionFigures:
    """The figures of the one collection."""
    return CollectionFigures.objects.get()


@pytest.mark.django_db
def test_owners_are_addresses_and_sales_of_thirty_days_are_those_before_the_count() -> None:
    load_lines(four_apes())
    assert counting.sweep(lambda: NOW) == 1
    found = counted()
    assert (found.known, found.described) == (4, 2)
    assert found.owners == 3, "BOB has 1, CAROL 2, ALICE 3; nobody has 4"
    assert (found.sales, found.recent_sales) == (3, 2)
    assert float(found.recent_value) == 0.5, "what the other was sold for is not known"
    assert not found.about
    assert found.counted_at == NOW


@pytest.mark.django_db
def test_a_burnt_nft_at_0x_dead_has_an_owner() -> None:
    load_lines([contract(APES), minted("1", 1, to=DEAD)])
    counting.sweep(lambda: NOW)
    assert counted().owners == 1


@pytest.mark.django_db
def test_what_has_not_changed_is_not_counted_again_within_a_day_and_after_a_day_it_is() -> None:
    load_lines(four_apes())
    assert counting.sweep(lambda: NOW) == 1
    assert counting.sweep(lambda: NOW + DAY - 1) == 0
    assert counting.sweep(lambda: NOW + DAY) == 1


@pytest.mark.django_db
def test_what_goes_on_changing_is_left_alone_for_ten_minutes_unless_it_is_asked_for() -> None:
    load_lines(four_apes())
    counting.sweep(lambda: NOW)
    load_lines([transfer("1", block=20, timestamp=NOW, sender=BOB, receiver=CAROL)])
    assert counting.sweep(lambda: NOW + 60) == 0
    assert counting.sweep(lambda: NOW + 60, at_once=True) == 1
    assert counted().owners == 2
    load_lines([transfer("2", block=21, timestamp=NOW + 1, sender=CAROL, receiver=ALICE)])
    assert counting.sweep(lambda: NOW + 60 + counting.EVERY) == 1


@pytest.mark.django_db
def test_what_was_rewritten_without_a_newer_transfer_is_counted_once_it_is_forgotten() -> None:
    load_lines(four_apes())
    counting.sweep(lambda: NOW)
    Transfer.objects.filter(transfer_type="sale").update(transfer_type="transfer")  # as `classify` may find
    assert counting.sweep(lambda: NOW + 1) == 0
    counting.forget(Chain.objects.get(slug="ethereum").pk)
    assert counting.sweep(lambda: NOW + 1) == 1
    assert counted().sales == 0


@pytest.mark.django_db
def test_a_count_that_is_killed_leaves_what_was_counted_before(monkeypatch: pytest.MonkeyPatch) -> None:
    load_lines(four_apes())
    counting.sweep(lambda: NOW)
    before = counted().details

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(counting, "_cover", dies)
    with pytest.raises(KeyboardInterrupt):
        counting.sweep(lambda: NOW + 1, everything=True)
    assert (counted().counted_at, counted().details) == (NOW, before)


@pytest.mark.django_db
def test_rows_are_read_a_batch_at_a_time_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "BATCH", 1)
    load_lines([*four_apes(), contract("0x" + "2b" * 20), minted("9", 30)])
    assert counting.sweep(lambda: NOW) == 2
    found = CollectionFigures.objects.get(contract__address=APES)
    assert (found.known, found.owners, found.sales) == (5, 3, 3)


@pytest.mark.django_db
def test_a_collection_of_a_mint_identified_chain_is_counted_too() -> None:
    mint, collection = "So11111111111111111111111111111111111111112", "C" * 32
    load_lines([nft(mint, collection, "solana", owners=[{"address": "D" * 32, "amount": "1"}])])
    counting.sweep(lambda: NOW)
    assert (counted().known, counted().owners) == (1, 1)


@pytest.mark.django_db
def test_the_price_of_a_period_is_the_stated_one_or_the_derived() -> None:
    load_lines([*four_apes(), rate("ETH", "2000", OLD)])
    counting.sweep(lambda: NOW)
    sales = json.loads(counted().details)["sales"]
    assert sum(row[1] for row in sales["rows"]) == 3
    assert [row[3:] for row in sales["rows"] if row[2]] == [["1"] * 3, ["0.5"] * 3]


def test_sales_of_many_years_are_joined_to_periods_that_fit_a_phone() -> None:
    sales = Sales(since=0)
    for day in range(3_000):
        sales.add(day * DAY, None)
    found = sales.periods()
    assert len(found["rows"]) <= PERIODS
    assert sum(row[1] for row in found["rows"]) == 3_000
    assert found["rows"][0][3:] == [None, None, None], "no price is known"


def test_a_distribution_counts_each_score_once_also_the_highest() -> None:

    found = distribution(array("d", [0.0, 0.5, 1.0, 1.0]))
    assert len(found) == BINS
    assert sum(count for _, _, count in found) == 4
    assert found[-1][2] == 2
    assert distribution(array("d", [2.0, 2.0])) == [[2.0, 2.0, 2]], "all alike"
    assert distribution(array("d")) == []


def test_different_texts_are_counted_exactly_until_there_are_too_many_to_hold() -> None:
    few = Distinct(exact=100)
    few.add(str(number) for number in range(100))
    few.add(str(number) for number in range(50))
    assert (few.number, few.is_exact) == (100, True)
    many = Distinct(exact=1_000)
    for start in range(0, 50_000, 500):
        many.add(str(number) for number in range(start, start + 600))
    assert not many.is_exact
    assert abs(many.number - 50_100) < 5_010, "to a tenth, of a thousand digests"
