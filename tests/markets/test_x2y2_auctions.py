"""X2Y2's auctions: the NFT is in custody from the first bid on, the money from each bid on."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log
from tests.markets.building import ETHER, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.x2y2_events import (
    AUCTION_COMPLETED,
    BID,
    DELEGATE,
    FEES,
    REFUNDED,
    REFUNDED_STUCK,
    X2Y2,
    ev_inventory,
    ev_profit,
)

FEE = [(5_000, FEES)]


def _completed(*, got: int, price: int, incentive: int = 0, currency: str = ETHER) -> list[RawLog]:
    """Bob's auction, which Carol completes: Alice gets what she bid for."""
    return [
        erc721(APES, 7, DELEGATE, ALICE, index=1),
        ev_profit(seller=BOB, amount=got, currency=currency, index=8),
        ev_inventory(
            maker=BOB,
            taker=CAROL,
            pairs=[(APES, 7)],
            price=price,
            op=AUCTION_COMPLETED,
            fees=FEE,
            incentive=incentive,
            currency=currency,
            index=9,
        ),
    ]


def test_a_completed_auction_is_sold_out_of_custody_for_the_price_that_the_profit_bears_out() -> None:
    found = verdict(of_transaction(_completed(got=995, price=1000), sender=CAROL, target=X2Y2))
    assert (found.judgements, found.faults) == ((sold(1000),), ())
    assert (found.markets, found.is_commercial) == (("x2y2",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, BOB, None)


def test_what_the_former_bidder_was_given_of_the_winning_bid_is_part_of_the_price() -> None:
    logs = _completed(got=985, price=1000, incentive=10_000)
    assert verdict(of_transaction(logs, sender=CAROL, target=X2Y2)).judgements == (sold(1000),)


def test_an_auction_in_weth_is_paid_by_the_exchange_that_held_the_bid() -> None:
    logs = [
        *_completed(got=985, price=1000, incentive=10_000, currency=WETH),
        erc20(WETH, 5, X2Y2, FEES, index=2),
        erc20(WETH, 985, X2Y2, BOB, index=3),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=X2Y2))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())


def test_a_price_that_does_not_go_with_what_the_seller_got_is_not_told() -> None:
    found = verdict(of_transaction(_completed(got=1990, price=0), sender=CAROL, target=X2Y2))
    judged = found.judgements[0]
    assert (judged.transfer_type, judged.currency) == ("sale", None)
    assert judged.swaps == (
        Leg(APES, 7, DELEGATE, ALICE, 1, "x2y2"),
        Leg(ETHER, None, ALICE, BOB, 1990, "x2y2"),
    )
    assert found.fills[0].unpriced
    assert [(one.log_index, one.price) for one in found.faults] == [(9, 0)]
    assert found.faults[0].reason == "The price does not go with the 1990 that the seller got."


def test_an_auction_that_the_seller_got_nothing_of_is_no_sale_but_a_fault() -> None:
    found = verdict(of_transaction(_completed(got=0, price=1000), sender=CAROL, target=X2Y2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [(one.log_index, one.price) for one in found.faults] == [(9, 1000)]


def test_an_auction_won_for_nothing_is_no_sale() -> None:
    found = verdict(of_transaction(_completed(got=0, price=0), sender=CAROL, target=X2Y2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_the_first_bid_puts_the_nft_into_custody_and_sells_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, DELEGATE, index=1),
        erc20(WETH, 1000, ALICE, X2Y2, index=2),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=1000, op=BID, currency=WETH, index=3),
    ]
    found = verdict(of_transaction(logs, sender=ALICE, target=X2Y2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.is_commercial, found.fills, found.faults) == (False, (), ())


@pytest.mark.parametrize("op", [REFUNDED, REFUNDED_STUCK])
def test_an_auction_that_is_given_up_gives_back_the_nft_and_the_bid_and_sells_nothing(op: int) -> None:
    signature = "EvAuctionRefund(bytes32,address,address,uint256,uint256)"
    refund = "".join(f"{value:064x}" for value in (0, int(ALICE, 16), 1000, 0))
    logs = [
        log(signature, [1], refund, contract=X2Y2, index=1),
        erc721(APES, 7, DELEGATE, BOB, index=2),
        ev_inventory(maker=BOB, taker=BOB, pairs=[(APES, 7)], price=1000, op=op, fees=FEE, index=3),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=X2Y2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.is_commercial, found.fills, found.faults) == (False, (), ())
