"""Wyvern: which NFTs a match sold, though its event names none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement, Leg, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log, word
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    WETH,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
)
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid
from tests.markets.wyvern_events import EXCHANGE_1, EXCHANGE_2, SELL, SIGNATURE, ask_matched, bid_matched

ROUTER = "0x" + "99" * 20
DAVE = "0x" + "da" * 20
OTHERS = "0x" + "07" * 20
TRANSFER, MINT = Judgement("transfer"), Judgement("mint")


def types(found: Verdict) -> list[str]:
    return [one.transfer_type for one in found.judgements]


@pytest.mark.parametrize("exchange", [EXCHANGE_1, EXCHANGE_2])
def test_an_ask_in_ether_sells_what_left_the_seller_just_before(exchange: str) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=4), ask_matched(BOB, ALICE, 5, index=5, contract=exchange)]
    found = verdict(of_transaction(logs, target=exchange, value=5))
    assert found.judgements == (sold(5),)
    assert (found.markets, found.is_commercial, found.faults) == (("opensea",), True, ())
    fill = found.fills[0]
    assert (fill.seller, fill.buyer, fill.side, fill.currency) == (BOB, ALICE, Side.ASK, ETHER)
    assert fill.order_hashes == (SELL,)


def test_units_of_an_erc1155_token_are_sold_for_the_whole_price() -> None:
    logs = [erc1155(APES, 7, 20, BOB, ALICE, index=4), ask_matched(BOB, ALICE, 5, index=5)]
    assert verdict(of_transaction(logs, target=EXCHANGE_2, value=5)).judgements == (sold(5),)


def test_a_bundle_has_no_price_of_its_own_for_each_but_all_legs() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=2),
        erc1155(OTHERS, 1, 3, BOB, ALICE, index=3),
        ask_matched(BOB, ALICE, 5, index=4),
    ]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=5))
    legs = (
        Leg(APES, 7, BOB, ALICE, 1, "opensea"),
        Leg(OTHERS, 1, BOB, ALICE, 3, "opensea"),
        Leg(ETHER, None, ALICE, BOB, 5, "opensea"),
    )
    assert found.judgements == (Judgement("sale", swaps=legs),) * 2


def test_a_sweep_sells_each_nft_at_the_price_of_the_match_behind_it() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ask_matched(BOB, ROUTER, 5, index=2),
        erc721(APES, 8, BOB, ALICE, index=3),
        ask_matched(BOB, ROUTER, 6, index=4),
        erc721(APES, 9, CAROL, ROUTER, index=5),
        ask_matched(CAROL, ROUTER, 7, index=6, contract=EXCHANGE_1),
        erc721(APES, 9, ROUTER, ALICE, index=7),
    ]
    found = verdict(of_transaction(logs, target=ROUTER, value=18))
    assert found.judgements == (sold(5), sold(6), sold(7), TRANSFER)


def test_what_seaport_sold_of_the_same_seller_in_the_same_sweep_is_not_sold_again() -> None:
    logs = [
        order_fulfilled(
            offerer=BOB,
            recipient=ALICE,
            offer=[nft_item(APES, 7)],
            consideration=[paid(5, BOB)],
            index=1,
        ),
        erc721(APES, 7, BOB, ALICE, index=2),
        erc721(APES, 8, BOB, ALICE, index=3),
        ask_matched(BOB, ROUTER, 6, index=4),
    ]
    found = verdict(of_transaction(logs, target=ROUTER, value=11))
    assert (found.judgements, found.markets) == ((sold(5), sold(6)), ("opensea",))


def test_an_nft_bought_elsewhere_and_sold_on_to_a_bid_is_sold_twice() -> None:
    logs = [
        order_fulfilled(
            offerer=BOB,
            recipient=ROUTER,
            offer=[nft_item(APES, 7)],
            consideration=[paid(5, BOB)],
            index=1,
            contract=SEAPORT_15,
        ),
        erc721(APES, 7, BOB, ROUTER, index=2),
        erc20(WETH, 9, CAROL, ROUTER, index=3),
        erc721(APES, 7, ROUTER, CAROL, index=4),
        bid_matched(ROUTER, CAROL, 9, index=5),
    ]
    found = verdict(of_transaction(logs, target=ROUTER, value=5))
    assert found.judgements == (sold(5), sold(9, WETH))


def test_a_seller_who_gave_something_else_away_before_did_not_sell_that() -> None:
    logs = [
        erc721(OTHERS, 1, BOB, DAVE, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        ask_matched(BOB, ROUTER, 5, index=3),
    ]
    assert verdict(of_transaction(logs, target=ROUTER, value=5)).judgements == (TRANSFER, sold(5))


def test_what_the_maker_sold_may_come_from_another_holder() -> None:
    logs = [erc721(APES, 7, CAROL, ALICE, index=4), ask_matched(BOB, ALICE, 5, index=5)]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=5))
    assert (found.judgements, found.fills[0].seller) == ((sold(5),), BOB)


def test_what_a_factory_minted_to_the_buyer_was_sold() -> None:
    logs = [erc721(APES, 7, ZERO, ALICE, index=4), ask_matched(BOB, ALICE, 5, index=5)]
    assert verdict(of_transaction(logs, target=EXCHANGE_2, value=5)).judgements == (sold(5),)


def test_a_factory_that_mints_past_the_router_sold_the_only_nft_that_moved() -> None:
    logs = [erc721(APES, 7, ZERO, ALICE, index=4), ask_matched(BOB, ROUTER, 5, index=5)]
    assert verdict(of_transaction(logs, target=ROUTER, value=5)).judgements == (sold(5),)


def test_what_is_minted_besides_the_nft_that_leaves_the_seller_is_not_sold() -> None:
    logs = [
        erc1155(APES, 0, 1, BOB, ALICE, index=3),
        erc721(OTHERS, 1153, ZERO, ALICE, index=4),
        ask_matched(BOB, ALICE, 5, index=5),
    ]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=5))
    assert found.judgements == (sold(5), MINT)


def test_what_is_burned_besides_is_not_sold() -> None:
    logs = [
        erc721(OTHERS, 1, BOB, ZERO, index=3),
        erc721(OTHERS, 2, ZERO, ALICE, index=4),
        ask_matched(BOB, ALICE, 5, index=5),
    ]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=5))
    assert found.judgements == (Judgement("burn"), sold(5))


def test_a_match_for_nothing_is_no_sale() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=4), ask_matched(BOB, ALICE, 0, index=5)]
    found = verdict(of_transaction(logs, target=EXCHANGE_2))
    assert (types(found), found.is_commercial, found.faults) == (["transfer"], True, ())


def test_units_of_nothing_are_not_sold() -> None:
    logs = [erc1155(APES, 7, 0, BOB, ALICE, index=4), ask_matched(BOB, ALICE, 5, index=5)]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=5))
    assert (types(found), [fault.price for fault in found.faults]) == (["transfer"], [5])


def test_a_match_without_any_nft_log_is_a_fault_and_claims_nothing() -> None:
    logs = [ask_matched(BOB, ALICE, 5, index=3), erc721(APES, 7, BOB, ALICE, index=4)]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=5))
    assert (types(found), [fault.log_index for fault in found.faults]) == (["transfer"], [3])


def test_the_same_event_of_another_contract_sells_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=2),
        ask_matched(BOB, ALICE, 5, index=3, contract=ROUTER),
        ask_matched(BOB, ALICE, 6, index=4),
    ]
    found = verdict(of_transaction(logs, target=ROUTER, value=6))
    assert (found.judgements, len(found.fills)) == ((sold(6),), 1)


def test_an_order_that_was_cancelled_sells_nothing() -> None:
    cancelled = log("OrderCancelled(bytes32)", [int(SELL, 16)], contract=EXCHANGE_2, index=3)
    found = verdict(of_transaction([cancelled, erc721(APES, 7, BOB, ALICE, index=4)], target=EXCHANGE_2))
    assert (types(found), found.is_commercial) == (["transfer"], False)


@pytest.mark.parametrize(
    "broken",
    [
        log(SIGNATURE, [BOB, ALICE], word(0) + SELL[2:] + word(5), contract=EXCHANGE_2, index=3),
        log(SIGNATURE, [BOB, ALICE, 0], word(0) + SELL[2:], contract=EXCHANGE_2, index=3),
        log(SIGNATURE, [BOB, 2**200, 0], word(0) + SELL[2:] + word(5), contract=EXCHANGE_2, index=3),
    ],
    ids=["a topic short", "without its price", "no address"],
)
def test_an_event_that_cannot_be_read_is_a_fault_and_the_rest_is_read(broken: RawLog) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=2),
        broken,
        erc721(APES, 8, BOB, ALICE, index=4),
        ask_matched(BOB, ALICE, 6, index=5),
    ]
    found = verdict(of_transaction(logs, target=EXCHANGE_2, value=6))
    assert found.judgements == (TRANSFER, sold(6))
    assert [fault.log_index for fault in found.faults] == [3]


@UNHURRIED
@given(
    st.lists(
        st.tuples(st.sampled_from([BOB, CAROL, DAVE]), st.integers(1, 3), st.integers(0, ONE_ETHER)),
        max_size=8,
    )
)
def test_in_any_sweep_each_nft_is_sold_once_at_the_price_of_its_own_match(
    orders: list[tuple[str, int, int]],
) -> None:
    logs: list[RawLog] = []
    wanted: list[tuple[str, int]] = []
    token_id = 0
    for seller, count, price in orders:
        for _ in range(count):
            logs.append(erc721(APES, token_id, seller, ALICE, index=len(logs)))
            token_id += 1
            wanted.append(("sale" if price else "transfer", price if count == 1 else 0))
        logs.append(ask_matched(seller, ROUTER, price, index=len(logs)))
    found = verdict(of_transaction(logs, target=ROUTER, value=8 * ONE_ETHER))
    assert [(one.transfer_type, one.price) for one in found.judgements] == wanted
