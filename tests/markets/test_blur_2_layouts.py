"""Blur's second exchange: what its packed words hold, and events that are not what they should be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.markets.blur_2 import POOLS
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, UNHURRIED
from tests.markets.blur_events import ASK, BLUR_2, cut, execution, packed
from tests.markets.building import ONE_ETHER, Case, erc721, of_transaction, sold, verdict

FEES = "0x" + "0f" * 20


def _judged(*logs: RawLog, value: int) -> Verdict:
    return verdict(of_transaction(logs, target=BLUR_2, value=value))


PACKED, WITH_FEE = (
    packed(trader=BOB, side=ASK, index=9),
    packed(trader=BOB, side=ASK, taker_fee=(500, FEES), index=9),
)
EXECUTION = execution(trader=BOB, side=ASK, index=9)
MALFORMED = {
    "packed, cut off": cut(PACKED, 1),
    "packed, of no type": packed(trader=BOB, side=2, index=9),
    "packed, with a topic too many": PACKED._replace(topics=(*PACKED.topics, "0x" + "0" * 64)),
    "with a fee, cut off": cut(WITH_FEE, 1),
    "with a fee beyond 16 bits": packed(trader=BOB, side=ASK, maker_fee=(70_000, FEES), index=9),
    "execution, cut off": cut(EXECUTION, 1),
    "execution, of no type": execution(trader=BOB, side=2, index=9),
    "execution, of no kind of asset": execution(trader=BOB, side=ASK, kind=2, index=9),
    "execution, with a fee beyond 16 bits": execution(
        trader=BOB, side=ASK, protocol_fee=(2**16, FEES), index=9
    ),
    "execution, with a topic too many": EXECUTION._replace(topics=(*EXECUTION.topics, "0x" + "0" * 64)),
    "execution, without data": EXECUTION._replace(data=b""),
}


CASES = {
    **{
        f"a malformed event is a fault and the rest is still read: {label}": Case(
            erc721(APES, 7, BOB, ALICE, index=4), packed(index=5), event, to=BLUR_2, value=ONE_ETHER
        ).was(sold(ONE_ETHER), faults=[("blur-2", 9)])
        for label, event in MALFORMED.items()
    }
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_blur_2_layouts(case: Case) -> None:
    case.holds()


@UNHURRIED
@given(st.integers(0, 2**88 - 1), st.integers(1, 2**88 - 1), st.integers(0, 255), st.integers(0, 10_000))
def test_packed_numbers_come_out_whole(token_id: int, price: int, listing: int, rate: int) -> None:
    event = packed(
        trader=BOB, side=ASK, token_id=token_id, price=price, listing=listing, taker_fee=(rate, FEES), index=5
    )
    gross = price + price * rate // 10_000
    found = _judged(erc721(APES, token_id, BOB, ALICE, index=4), event, value=gross)
    assert (found.judgements, found.faults) == ((sold(gross),), ())


@pytest.mark.parametrize("chain_id", POOLS)
def test_the_ether_of_a_pool_is_ether_of_its_chain(chain_id: int) -> None:
    assert POOLS[chain_id] in registry(chain_id).wrapped_native
