"""NFTfi, Arcade and BendDAO: pledges are custody, whatever money moves; only what an auction sold is a sale."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, words
from tests.markets.building import (
    ONE_ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.emitting import Emitted
from tests.markets.loan_events import ARCADE, ARCADE_EVENTS, BEND_EVENTS, BENDDAO, NFTFI, bend_liquidate

BOUND_APES, LENT = "0x" + "db" * 20, "0x" + "1e" * 20

PLEDGES = {
    f"{market}: {name}": (market, event)
    for market, events in (("nftfi", NFTFI), ("arcade", ARCADE_EVENTS))
    for name, event in events.items()
}


@pytest.mark.parametrize(("market", "event"), PLEDGES.values(), ids=PLEDGES)
@pytest.mark.parametrize("comes_back", [False, True])
def test_a_pledge_is_custody_both_ways_although_its_holder_may_move_the_money(
    market: str, event: Emitted, comes_back: bool
) -> None:
    giver, taker = (event.contract, BOB) if comes_back else (BOB, event.contract)
    # Money from the one who gets the NFT to the one who gives it would be its price without a loan.
    logs = [ape(giver, taker), weth(ONE_ETHER, taker, giver), event()]
    case = Case(*logs, to=event.contract)
    case.was("transfer", markets=(market,), commercial=False).holds()


@pytest.mark.parametrize("event", BEND_EVENTS.values(), ids=BEND_EVENTS)
def test_a_pledge_at_benddao_is_custody(event: Emitted) -> None:
    logs = [
        ape(BOB, BOUND_APES),
        erc721(BOUND_APES, 7, ZERO, BOB, index=2),
        weth(ONE_ETHER, BOUND_APES, BOB),
        event(),
    ]
    Case(*logs, to=BENDDAO).was("transfer", "mint", markets=("benddao",), commercial=False).holds()


def _liquidated(*, debt: int, rest: int) -> list[RawLog]:
    """Carol bid most for Bob's ape: it leaves the wrapper, then BendDAO."""
    logs = [
        erc721(BOUND_APES, 7, BOB, ZERO, index=1),
        erc721(APES, 7, BOUND_APES, BENDDAO, index=2),
        erc20(WETH, debt, BENDDAO, LENT, index=3),
        erc721(APES, 7, BENDDAO, CAROL, index=6),
        bend_liquidate(BOB, debt=debt, rest=rest, index=7),
    ]
    return [*logs, erc20(WETH, rest, BENDDAO, BOB, index=4)] if rest else logs


def test_a_bid_below_the_debt_is_made_up_to_it_by_who_ends_the_auction() -> None:
    logs = [*_liquidated(debt=80, rest=0), erc20(WETH, 30, ALICE, BENDDAO, index=5)]
    found = verdict(of_transaction(logs, target=BENDDAO))
    assert (found.judgements[2], found.faults) == (sold(80, WETH), ())


def test_an_auction_whose_rest_the_borrower_did_not_get_has_no_price() -> None:
    logs = [log for log in _liquidated(debt=80, rest=20) if log.log_index != 4]
    found = verdict(of_transaction(logs, target=BENDDAO))
    assert (found.judgements[2].currency, len(found.faults)) == (None, 1)


CASES = {
    "the notes of a loan are minted and burned beside its pledge": Case(
        erc721("0x" + "0e" * 20, 1, ZERO, BOB),
        ape(BOB, ARCADE),
        weth(5, CAROL, ARCADE),
        weth(5, ARCADE, BOB),
        ARCADE_EVENTS["started"](),
    ).was("mint", "transfer"),
    "what an auction sold is a sale of the borrower by the leg that reaches the bidder": Case(
        _liquidated(debt=80, rest=20), to=BENDDAO
    ).was("burn", "transfer", sold(100, WETH), at="benddao", deal=(Side.AUCTION, BOB, CAROL), fills=1),
}


test_loans = judged(CASES)


@pytest.mark.parametrize(
    "bad",
    [
        log("LoanRepaid(uint256)", data="", contract=ARCADE, index=1),
        log("LoanClaimed(uint256)", [1], words(1), contract=ARCADE, index=1),
        log(
            "Liquidate(address,address,uint256,uint256,address,uint256,address,uint256)",
            [WETH, APES, BOB],
            words(BOB, 80, 20, 7),
            contract=BENDDAO,
            index=1,
        ),
        log(
            "Liquidate(address,address,uint256,uint256,address,uint256,address,uint256)",
            [WETH, 2**255, BOB],
            words(BOB, 80, 20, 7, 1),
            contract=BENDDAO,
            index=1,
        ),
    ],
    ids=["empty", "topics", "cut off", "no address"],
)
def test_a_malformed_event_is_a_fault_and_the_rest_is_read(bad: RawLog) -> None:
    found = verdict(of_transaction([bad, ARCADE_EVENTS["repaid"](index=9), BEND_EVENTS["repaid"](index=10)]))
    assert [one.log_index for one in found.faults] == [1]
    assert found.markets == ("arcade", "benddao")
