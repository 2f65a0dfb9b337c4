"""Wyvern: who sold to whom, for how much, and in which currency, though its event says only a number."""

from __future__ import annotations

from indexing.judge.verdicts import Judgement, Leg, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, word
from tests.markets.building import ETHER, USDC, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.wyvern_events import (
    BUY,
    EXCHANGE_1,
    EXCHANGE_2,
    SELL,
    UNSIGNED,
    ask_matched,
    bid_matched,
    orders_matched,
)

FEES = "0x5b3256965e7c3cf26e11fcaf296dfc8807c01073"
WYV = "0x056017c55ae7ae32d12aef7c679df83a85ca75ff"
RELAYER = "0x" + "99" * 20


def ape(*, index: int = 5, sender: str = BOB, receiver: str = ALICE) -> RawLog:
    return erc721(APES, 7, sender, receiver, index=index)


def test_a_bid_is_sold_for_what_the_buyer_paid_and_the_seller_pays_the_fee_out_of_it() -> None:
    logs = [
        erc20(WETH, 1400, ALICE, BOB, index=3),
        erc20(WETH, 70, BOB, FEES, index=4),
        ape(),
        bid_matched(BOB, ALICE, 1400, index=6),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=EXCHANGE_1))
    assert (found.judgements, found.faults) == ((sold(1400, WETH),), ())
    fill = found.fills[0]
    assert (fill.seller, fill.buyer, fill.side, fill.order_hashes) == (BOB, ALICE, Side.BID, (BUY,))


def test_a_fee_that_the_bidder_pays_on_top_is_part_of_the_price() -> None:
    logs = [
        erc20(WETH, 1000, ALICE, BOB, index=2),
        erc20(WETH, 25, ALICE, FEES, index=3),
        erc20(WETH, 50, BOB, FEES, index=4),
        ape(),
        bid_matched(BOB, ALICE, 1000, index=6),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=EXCHANGE_2))
    assert (found.judgements, found.faults) == ((sold(1025, WETH),), ())
    assert found.fills[0].payments == (Payment(WETH, 25, FEES),)


