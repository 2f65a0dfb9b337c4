"""NFTfi, Arcade and BendDAO: pledges are custody, whatever money moves; only what an auction sold is a sale."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, words
from tests.markets import loan_events as events
from tests.markets.building import ONE_ETHER, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.loan_events import ARCADE, BENDDAO, NFTFI_1, NFTFI_2, NFTFI_3, bend_liquidate

BOUND_APES, LENT = "0x" + "db" * 20, "0x" + "1e" * 20

NFTFI = {
    "1, started": (NFTFI_1, events.nftfi_1_started(BOB, CAROL, index=9)),
    "1, repaid": (NFTFI_1, events.nftfi_1_repaid(BOB, CAROL, index=9)),
    "1, liquidated": (NFTFI_1, events.nftfi_1_liquidated(BOB, CAROL, index=9)),
    "2, started": (NFTFI_2, events.nftfi_2_started(BOB, CAROL, index=9)),
    "2, repaid": (NFTFI_2, events.nftfi_2_repaid(BOB, CAROL, index=9)),
    "2, liquidated": (NFTFI_2, events.nftfi_liquidated(BOB, CAROL, index=9)),
    "2, renegotiated": (NFTFI_2, events.nftfi_2_renegotiated(BOB, CAROL, index=9)),
    "3, started": (NFTFI_3, events.nftfi_3_started(BOB, CAROL, index=9)),
    "3, repaid": (NFTFI_3, events.nftfi_3_repaid(BOB, CAROL, index=9)),
    "3, liquidated": (NFTFI_3, events.nftfi_liquidated(BOB, CAROL, index=9, contract=NFTFI_3)),
    "3, renegotiated": (NFTFI_3, events.nftfi_3_renegotiated(BOB, CAROL, index=9)),
}


@pytest.mark.parametrize(("contract", "event"), NFTFI.values(), ids=NFTFI.keys())
@pytest.mark.parametrize("comes_back", [False, True])
def test_a_pledge_at_nftfi_is_custody_both_ways(contract: str, event: RawLog, comes_back: bool) -> None:
    pair = (contract, BOB) if comes_back else (BOB, contract)
    # Money from the one who gets the NFT to the one who gives it would be its price without a loan.
    logs = [erc721(APES, 7, *pair, index=1), erc20(WETH, ONE_ETHER, *reversed(pair), index=2), event]
    found = verdict(of_transaction(logs, target=contract))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial, found.faults) == (("nftfi",), False, ())


ARCADE_EVENTS = {
    "started": events.arcade("LoanStarted(uint256,address,address)", 1, CAROL, BOB, index=9),
    "repaid": events.arcade("LoanRepaid(uint256)", 1, index=9),
    "repaid into the contract": events.arcade("ForceRepay(uint256)", 1, index=9),
    "claimed": events.arcade("LoanClaimed(uint256)", 1, index=9),
    "rolled over": events.arcade("LoanRolledOver(uint256,uint256)", 1, 2, index=9),
    "partly repaid": events.arcade("InstallmentPaymentReceived(uint256,uint256,uint256)", 1, 5, 6, index=9),
}


@pytest.mark.parametrize("event", ARCADE_EVENTS.values(), ids=ARCADE_EVENTS.keys())
@pytest.mark.parametrize("comes_back", [False, True])
def test_a_pledge_at_arcade_is_custody_although_the_contract_that_holds_it_moves_the_money(
    event: RawLog, comes_back: bool
) -> None:
    pair = (ARCADE, BOB) if comes_back else (BOB, ARCADE)
    logs = [erc721(APES, 7, *pair, index=1), erc20(WETH, ONE_ETHER, *reversed(pair), index=2), event]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial, found.faults) == (("arcade",), False, ())


def test_the_notes_of_a_loan_are_minted_and_burned_beside_its_pledge() -> None:
    notes = "0x" + "0e" * 20
    logs = [
        erc721(notes, 1, ZERO, BOB, index=1),
        erc721(APES, 7, BOB, ARCADE, index=2),
        erc20(WETH, 5, CAROL, ARCADE, index=3),
        erc20(WETH, 5, ARCADE, BOB, index=4),
        ARCADE_EVENTS["started"],
    ]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["mint", "transfer"]


BEND_EVENTS = {
    "borrowed": events.bend_borrow(BOB, index=9),
    "repaid": events.bend_repay(BOB, index=9),
    "bid for": events.bend_auction(CAROL, BOB, price=5, index=9),
    "redeemed": events.bend_redeem(BOB, index=9),
}


@pytest.mark.parametrize("event", BEND_EVENTS.values(), ids=BEND_EVENTS.keys())
def test_a_pledge_at_benddao_is_custody(event: RawLog) -> None:
    logs = [
        erc721(APES, 7, BOB, BOUND_APES, index=1),
        erc721(BOUND_APES, 7, ZERO, BOB, index=2),
        erc20(WETH, ONE_ETHER, BOUND_APES, BOB, index=3),
        event,
    ]
    found = verdict(of_transaction(logs, target=BENDDAO))
    assert [one.transfer_type for one in found.judgements] == ["transfer", "mint"]
    assert (found.markets, found.is_commercial, found.faults) == (("benddao",), False, ())


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


def test_what_an_auction_sold_is_a_sale_of_the_borrower_by_the_leg_that_reaches_the_bidder() -> None:
    found = verdict(of_transaction(_liquidated(debt=80, rest=20), target=BENDDAO))
    assert [one.transfer_type for one in found.judgements] == ["burn", "transfer", "sale"]
    assert (found.judgements[2], found.faults) == (sold(100, WETH), ())
    (fill,) = found.fills
    assert (fill.seller, fill.buyer, fill.side) == (BOB, CAROL, Side.AUCTION)
    assert (found.markets, found.is_commercial) == (("benddao",), True)


def test_a_bid_below_the_debt_is_made_up_to_it_by_who_ends_the_auction() -> None:
    logs = [*_liquidated(debt=80, rest=0), erc20(WETH, 30, ALICE, BENDDAO, index=5)]
    found = verdict(of_transaction(logs, target=BENDDAO))
    assert (found.judgements[2], found.faults) == (sold(80, WETH), ())


def test_an_auction_whose_rest_the_borrower_did_not_get_has_no_price() -> None:
    logs = [log for log in _liquidated(debt=80, rest=20) if log.log_index != 4]
    found = verdict(of_transaction(logs, target=BENDDAO))
    assert (found.judgements[2].currency, len(found.faults)) == (None, 1)


def test_an_auction_of_another_contract_sells_nothing() -> None:
    fake = bend_liquidate(BOB, debt=80, rest=20, index=2, contract=ALICE)
    found = verdict(of_transaction([erc721(APES, 7, ALICE, CAROL, index=1), fake]))
    assert ([one.transfer_type for one in found.judgements], found.fills) == (["transfer"], ())


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
    found = verdict(
        of_transaction([bad, ARCADE_EVENTS["repaid"], BEND_EVENTS["repaid"]._replace(log_index=10)])
    )
    assert [one.log_index for one in found.faults] == [1]
    assert found.markets == ("arcade", "benddao")
