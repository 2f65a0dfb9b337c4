"""CryptoPunks: what its own market sold, by its events as they are published, mistakes included."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.decode import decode
from indexing.judge.classify import classify
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log, word
from tests.markets.building import PRICELESS, Case, ape, erc721, judged, of_transaction, sold, verdict
from tests.markets.currencies import ETHER, ONE_ETHER
from tests.markets.punk_events import (
    PUNKS,
    V1,
    WRAPPED_V1,
    accept_bid,
    buy_punk,
    enter_bid,
    punk_bought,
    transfer_punk,
    withdraw_bid,
)

UNKNOWN_PRICE = Judgement("sale", swaps=(Leg(PUNKS, 7, BOB, ALICE, 1, "cryptopunks"),))
_sent = partial(Case, to=CAROL)
CASES = {
    **{
        f"a punk bought at its offer is sold for all that was sent: {label}": Case(
            buy_punk(7, 3 * ONE_ETHER, BOB, ALICE, contract=contract), to=contract, value=3 * ONE_ETHER
        ).was(sold(3 * ONE_ETHER), at="cryptopunks", deal=(Side.ASK, BOB, ALICE), currency=ETHER)
        for label, contract in enumerate([PUNKS, V1], 1)
    },
    "an accepted bid is a sale whose price no log tells": Case(
        accept_bid(7, BOB, ALICE), to=PUNKS, sender=BOB
    ).was(UNKNOWN_PRICE, at="cryptopunks", deal=(Side.BID, BOB, ALICE), faults=[(2, PRICELESS)]),
    "a bid that was entered in the same transaction tells the price": _sent(
        enter_bid(7, ONE_ETHER, CAROL),
        enter_bid(8, 9 * ONE_ETHER, CAROL),
        enter_bid(7, 2 * ONE_ETHER, ALICE),
        accept_bid(7, BOB, ALICE),
        value=12 * ONE_ETHER,
    ).was(sold(2 * ONE_ETHER)),
    "a bid that was taken back tells nothing": _sent(
        enter_bid(7, ONE_ETHER, ALICE), withdraw_bid(7, ONE_ETHER, ALICE), accept_bid(7, BOB, ALICE)
    ).was(UNKNOWN_PRICE, faults=(4,)),
    "a router that passes a punk on buys it once": _sent(
        buy_punk(7, ONE_ETHER, BOB, CAROL), transfer_punk(7, CAROL, ALICE), value=2 * ONE_ETHER
    ).was(sold(ONE_ETHER), Judgement("transfer")),
    "two punks bought in one transaction each have their own price": _sent(
        buy_punk(7, 5, BOB, CAROL), buy_punk(8, 6, BOB, CAROL), value=11
    ).was(sold(5), sold(6)),
    "more than the transaction brought is no price": Case(
        buy_punk(7, 100, BOB, ALICE), to=PUNKS, value=99
    ).was("sale", faults=[3]),
    "the same events of another contract sell nothing": Case(
        buy_punk(7, 5, BOB, ALICE, contract=APES), value=5
    ).was(commercial=False, fills=0),
    "bids alone sell nothing": Case(
        enter_bid(7, ONE_ETHER, CAROL), transfer_punk(7, BOB, ALICE), to=PUNKS
    ).was("transfer", markets=(), commercial=False),
    "a punk bought for nothing is given, not sold": Case(buy_punk(7, 0, BOB, ALICE), to=PUNKS).was(
        "transfer", commercial=True
    ),
    **{
        f"a punk sent is no sale: {label}": Case(
            transfer_punk(7, BOB, ALICE, contract=contract), to=contract
        ).was("transfer", markets=(), commercial=False)
        for label, contract in enumerate([PUNKS, V1], 1)
    },
    # The punk's owner offers it to the wrapper, which buys it and mints: the money is the wrapper's own again.
    **{
        f"wrapping a punk of the first contract is no sale although the wrapper buys it: {value}": Case(
            buy_punk(7, value, BOB, WRAPPED_V1, contract=V1),
            erc721(WRAPPED_V1, 7, ZERO, BOB),
            to=WRAPPED_V1,
            value=value,
            sender=BOB,
        ).was("transfer", "mint", markets=(), commercial=False)
        for value in [0, ONE_ETHER]
    },
    "wrapping by sending the punk is no sale": Case(
        transfer_punk(7, BOB, CAROL), ape(ZERO, BOB), to=APES, sender=BOB
    ).was("transfer", "mint"),
}

test_cryptopunks = judged(CASES)


@pytest.mark.parametrize(
    "broken",
    [
        log("PunkBought(uint256,uint256,address,address)", [7, BOB], word(5), contract=PUNKS, index=3),
        log("PunkBought(uint256,uint256,address,address)", [7, BOB, ALICE], "", contract=PUNKS, index=3),
        log(
            "PunkBought(uint256,uint256,address,address)", [7, BOB, 2**200], word(5), contract=PUNKS, index=3
        ),
        log("PunkBidEntered(uint256,uint256,address)", [7], word(5), contract=PUNKS, index=3),
        punk_bought(7, 0, BOB, ZERO, index=3),
    ],
    ids=["a topic short", "without data", "no address", "a bid without its bidder", "without its Transfer"],
)
def test_an_event_that_cannot_be_read_is_a_fault_and_the_rest_is_read(broken: RawLog) -> None:
    logs = [broken, *buy_punk(8, 5, BOB, ALICE)]
    transaction = of_transaction(logs, target=PUNKS, value=5)
    found = classify(transaction, decode(transaction.logs, 1).moves, registry(1))
    assert found.judgements[-1] == sold(5)
    assert [fault.log_index for fault in found.faults] == [3]


@UNHURRIED
@given(
    st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 2**96), st.booleans()), max_size=12, unique=True)
)
def test_whatever_is_bought_each_punk_has_the_price_of_its_own_event(
    bought: list[tuple[int, int, bool]],
) -> None:
    logs, wanted = [], []
    for place, (punk, value, is_bid) in enumerate(bought):
        if is_bid:
            logs += accept_bid(punk, BOB, ALICE, index=3 * place)
            wanted.append(("sale", 0))
        else:
            logs += buy_punk(punk, value, BOB, ALICE, index=3 * place)
            wanted.append(("sale" if value else "transfer", value))
    found = verdict(of_transaction(logs, target=CAROL))
    assert [(one.transfer_type, one.price) for one in found.judgements] == wanted
