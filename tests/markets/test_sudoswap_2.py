"""Sudoswap's second version tells amounts and tokens, which are believed as far as the logs and the value go."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, word, words
from tests.markets.building import (
    ETHER,
    PRICELESS,
    WETH,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
)
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid
from tests.markets.sudoswap_events import (
    FACTORY_2,
    POOL,
    ROUTER_2,
    in_2,
    in_2_units,
    out_2,
    out_2_units,
    spot_price,
)

WORLD, ARTIST, OWNER, TOKEN = ("0x" + two * 20 for two in ("51", "a7", "0d", "70"))
BASE, FACTORY_ON_BASE = 8453, "0x605145d263482684590f630e9e581b21e4938eb8"


def test_an_nft_bought_for_ether_costs_what_the_pool_was_paid() -> None:
    logs = [spot_price(90, index=1), erc721(APES, 7, POOL, ALICE, index=2), out_2(100, [7], index=3)]
    found = verdict(of_transaction(logs, target=ROUTER_2, value=120))
    assert (found.judgements, found.faults) == ((sold(100),), ())
    assert (found.fills[0].seller, found.fills[0].buyer, found.fills[0].side) == (POOL, ALICE, Side.ASK)
    assert (found.markets, found.is_commercial) == (("sudoswap",), True)


def test_a_look_alike_cannot_tell_a_price_that_nobody_brought() -> None:
    logs = [erc721(APES, 7, POOL, ALICE, index=2), out_2(10**24, [7], index=3)]
    found = verdict(of_transaction(logs, target=POOL, value=100))
    (judged,) = found.judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)
    assert judged.swaps == (Leg(APES, 7, POOL, ALICE, 1, "sudoswap"),)
    assert [(one.protocol, one.price) for one in found.faults] == [("sudoswap", 10**24)]


def test_ether_that_was_unwrapped_on_the_way_may_be_borrowed_and_bears_no_price() -> None:
    logs = [
        log("Withdrawal(address,uint256)", [CAROL], word(10**24), contract=WETH, index=1),
        erc721(APES, 7, POOL, ALICE, index=2),
        out_2(10**24, [7], index=3),
    ]
    assert verdict(of_transaction(logs, target=CAROL)).judgements[0].currency is None


def test_prices_that_together_exceed_what_was_brought_are_none() -> None:
    logs = [
        erc721(APES, 7, POOL, ALICE, index=1),
        out_2(60, [7], index=2),
        erc721(APES, 8, OWNER, ALICE, index=3),
        out_2(60, [8], index=4, pool=OWNER),
    ]
    assert [one.currency for one in verdict(of_transaction(logs, value=119)).judgements] == [None, None]
    assert verdict(of_transaction(logs, value=120)).judgements == (sold(60), sold(60))


def test_several_nfts_of_one_purchase_share_its_price_in_their_legs() -> None:
    logs = [
        erc721(APES, 7, POOL, ALICE, index=1),
        erc721(APES, 8, POOL, ALICE, index=2),
        out_2(100, [8, 7], index=3),
    ]
    found = verdict(of_transaction(logs, value=100))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2
    assert Leg(ETHER, None, ALICE, POOL, 100, "sudoswap") in found.judgements[0].swaps


def test_units_of_an_erc_1155_token_are_one_item_with_the_whole_price() -> None:
    logs = [erc1155(WORLD, 1, 5, POOL, ALICE, index=1), out_2_units(100, 5, index=2)]
    assert verdict(of_transaction(logs, value=100)).judgements == (sold(100),)


def test_what_a_pool_pays_in_ether_is_not_known_since_royalties_and_fees_come_on_top() -> None:
    logs = [erc721(APES, 7, BOB, POOL, index=1), in_2(95, [7], index=2)]
    found = verdict(of_transaction(logs, target=ROUTER_2))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert (found.fills[0].seller, found.fills[0].buyer) == (BOB, POOL)
    assert [one.reason for one in found.faults] == [PRICELESS]


def test_a_purchase_for_a_token_costs_what_the_buyer_sent_to_all() -> None:
    logs = [
        erc20(TOKEN, 90, ALICE, POOL, index=1),
        erc20(TOKEN, 5, ALICE, ARTIST, index=2),
        erc20(TOKEN, 5, ALICE, FACTORY_2, index=3),
        erc20(TOKEN, 2, POOL, OWNER, index=4),  # the owner's part of what the pool got
        erc721(APES, 7, POOL, ALICE, index=5),
        out_2(100, [7], index=6),
    ]
    found = verdict(of_transaction(logs, target=ROUTER_2))
    assert (found.judgements, found.faults) == ((sold(100, TOKEN),), ())


def test_a_purchase_for_a_token_that_is_paid_to_the_pools_owner_is_known_by_the_protocols_fee() -> None:
    logs = [
        erc20(TOKEN, 95, ALICE, OWNER, index=1),
        erc20(TOKEN, 5, ALICE, FACTORY_ON_BASE, index=2),
        erc721(APES, 7, POOL, ALICE, index=3),
        out_2(100, [7], index=4),
    ]
    assert verdict(of_transaction(logs), BASE).judgements == (sold(100, TOKEN),)


@pytest.mark.parametrize("amount", [99, 101, 10**24])
def test_an_amount_that_the_tokens_logs_contradict_is_no_price(amount: int) -> None:
    logs = [
        erc20(TOKEN, 100, ALICE, POOL, index=1),
        erc721(APES, 7, POOL, ALICE, index=2),
        out_2(amount, [7], index=3),
    ]
    (judged,) = verdict(of_transaction(logs, value=10**25)).judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)


def test_a_sale_for_a_token_costs_all_that_the_pool_sent() -> None:
    logs = [
        erc721(APES, 7, BOB, POOL, index=1),
        erc20(TOKEN, 90, POOL, BOB, index=2),
        erc20(TOKEN, 5, POOL, ARTIST, index=3),
        erc20(TOKEN, 5, POOL, FACTORY_2, index=4),
        in_2(90, [7], index=5),
    ]
    found = verdict(of_transaction(logs, target=ROUTER_2))
    assert (found.judgements, found.faults) == ((sold(100, TOKEN),), ())


def test_units_sold_for_a_token_are_one_item_with_the_whole_price() -> None:
    logs = [
        erc1155(WORLD, 1, 5, BOB, POOL, index=1),
        erc20(TOKEN, 90, POOL, BOB, index=2),
        in_2_units(90, 5, index=3),
    ]
    assert verdict(of_transaction(logs)).judgements == (sold(90, TOKEN),)


def test_nfts_that_go_where_the_pools_owner_wants_them_are_sold_when_a_router_was_called() -> None:
    logs = [erc721(APES, 7, BOB, OWNER, index=1), in_2(95, [7], index=2)]
    assert verdict(of_transaction(logs, target=ROUTER_2)).judgements[0].transfer_type == "sale"
    assert verdict(of_transaction(logs, target=CAROL)).judgements[0].transfer_type == "transfer"


def test_a_purchase_for_nothing_is_no_sale() -> None:
    logs = [erc721(APES, 7, POOL, ALICE, index=1), out_2(0, [7], index=2)]
    found = verdict(of_transaction(logs, value=5))
    assert (found.judgements[0].transfer_type, found.faults) == ("transfer", ())


@pytest.mark.parametrize(
    "event",
    [
        out_2(5, [8], index=3),
        out_2(5, [7, 8], index=3),
        in_2(5, [7], index=3),
        out_2_units(5, 2, index=3),
        in_2_units(5, 1, index=3),
    ],
    ids=["another token", "more tokens", "the other way", "more units", "the other way, units"],
)
def test_an_event_that_the_nfts_logs_contradict_sells_nothing(event: RawLog) -> None:
    found = verdict(of_transaction([erc721(APES, 7, POOL, ALICE, index=2), event], value=5))
    assert (found.judgements[0].transfer_type, found.markets, found.fills) == ("transfer", (), ())


def test_a_look_alike_takes_no_sale_away_from_a_known_market() -> None:
    sale = order_fulfilled(
        offerer=POOL, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(5, POOL)], index=1
    )
    logs = [sale, erc721(APES, 7, POOL, ALICE, index=2), out_2(100, [7], index=3)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100))
    assert (found.judgements, found.markets) == ((sold(5),), ("opensea",))


@pytest.mark.parametrize(
    "bad",
    [
        log("SwapNFTOutPair(uint256,uint256[])", data=words(5, 64, 2, 7), contract=POOL, index=1),
        log("SwapNFTInPair(uint256,uint256)", data=words(5), contract=POOL, index=1),
        log("SwapNFTInPair()", [7], contract=POOL, index=1),
        log("SpotPriceUpdate(uint128)", contract=POOL, index=1),
    ],
    ids=["a list cut off", "cut off", "topics", "empty"],
)
def test_a_malformed_event_is_a_fault_and_the_rest_is_read(bad: RawLog) -> None:
    logs = [bad, erc721(APES, 7, POOL, ALICE, index=2), out_2(100, [7], index=3)]
    found = verdict(of_transaction(logs, value=100))
    assert found.judgements == (sold(100),)
    assert [(one.protocol, one.log_index) for one in found.faults] == [("sudoswap", 1)]
