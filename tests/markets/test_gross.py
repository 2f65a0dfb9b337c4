"""Fees on top of prices in ether: told only where they are certain, whatever else the transaction bought."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import PRICELESS, WETH, Case, erc20, erc721, judged, of_transaction, sold, verdict
from tests.markets.rarible_events import buy
from tests.markets.zeroex_events import SELL, element, filled

GENIE = "0x0a267cf51ef038fc00e71801f5a524aec06e4f07"


def sweep(element_price: int, rarible_price: int, zeroex_price: int = 0) -> list[RawLog]:
    """Alice buys at Element, which tells all, at Rarible 1 and, if at a price, at 0x, which tell less."""
    logs = [
        erc721(APES, 1, BOB, ALICE),
        element("Sell", BOB, ALICE, element_price, token_id=1),
        erc721(APES, 2, BOB, ALICE),
        buy(BOB, ALICE, sold=(APES, 2), buying=rarible_price),
    ]
    if zeroex_price:
        logs.append(erc721(APES, 3, BOB, ALICE, index=5))
        logs.append(filled(SELL, BOB, ALICE, zeroex_price, token_id=3, index=6))
    return logs


def prices(logs: list[RawLog], *, target: str, value: int) -> list[int]:
    """The prices of the moves; 0 where there is none."""
    return [one.price for one in verdict(of_transaction(logs, target=target, value=value)).judgements]


@pytest.mark.parametrize("target", [GENIE, CAROL])
def test_a_sweep_that_brings_all_that_its_events_tell_has_nothing_on_top(target: str) -> None:
    assert prices(sweep(1000, 400, 70), target=target, value=1470) == [1000, 400, 70]


def test_a_published_fee_is_believed_through_an_aggregator_that_takes_none() -> None:
    assert prices(sweep(1000, 400, 70), target=GENIE, value=1480) == [1000, 410, 70]
    assert prices(sweep(1000, 400, 70), target=CAROL, value=1480) == [1000, 0, 0]


@pytest.mark.parametrize("value", [1469, 1471, 1481, 0])
def test_otherwise_only_what_has_no_fee_on_top_is_told(value: int) -> None:
    assert prices(sweep(1000, 400, 70), target=GENIE, value=value) == [1000, 0, 0]


def test_ether_that_was_unwrapped_counts_as_brought() -> None:
    withdrawal = erc20(WETH, 470, ALICE, "0x" + "0" * 40, index=0)
    assert prices([withdrawal, *sweep(1000, 400, 70)], target=CAROL, value=1000) == [1000, 400, 70]


CASES = {
    # its legs are told
    "a sale without a price is a fault": Case(sweep(1000, 400), to=GENIE, value=5000).was(
        sold(1000),
        "sale",
        also=lambda found: (
            [one.reason for one in found.faults] == [PRICELESS] and found.judgements[1].swaps != ()
        ),
        faults=(4,),
    ),
    "what is given away stays no sale": Case(sweep(1000, 0), to=GENIE, value=5000).was(
        sold(1000), Judgement("transfer")
    ),
}


test_gross = judged(CASES)


@UNHURRIED
@given(
    told=st.tuples(st.integers(1, 10**9), st.integers(1, 10**9), st.integers(1, 10**9)),
    excess=st.integers(-100, 10**9),
    target=st.sampled_from([GENIE, CAROL]),
)
def test_prices_that_are_told_add_up_to_what_was_brought(
    told: tuple[int, int, int], excess: int, target: str
) -> None:
    value = max(0, sum(told) + excess)
    found = prices(sweep(*told), target=target, value=value)
    assert found[0] == told[0]
    assert found[1:] == [0, 0] or sum(found) == value
