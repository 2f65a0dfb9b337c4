"""Rarible 2 while it emitted a `Transfer` for everything it moved: both layouts of `Match` of that time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO
from tests.markets.building import ONE_ETHER, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.rarible_events import (
    LEFT,
    RARIBLE_2,
    RIGHT,
    erc20_kind,
    kind,
    lazy,
    match,
    match_first,
    moved,
    nft,
)

FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
ETHER = kind("ETH")


def ask_in_ether(*, index: int = 1, last: RawLog | None = None) -> list[RawLog]:
    """Alice buys Bob's ape for one ether, with 2.5 % on top and 2.5 % off."""
    fee = ONE_ETHER // 40
    return [
        moved(ETHER, fee, ALICE, FEES, index=index, why="ORIGIN"),
        moved(ETHER, fee, ALICE, FEES, index=index + 1, why="ORIGIN"),
        moved(ETHER, ONE_ETHER - fee, ALICE, BOB, index=index + 2),
        erc721(APES, 7, BOB, ALICE, index=index + 3),
        moved(nft(7), 1, BOB, ALICE, index=index + 4),
        last or match((BOB, ALICE), (ONE_ETHER, 1), (nft(7), ETHER), index=index + 5),
    ]


def test_all_ether_that_the_exchange_moves_for_a_match_is_its_price_even_through_a_router() -> None:
    found = verdict(of_transaction(ask_in_ether(), target=CAROL, value=9 * ONE_ETHER))
    assert found.judgements == (sold(ONE_ETHER * 1025 // 1000),)
    assert (found.markets, found.is_commercial, found.faults) == (("rarible",), True, ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.ASK, BOB, ALICE)
    assert fill.order_hashes == (LEFT, RIGHT)


def test_the_first_layout_of_a_match_is_read_by_the_transfers_alone() -> None:
    first = match_first((BOB, ALICE), (ONE_ETHER, 1), index=6)
    found = verdict(of_transaction(ask_in_ether(last=first), target=RARIBLE_2, value=2 * ONE_ETHER))
    assert found.judgements == (sold(ONE_ETHER * 1025 // 1000),)


def test_an_ether_price_above_what_the_exchange_was_sent_is_a_fault() -> None:
    found = verdict(of_transaction(ask_in_ether(), target=RARIBLE_2, value=ONE_ETHER))
    assert len(found.faults) == 1
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)


def test_ether_that_an_order_on_chain_had_locked_need_not_come_with_the_transaction() -> None:
    logs = [
        moved(ETHER, 100, RARIBLE_2, ALICE, index=1),
        erc721(APES, 7, ALICE, BOB, index=2),
        moved(nft(7), 1, ALICE, BOB, index=3),
        match((BOB, ALICE), (1, 100), (ETHER, nft(7)), index=4),
    ]
    found = verdict(of_transaction(logs, sender=ALICE, target=RARIBLE_2))
    assert (found.judgements, found.faults, found.fills[0].side) == ((sold(100),), (), Side.BID)


@pytest.mark.parametrize("why", ["LOCK", "UNLOCK"])
def test_ether_that_is_locked_or_unlocked_is_no_part_of_a_price(why: str) -> None:
    lock = moved(ETHER, 55, ALICE, RARIBLE_2, index=1, why=why)
    found = verdict(of_transaction([lock, *ask_in_ether(index=2)], target=CAROL))
    assert found.judgements == (sold(ONE_ETHER * 1025 // 1000),)


def test_a_bid_in_a_token_costs_the_bidder_the_fee_on_top_too() -> None:
    weth = erc20_kind(WETH)
    logs = [
        erc20(WETH, 225, BOB, CAROL, index=1),
        moved(weth, 225, BOB, CAROL, index=2, why="ROYALTY"),
        erc20(WETH, 150, BOB, FEES, index=3),
        moved(weth, 150, BOB, FEES, index=4, why="ORIGIN"),
        erc20(WETH, 2700, BOB, ALICE, index=5),
        moved(weth, 2700, BOB, ALICE, index=6),
        erc721(APES, 7, ALICE, BOB, index=7),
        moved(nft(7), 1, ALICE, BOB, index=8),
        match((BOB, ALICE), (1, 3000), (weth, nft(7)), index=9),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2))
    assert (found.judgements, found.faults) == ((sold(3075, WETH),), ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.BID, ALICE, BOB)
    unpaid = [log for log in logs if log.log_index != 5]
    assert len(verdict(of_transaction(unpaid, target=RARIBLE_2)).faults) == 1


def test_each_match_of_a_sweep_has_the_transfers_before_it() -> None:
    second = [
        moved(ETHER, 30, ALICE, CAROL, index=11),
        erc1155(APES, 8, 5, CAROL, ALICE, index=12),
        moved(nft(8, name="ERC1155"), 5, CAROL, ALICE, index=13),
        match((CAROL, ALICE), (30, 5), (nft(8, name="ERC1155"), ETHER), index=14),
    ]
    found = verdict(of_transaction([*ask_in_ether(), *second], target=RARIBLE_2, value=3 * ONE_ETHER))
    assert found.judgements == (sold(ONE_ETHER * 1025 // 1000), sold(30))


def test_a_lazy_nft_is_minted_to_its_creator_and_sold_by_them() -> None:
    logs = [
        moved(ETHER, 100, ALICE, BOB, index=1),
        erc721(APES, 7, ZERO, BOB, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
        moved(lazy(7), 1, BOB, ALICE, index=4),
        match((BOB, ALICE), (100, 1), (lazy(7), ETHER), index=5),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [one.transfer_type for one in found.judgements] == ["mint", "sale"]
    assert found.judgements[1].price == 100


def test_an_nft_for_an_nft_is_a_swap_with_both_legs() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        moved(nft(7), 1, BOB, ALICE, index=2),
        erc721(APES, 8, ALICE, BOB, index=3),
        moved(nft(8), 1, ALICE, BOB, index=4),
        match((BOB, ALICE), (1, 1), (nft(7), nft(8)), index=5),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2))
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]
    assert [leg.token_id for leg in found.judgements[0].swaps] == [7, 8]


def test_money_for_money_sells_no_nft_that_moves_beside_it() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        moved(ETHER, 100, ALICE, BOB, index=2),
        match((BOB, ALICE), (100, 100), (erc20_kind(WETH), ETHER), index=3),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [fault.log_index for fault in found.faults] == [3]


def test_a_transfer_that_cannot_be_read_is_a_fault_and_the_match_goes_by_its_assets() -> None:
    unknown = moved(kind("NFT_BUNDLE"), 1, BOB, ALICE, index=1)
    logs = [
        unknown,
        erc721(APES, 7, BOB, ALICE, index=2),
        match((BOB, ALICE), (100, 1), (nft(7), ETHER), index=3),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [fault.log_index for fault in found.faults] == [1]
    assert found.judgements == (sold(100),)


def test_a_malformed_match_is_a_fault_and_the_next_is_read() -> None:
    bad = match((BOB, ALICE), (1, 1), (kind("COUPON"), ETHER), index=1)
    cut = match((BOB, ALICE), (1, 1), (nft(7), ETHER), index=2)
    named = match((BOB, ALICE), (1, 1), (nft(7), ETHER), index=3)
    some = [bad, cut._replace(data=cut.data[:100]), named._replace(topics=named.topics * 2)]
    logs = [
        *some,
        erc721(APES, 7, BOB, ALICE, index=4),
        match((BOB, ALICE), (100, 1), (nft(7), ETHER), index=5),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [fault.log_index for fault in found.faults] == [1, 2, 3]
    assert found.judgements == (sold(100),)


@UNHURRIED
@given(data=st.binary(max_size=700), which=st.sampled_from([0, 4, 5]))
def test_whatever_its_events_hold_it_never_raises(data: bytes, which: int) -> None:
    logs = ask_in_ether()
    logs[which] = logs[which]._replace(data=data)
    verdict(of_transaction(logs, target=RARIBLE_2, value=ONE_ETHER))
