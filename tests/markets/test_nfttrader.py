"""NFT Trader: `swapEvent` in both layouts as they are published; what was swapped only the other logs say."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, words
from tests.markets.building import WETH, erc20, erc721, erc1155, of_transaction, sold, verdict

HOLDING = "0x13d8faf4a690f5ae52e2d2c52938d1167057b9af"
SWAPPING = "0xc310e760778ecbca4c65b6c559874757a4c4ece0"
CATS = "0x" + "ca" * 19 + "75"
MADE, CLOSED, CANCELLED = 0, 1, 2


def swap(creator: str, status: int, *, index: int, counterpart: str = BOB, contract: str = HOLDING) -> RawLog:
    """`swapEvent` of the first layout; who closes a swap is its creator, the maker the counterpart."""
    signature = "swapEvent(address,uint256,uint8,uint256,address)"
    topics: list[int | str] = [creator, 1_640_000_000, status]
    return log(signature, topics, words(3, counterpart), contract=contract, index=index)


def referred(creator: str, status: int, *, index: int) -> RawLog:
    """`swapEvent` of the second layout, with a referral."""
    signature = "swapEvent(address,uint256,uint8,uint256,address,address)"
    topics: list[int | str] = [creator, 1_640_000_000, status]
    return log(signature, topics, words(3, creator, CAROL), contract=SWAPPING, index=index)


def test_nfts_that_the_market_held_for_the_makers_part_are_swapped_with_all_legs() -> None:
    logs = [
        erc721(APES, 7, HOLDING, ALICE, index=1),
        erc721(CATS, 8, ALICE, BOB, index=2),
        erc20(WETH, 50, ALICE, BOB, index=3),
        swap(ALICE, CLOSED, index=4),
    ]
    found = verdict(of_transaction(logs, target=HOLDING, value=5))
    legs = (
        Leg(APES, 7, HOLDING, ALICE, 1, "nfttrader"),
        Leg(CATS, 8, ALICE, BOB, 1, "nfttrader"),
        Leg(WETH, None, ALICE, BOB, 50, "nfttrader"),
    )
    assert [(one.transfer_type, one.swaps) for one in found.judgements] == [("swap", legs)] * 2
    assert (found.markets, found.is_commercial, found.faults) == (("nfttrader",), True, ())


def test_money_that_the_maker_adds_is_a_leg_of_its_own() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 50, BOB, ALICE, index=2),
        erc1155(CATS, 8, 3, ALICE, BOB, index=3),
        referred(ALICE, CLOSED, index=4),
    ]
    found = verdict(of_transaction(logs, target=SWAPPING))
    assert found.judgements[0].swaps == (
        Leg(APES, 7, BOB, ALICE, 1, "nfttrader"),
        Leg(CATS, 8, ALICE, BOB, 3, "nfttrader"),
        Leg(WETH, None, BOB, ALICE, 50, "nfttrader"),
    )


def test_an_nft_for_a_token_is_a_sale_at_all_that_was_sent_for_it() -> None:
    logs = [
        erc721(APES, 7, HOLDING, ALICE, index=1),
        erc20(WETH, 95, ALICE, BOB, index=2),
        erc20(WETH, 5, ALICE, CAROL, index=3),
        swap(ALICE, CLOSED, index=4),
    ]
    assert verdict(of_transaction(logs, target=HOLDING)).judgements == (sold(100, WETH),)


def test_an_nft_for_the_token_that_the_market_held_is_sold_by_who_closes_the_swap() -> None:
    logs = [
        erc20(WETH, 100, HOLDING, ALICE, index=1),
        erc721(APES, 7, ALICE, BOB, index=2),
        swap(ALICE, CLOSED, index=3),
    ]
    found = verdict(of_transaction(logs, target=HOLDING))
    assert (found.judgements, found.fills[0].seller) == ((sold(100, WETH),), ALICE)


def test_an_nft_for_ether_is_sold_for_nobody_knows_what_since_a_fee_comes_with_it() -> None:
    logs = [erc721(APES, 7, HOLDING, ALICE, index=1), swap(ALICE, CLOSED, index=2)]
    found = verdict(of_transaction(logs, target=HOLDING, value=1000))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert found.judgements[0].swaps == (Leg(APES, 7, HOLDING, ALICE, 1, "nfttrader"),)


def test_an_nft_for_nothing_that_shows_is_no_sale() -> None:
    for logs in (
        [erc721(APES, 7, HOLDING, ALICE, index=1), swap(ALICE, CLOSED, index=2)],
        [erc721(APES, 7, ALICE, BOB, index=1), swap(ALICE, CLOSED, index=2)],
    ):
        found = verdict(of_transaction(logs, target=HOLDING))
        assert [one.transfer_type for one in found.judgements] == ["transfer"]


@pytest.mark.parametrize(("status", "sender", "receiver"), [(MADE, BOB, HOLDING), (CANCELLED, HOLDING, BOB)])
def test_making_and_cancelling_a_swap_is_custody(status: int, sender: str, receiver: str) -> None:
    logs = [erc721(APES, 7, sender, receiver, index=1), swap(BOB, status, index=2)]
    found = verdict(of_transaction(logs, sender=BOB, target=HOLDING, value=5))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.fills, found.markets, found.is_commercial) == ((), (), False)


def test_each_swap_has_the_logs_since_the_one_before_it() -> None:
    logs = [
        erc721(APES, 7, HOLDING, ALICE, index=1),
        erc20(WETH, 10, ALICE, BOB, index=2),
        swap(ALICE, CLOSED, index=3),
        erc721(APES, 8, HOLDING, ALICE, index=4),
        erc20(WETH, 20, ALICE, CAROL, index=5),
        swap(ALICE, CLOSED, counterpart=CAROL, index=6),
    ]
    assert verdict(of_transaction(logs, target=CAROL)).judgements == (sold(10, WETH), sold(20, WETH))


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = swap(ALICE, CLOSED, index=6)
    logs = [
        good._replace(data=good.data[:40], log_index=1),
        good._replace(topics=good.topics[:3], log_index=2),
        swap(ALICE, 3, index=3),
        erc721(APES, 7, HOLDING, ALICE, index=4),
        erc20(WETH, 10, ALICE, BOB, index=5),
        good,
    ]
    found = verdict(of_transaction(logs, target=HOLDING))
    assert [fault.log_index for fault in found.faults] == [1, 2, 3]
    assert found.judgements == (sold(10, WETH),)


def test_the_same_event_of_another_contract_says_nothing() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), swap(ALICE, CLOSED, contract=CATS, index=2)]
    found = verdict(of_transaction(logs, target=CATS, value=5))
    assert (found.fills, found.faults, found.markets) == ((), (), ())
