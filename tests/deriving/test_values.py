"""Values in USD and ETH of transfers, at the rates of their time."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.db.keys import scaled
from tests.builders import START, Line, chain, load_lines, rate, transfer
from tokens.prices.pricing import eth_value, half_even, usd_value
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

HOUR = 3600
NATIVE = "0x" + "0" * 40
WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
POOL = "0x0000000000a39bb272e79075ade125fd351887ac"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"


def sale(
    amount: int | str, token: str = NATIVE, at: int = START, on: str = "ethereum", block: int = 1
) -> Line:
    """A transfer at a price in base units."""
    price = {"tokenAddress": token, "amount": str(amount)}
    return transfer(str(block), on=on, block=block, timestamp=at, nftValue=price, transferType="sale")


def values() -> list[tuple[Decimal | None, Decimal | None]]:
    return list(Transfer.objects.order_by("block_number").values_list("usd_value", "eth_value"))


def test_the_newest_rate_at_or_before_the_transfer_counts() -> None:
    rates = [rate(usd=usd, at=START + at) for usd, at in (("1000", -HOUR), ("2000.5", 0), ("3000", 1))]
    load_lines([*rates, sale(15 * 10**17)])
    assert values() == [(Decimal("3000.75"), Decimal("1.5"))]


def test_a_rate_may_be_48_hours_old_and_not_a_second_more() -> None:
    load_lines(
        [rate(at=START), sale(10**18, at=START + 48 * HOUR), sale(10**18, at=START + 48 * HOUR + 1, block=2)]
    )
    assert values() == [(Decimal(2000), Decimal(1)), (None, Decimal(1))]


def test_wrapped_ether_and_pool_ether_count_at_par_without_a_rate() -> None:
    """F63: a sale in WETH has its value in ETH."""
    load_lines([sale(10**18, WETH), sale(7, POOL, block=2), sale(10**18, USDC, block=3)])
    assert values() == [(None, Decimal(1)), (None, Decimal("7E-18")), (None, None)]


def test_wrapped_ether_has_the_rate_of_ether_and_its_own_only_where_there_is_none() -> None:
    own = rate("WETH", "1999", START)
    load_lines([own, sale(10**18, WETH)])
    assert values() == [(Decimal(1999), Decimal(1))]
    load_lines([rate("ETH", "2000", START - 47 * HOUR)])
    assert values() == [(Decimal(2000), Decimal(1))]


def test_another_currency_is_worth_its_rate_by_that_of_ether() -> None:
    load_lines([rate("USDC", "1"), rate("ETH", "3000"), sale(1_000_000, USDC)])
    assert values() == [(Decimal(1), Decimal("0.000333333333333333"))]
    load_lines([sale(10**18, on="polygon", block=2), rate("MATIC", "0.5")])
    assert values()[1] == (Decimal("0.5"), Decimal("0.000166666666666667"))


def test_a_token_that_is_no_known_currency_has_no_value() -> None:
    load_lines(
        [rate(), sale(10**18, "0x" + "77" * 20), sale(10**6, USDC, on="polygon", block=2), rate("USDC", "1")]
    )
    assert values() == [(None, None), (None, None)]


def test_the_native_currency_of_a_new_chain_has_a_value() -> None:
    load_lines([chain("mychain", chainId=4242, nativeCurrency="ETH"), rate(), sale(10**18, on="mychain")])
    assert values() == [(Decimal(2000), Decimal(1))]


def test_rates_that_come_later_fill_in_and_change_exactly_what_they_reach() -> None:
    at = [START, START + HOUR, START + 2 * HOUR]
    load_lines([sale(10**18, at=moment, block=block) for block, moment in enumerate(at)])
    assert [usd for usd, _ in values()] == [None, None, None]
    load_lines([rate(usd="10", at=START)])
    assert [usd for usd, _ in values()] == [10, 10, 10]
    load_lines([rate(usd="20", at=START + HOUR)])
    assert [usd for usd, _ in values()] == [10, 20, 20]
    load_lines([rate(usd="30", at=START + HOUR)])
    assert [usd for usd, _ in values()] == [10, 30, 30]
    load_lines([rate(usd="40", at=START - HOUR)])
    assert [usd for usd, _ in values()] == [10, 30, 30]


def test_a_rate_of_ether_changes_values_in_other_currencies() -> None:
    load_lines([sale(4_000_000, USDC), rate("USDC", "1")])
    assert values() == [(Decimal(4), None)]
    load_lines([rate("ETH", "2000")])
    assert values() == [(Decimal(4), Decimal("0.002"))]


def test_a_price_that_changes_changes_the_value_and_one_that_goes_takes_it_along() -> None:
    line = sale(10**18)
    load_lines([rate(), line])
    load_lines([line | {"nftValue": {"tokenAddress": NATIVE, "amount": "2000000000000000000"}}])
    assert values() == [(Decimal(4000), Decimal(2))]
    load_lines([line | {"nftValue": None}])
    assert values() == [(None, None)]


def test_stated_values_do_not_touch_the_computed_ones() -> None:
    load_lines([rate(), sale(10**18) | {"usdValue": 1, "ethValue": 2}])
    row = Transfer.objects.get()
    assert (row.usd_value, row.eth_value) == (2000, 1)
    assert (row.stated_usd_value, row.stated_eth_value) == (1, 2)


def test_values_are_rounded_half_to_even() -> None:
    assert [half_even(numerator, 2) for numerator in (1, 3, 5, 4)] == [0, 2, 2, 2]
    assert [half_even(numerator, 3) for numerator in (1, 2)] == [0, 1]
    dollar = scaled(Decimal(1))
    assert usd_value(25 * 10**11, 18, dollar) == scaled(Decimal("0.000002"))
    assert usd_value(35 * 10**11, 18, dollar) == scaled(Decimal("0.000004"))
    assert eth_value(1, 0, 1, 3) == 333333333333333333


def test_a_price_beyond_all_bounds_has_no_value_and_does_no_harm() -> None:
    load_lines([rate(usd="9" * 29), sale(2**256 - 1)])
    usd, eth = values()[0]
    assert usd is None
    assert eth == Decimal("115792089237316195423570985008687907853269984665640564039457.584007913129639935")
    assert eth_value(1, 18, 1, 0) is None


def test_a_rate_that_comes_later_counts_to_the_last_second_for_which_it_holds() -> None:
    load_lines([sale(10**18, at=START + 48 * HOUR), sale(10**18, at=START + 48 * HOUR + 1, block=2)])
    load_lines([rate(at=START)])
    assert values() == [(Decimal(2000), Decimal(1)), (None, Decimal(1))]
