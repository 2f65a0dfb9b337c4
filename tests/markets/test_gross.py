"""Fees on top of prices in ether: told only where they are certain, whatever else the transaction bought."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import PRICELESS, Case, ape, judged, of_transaction, sold, verdict, weth
from tests.markets.rarible_events import buy
from tests.markets.zeroex_events import SELL, element, filled

GENIE = "0x0a267cf51ef038fc00e71801f5a524aec06e4f07"


def sweep(element_price: int, rarible_price: int, zeroex_price: int = 0) -> list[RawLog]:
    """Alice buys at Element, which tells all, at Rarible 1 and, if at a price, at 0x, which tell less."""
    logs = [
        ape(BOB, ALICE, 1),
        element("Sell", BOB, ALICE, element_price, token_id=1),
        ape(BOB, ALICE, 2),
        buy(BOB, ALICE, sold=(APES, 2), buying=rarible_price),
    ]
    if zeroex_price:
        logs += [ape(BOB, ALICE, 3), filled(SELL, BOB, ALICE, zeroex_price, token_id=3)]
    return logs


CASES = {
    # its legs are told
    "a sale without a price is a fault": Case(sweep(1000, 400), to=GENIE, value=5000).was(
        sold(1000), "sale", also=lambda found: found.judgements[1].swaps != (), faults=[(4, PRICELESS)]
    ),
    "what is given away stays no sale": Case(sweep(1000, 0), to=GENIE, value=5000).was(
        sold(1000), Judgement("transfer")
    ),
    "a sweep that brings all that its events tell has nothing on top": Case(
        sweep(1000, 400, 70), to=GENIE, value=1470
    )
    .was(sold(1000), sold(400), sold(70))
    .but(to=CAROL)
    .was(sold(1000), sold(400), sold(70)),
    "a published fee is believed through an aggregator that takes none": Case(
        sweep(1000, 400, 70), to=GENIE, value=1480
    )
    .was(sold(1000), sold(410), sold(70))
    .but(to=CAROL)
    .was(sold(1000), "sale", "sale", faults=2),
    **{
        f"otherwise only what has no fee on top is told: {value}": Case(
            sweep(1000, 400, 70), to=GENIE, value=value
        ).was(sold(1000), "sale", "sale", faults=2)
        for value in [1469, 1471, 1481, 0]
    },
    "ether that was unwrapped counts as brought": Case(
        weth(470, ALICE, "0x" + "0" * 40), sweep(1000, 400, 70), to=CAROL, value=1000
    ).was(sold(1000), sold(400), sold(70)),
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
    judgements = verdict(of_transaction(sweep(*told), target=target, value=value)).judgements
    found = [one.price for one in judgements]
    assert found[0] == told[0]
    assert found[1:] == [0, 0] or sum(found) == value