def test_an_ask_in_a_token_costs_the_price_and_the_fees_that_the_buyer_pays_on_top() -> None:
    logs = [
        erc20(USDC, 1000, ALICE, BOB, index=2),
        erc20(USDC, 75, BOB, FEES, index=3),
        erc20(USDC, 25, ALICE, FEES, index=4),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    assert verdict(of_transaction(logs, target=EXCHANGE_2)).judgements == (sold(1025, USDC),)


def test_what_the_buyer_pays_after_the_nft_moved_is_no_fee() -> None:
    logs = [
        erc20(USDC, 1000, ALICE, BOB, index=3),
        ape(index=4),
        erc20(USDC, 3, ALICE, CAROL, index=5),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    assert verdict(of_transaction(logs, target=EXCHANGE_2)).judgements == (sold(1000, USDC),)


def test_a_fee_in_the_protocols_own_token_is_not_what_the_nft_was_sold_for() -> None:
    logs = [
        erc20(WYV, 1000, BOB, FEES, index=3),
        erc20(WYV, 1000, ALICE, FEES, index=4),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    found = verdict(of_transaction(logs, target=EXCHANGE_1, value=1000))
    assert found.judgements == (sold(1000, ETHER),)


def test_a_payment_of_the_match_before_is_not_paid_again() -> None:
    logs = [
        erc20(WETH, 1000, ALICE, BOB, index=2),
        erc721(APES, 6, BOB, ALICE, index=3),
        ask_matched(BOB, ALICE, 1000, index=4),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    found = verdict(of_transaction(logs, target=RELAYER, value=1000))
    assert found.judgements == (sold(1000, WETH), sold(1000, ETHER))


def test_a_token_that_keeps_a_part_of_what_is_sent_is_still_the_currency() -> None:
    logs = [
        erc20(USDC, 900, ALICE, BOB, index=3),
        erc20(USDC, 100, ALICE, CAROL, index=4),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    assert verdict(of_transaction(logs, target=EXCHANGE_2)).judgements == (sold(1000, USDC),)


def test_a_token_that_keeps_a_part_is_the_currency_behind_somebodys_own_contract_too() -> None:
    logs = [
        erc20(USDC, 950, ALICE, BOB, index=3),
        erc20(USDC, 50, ALICE, CAROL, index=4),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    assert verdict(of_transaction(logs, target=RELAYER)).judgements == (sold(1000, USDC),)


def test_ether_that_somebodys_own_contract_neither_was_sent_nor_unwrapped_is_no_price() -> None:
    """A wallet may hold ether of its own, or have paid in a token without logs: nothing tells."""
    logs = [ape(), ask_matched(BOB, ALICE, 1000, index=6)]
    found = verdict(of_transaction(logs, target=RELAYER, value=999))
    assert found.judgements == (Judgement("sale", swaps=(Leg(APES, 7, BOB, ALICE, 1, "opensea"),)),)
    assert [(fault.log_index, fault.price) for fault in found.faults] == [(6, 1000)]


def test_the_same_ether_does_not_pay_two_asks_behind_somebodys_own_contract() -> None:
    logs = [
        erc721(APES, 6, BOB, ALICE, index=3),
        ask_matched(BOB, ALICE, 1000, index=4),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    found = verdict(of_transaction(logs, target=RELAYER, value=1500))
    assert [one.currency for one in found.judgements] == [ETHER, None]
    found = verdict(of_transaction(logs, target=RELAYER, value=2000))
    assert found.judgements == (sold(1000), sold(1000))


def test_ether_that_somebodys_own_contract_unwrapped_is_a_price() -> None:
    """Aggregators turn what a bidder brought in WETH into the ether that an ask is paid in."""
    logs = [
        log("Withdrawal(address,uint256)", [RELAYER], word(400), contract=WETH, index=1),
        ape(),
        ask_matched(BOB, ALICE, 1000, index=6),
    ]
    found = verdict(of_transaction(logs, target=RELAYER, value=600))
    assert (found.judgements, found.faults) == ((sold(1000),), ())


def test_ether_that_was_not_brought_is_no_price() -> None:
    found = verdict(of_transaction([ape(), ask_matched(BOB, ALICE, 1000, index=6)], target=EXCHANGE_2))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert [fault.log_index for fault in found.faults] == [6]


def test_a_bid_paid_in_a_token_without_logs_is_a_sale_whose_price_is_not_known() -> None:
    """The exchange takes bids in tokens only, so that this cannot be ether."""
    logs = [ape(), bid_matched(BOB, ALICE, 9, index=6)]
    found = verdict(of_transaction(logs, sender=BOB, target=EXCHANGE_2))
    assert found.judgements == (Judgement("sale", swaps=(Leg(APES, 7, BOB, ALICE, 1, "opensea"),)),)
    assert [fault.price for fault in found.faults] == [9]


def test_of_two_signed_orders_the_one_that_the_money_goes_to_sells() -> None:
    logs = [
        erc20(WETH, 1000, ALICE, BOB, index=4),
        ape(),
        orders_matched(ALICE, BOB, 1000, buy=BUY, sell=SELL, index=6),
    ]
    found = verdict(of_transaction(logs, sender=RELAYER, target=EXCHANGE_1))
    assert (found.judgements, found.fills[0].side) == ((sold(1000, WETH),), Side.BID)
    assert found.fills[0].order_hashes == (BUY, SELL)


def test_of_two_signed_orders_paid_in_ether_the_makers_sells_since_ether_only_pays_such() -> None:
    logs = [ape(), orders_matched(BOB, ALICE, 1000, buy=BUY, sell=SELL, index=6)]
    found = verdict(of_transaction(logs, sender=RELAYER, target=EXCHANGE_1, value=1000))
    assert (found.judgements, found.fills[0].seller) == ((sold(1000),), BOB)


def test_a_maker_who_calls_the_exchange_sells_by_its_own_order() -> None:
    """The hash that is missing is the caller's; as a rule that is the taker, here it is not."""
    logs = [
        erc20(WETH, 1000, ALICE, BOB, index=4),
        ape(),
        orders_matched(BOB, ALICE, 1000, buy=BUY, sell=UNSIGNED, index=6),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=EXCHANGE_2))
    assert (found.judgements, found.fills[0].seller) == ((sold(1000, WETH),), BOB)
    assert (found.fills[0].buyer, found.fills[0].side) == (ALICE, Side.ASK)
