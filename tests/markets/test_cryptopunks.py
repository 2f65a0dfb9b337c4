"""CryptoPunks: what its own market sold, by its events as they are published, mistakes included."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.decode import decode
from indexing.judge.classify import classify
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Leg, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log, word
from tests.markets.building import ETHER, ONE_ETHER, PRICELESS, Case, erc721, of_transaction, sold, verdict
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


def types(found: Verdict) -> list[str]:
    return [one.transfer_type for one in found.judgements]


def test_bids_alone_sell_nothing() -> None:
    logs = [enter_bid(7, ONE_ETHER, CAROL, index=1), *transfer_punk(7, BOB, ALICE, index=4)]
    found = verdict(of_transaction(logs, target=PUNKS))
    assert (types(found), found.markets, found.is_commercial) == (["transfer"], (), False)


def test_a_punk_bought_for_nothing_is_given_not_sold() -> None:
    found = verdict(of_transaction(buy_punk(7, 0, BOB, ALICE, index=4), target=PUNKS))
    assert (types(found), found.is_commercial) == (["transfer"], True)


@pytest.mark.parametrize("contract", [PUNKS, V1])
def test_a_punk_sent_is_no_sale(contract: str) -> None:
    found = verdict(of_transaction(transfer_punk(7, BOB, ALICE, index=4, contract=contract), target=contract))
    assert (types(found), found.markets, found.is_commercial) == (["transfer"], (), False)


@pytest.mark.parametrize("value", [0, ONE_ETHER])
def test_wrapping_a_punk_of_the_first_contract_is_no_sale_although_the_wrapper_buys_it(value: int) -> None:
    """The punk's owner offers it to the wrapper, which buys it and mints: the money is the wrapper's own again."""
    logs = [
        *buy_punk(7, value, BOB, WRAPPED_V1, index=4, contract=V1),
        erc721(WRAPPED_V1, 7, ZERO, BOB, index=7),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=WRAPPED_V1, value=value))
    assert (types(found), found.markets, found.is_commercial) == (["transfer", "mint"], (), False)


def test_wrapping_by_sending_the_punk_is_no_sale() -> None:
    logs = [*transfer_punk(7, BOB, CAROL, index=4), erc721(APES, 7, ZERO, BOB, index=6)]
    assert types(verdict(of_transaction(logs, sender=BOB, target=APES))) == ["transfer", "mint"]


_sent = partial(Case, to=CAROL)
CASES = {
    **{
        f"a punk bought at its offer is sold for all that was sent: {label}": Case(
            buy_punk(7, 3 * ONE_ETHER, BOB, ALICE, index=4, contract=contract),
            to=contract,
            value=3 * ONE_ETHER,
        ).was(sold(3 * ONE_ETHER), at="cryptopunks", deal=(Side.ASK, BOB, ALICE), currency=ETHER)
        for label, contract in enumerate([PUNKS, V1], 1)
    },
    "an accepted bid is a sale whose price no log tells": Case(
        accept_bid(7, BOB, ALICE, index=4), to=PUNKS, sender=BOB
    ).was(
        UNKNOWN_PRICE,
        at="cryptopunks",
        deal=(Side.BID, BOB, ALICE),
        also=lambda found: [one.reason for one in found.faults] == [PRICELESS],
        faults=(5,),
    ),
    "a bid that was entered in the same transaction tells the price": _sent(
        enter_bid(7, ONE_ETHER, CAROL, index=1),
        enter_bid(8, 9 * ONE_ETHER, CAROL, index=2),
        enter_bid(7, 2 * ONE_ETHER, ALICE, index=3),
        accept_bid(7, BOB, ALICE, index=4),
        value=12 * ONE_ETHER,
    ).was(sold(2 * ONE_ETHER)),
    "a bid that was taken back tells nothing": _sent(
        enter_bid(7, ONE_ETHER, ALICE, index=1),
        withdraw_bid(7, ONE_ETHER, ALICE, index=2),
        accept_bid(7, BOB, ALICE, index=4),
    ).was(UNKNOWN_PRICE, faults=(5,)),
    "a router that passes a punk on buys it once": _sent(
        buy_punk(7, ONE_ETHER, BOB, CAROL, index=4),
        transfer_punk(7, CAROL, ALICE, index=7),
        value=2 * ONE_ETHER,
    ).was(sold(ONE_ETHER), Judgement("transfer")),
    "two punks bought in one transaction each have their own price": _sent(
        buy_punk(7, 5, BOB, CAROL, index=4), buy_punk(8, 6, BOB, CAROL, index=7), value=11
    ).was(sold(5), sold(6)),
    "more than the transaction brought is no price": Case(
        buy_punk(7, 100, BOB, ALICE, index=4), to=PUNKS, value=99
    ).was("sale", faults=[6]),
    "the same events of another contract sell nothing": Case(
        buy_punk(7, 5, BOB, ALICE, index=4, contract=APES), value=5
    ).was(commercial=False, fills=0),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_cryptopunks(case: Case) -> None:
    case.holds()


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
    logs = [broken, *buy_punk(8, 5, BOB, ALICE, index=4)]
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
