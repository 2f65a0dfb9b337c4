"""X2Y2: asks, bids, bundles and sweeps, by `EvInventory` and `EvProfit` as they are published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.building import ETHER, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.x2y2_events import (
    BID_ACCEPTED,
    CANCELLED,
    ERC1155,
    FEES,
    ITEM,
    X2Y2,
    ev_inventory,
    ev_profit,
)

GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
FEE = [(5_000, FEES)]
"""Half a per cent, in millionths."""


def test_an_ask_in_ether_is_sold_for_what_the_buyer_pays_fees_included() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ev_profit(seller=BOB, amount=995, index=2),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=1000, fees=FEE, index=3),
    ]
    found = verdict(of_transaction(logs, target=X2Y2, value=1000))
    assert (found.judgements, found.faults) == ((sold(1000),), ())
    assert (found.markets, found.is_commercial) == (("x2y2",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer, fill.order_hashes) == (Side.ASK, BOB, ALICE, (ITEM,))
    assert fill.payments == (Payment(ETHER, 995, BOB), Payment(ETHER, 5, FEES))


def test_the_price_is_that_of_the_settlement_not_the_least_one_of_the_order() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ev_profit(seller=BOB, amount=1200, index=2),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=1200, least=1000, index=3),
    ]
    assert verdict(of_transaction(logs, target=X2Y2, value=1200)).judgements == (sold(1200),)


def test_a_bid_that_is_accepted_is_sold_by_the_taker_for_what_the_maker_pays_in_weth() -> None:
    logs = [
        erc20(WETH, 1000, BOB, X2Y2, index=1),
        erc721(APES, 7, ALICE, BOB, index=2),
        erc20(WETH, 5, X2Y2, FEES, index=3),
        erc20(WETH, 995, X2Y2, ALICE, index=4),
        ev_profit(seller=ALICE, amount=995, currency=WETH, index=5),
        ev_inventory(
            maker=BOB,
            taker=ALICE,
            pairs=[(APES, 7)],
            price=1000,
            op=BID_ACCEPTED,
            fees=FEE,
            currency=WETH,
            index=6,
        ),
    ]
    found = verdict(of_transaction(logs, target=X2Y2))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, ALICE, BOB)


def test_a_collection_bid_names_the_token_that_was_given_in_the_data_under_its_mask() -> None:
    mask = bytes(96) + b"\xff" * 32
    logs = [
        erc20(WETH, 1000, BOB, X2Y2, index=1),
        erc721(APES, 4321, ALICE, BOB, index=2),
        erc20(WETH, 1000, X2Y2, ALICE, index=3),
        ev_inventory(
            maker=BOB,
            taker=ALICE,
            pairs=[(APES, 4321)],
            price=1000,
            op=BID_ACCEPTED,
            currency=WETH,
            mask=mask,
            index=4,
        ),
    ]
    assert verdict(of_transaction(logs, target=X2Y2)).judgements == (sold(1000, WETH),)


def test_units_of_an_erc1155_are_one_item_with_the_whole_price() -> None:
    logs = [
        erc1155(APES, 7, 5, BOB, ALICE, index=1),
        ev_inventory(
            maker=BOB, taker=ALICE, pairs=[(APES, 7, 5)], price=1000, delegate_type=ERC1155, index=2
        ),
    ]
    assert verdict(of_transaction(logs, target=X2Y2, value=1000)).judgements == (sold(1000),)


def test_a_bundle_has_no_price_for_one_nft_but_every_leg() -> None:
    punks = "0x" + "70" * 20
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(punks, 8, BOB, ALICE, index=2),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7), (punks, 8)], price=1000, fees=FEE, index=3),
    ]
    found = verdict(of_transaction(logs, target=X2Y2, value=1000))
    assert [(one.transfer_type, one.price) for one in found.judgements] == [("sale", 0), ("sale", 0)]
    assert found.judgements[1].swaps == (
        Leg(APES, 7, BOB, ALICE, 1, "x2y2"),
        Leg(punks, 8, BOB, ALICE, 1, "x2y2"),
        Leg(ETHER, None, ALICE, BOB, 995, "x2y2"),
        Leg(ETHER, None, ALICE, FEES, 5, "x2y2"),
    )


def test_each_nft_of_a_sweep_through_an_aggregator_has_its_price_on_the_leg_that_leaves_its_seller() -> None:
    logs: list[RawLog] = []
    for token_id, seller, price in ((7, BOB, 1000), (8, BOB, 1100), (9, CAROL, 1200)):
        at, item = 10 * token_id, f"0x{token_id:064x}"
        logs += [
            erc721(APES, token_id, seller, GEM, index=at),
            ev_profit(seller=seller, amount=price, item_hash=item, index=at + 1),
            ev_inventory(
                maker=seller, taker=GEM, pairs=[(APES, token_id)], price=price, item_hash=item, index=at + 2
            ),
            erc721(APES, token_id, GEM, ALICE, index=at + 3),
        ]
    found = verdict(of_transaction(logs, target=GEM, value=4000))
    assert found.judgements[::2] == (sold(1000), sold(1100), sold(1200))
    assert {one.transfer_type for one in found.judgements[1::2]} == {"transfer"}
    assert found.markets == ("x2y2", "gem")


def test_ether_that_the_exchange_unwraps_for_the_buyer_counts_as_brought() -> None:
    logs = [
        erc20(WETH, 400, ALICE, X2Y2, index=1),
        log("Withdrawal(address,uint256)", [X2Y2], f"{400:064x}", contract=WETH, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=1000, index=4),
    ]
    found = verdict(of_transaction(logs, target=X2Y2, value=600))
    assert (found.judgements, found.faults) == ((sold(1000),), ())


def test_a_cancelled_order_sells_nothing_even_where_its_nft_moves() -> None:
    logs = [
        log("EvCancel(bytes32)", [int(ITEM, 16)], contract=X2Y2, index=1),
        ev_inventory(maker=BOB, taker=BOB, pairs=[(APES, 7)], price=1000, op=CANCELLED, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
    ]
    found = verdict(of_transaction(logs, target=X2Y2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.is_commercial, found.fills, found.faults) == (False, (), ())


def test_an_item_that_failed_in_a_sweep_is_no_sale() -> None:
    failure = log("EvFailure(uint256,bytes)", data=f"{0:064x}{64:064x}{0:064x}", contract=X2Y2, index=1)
    found = verdict(of_transaction([failure], target=X2Y2, value=1000))
    assert (found.judgements, found.markets, found.faults) == ((), (), ())


def test_an_order_filled_for_nothing_is_no_sale() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=0, fees=FEE, index=2),
    ]
    found = verdict(of_transaction(logs, target=X2Y2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_a_look_alike_event_of_a_contract_that_is_no_deployment_sells_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=1000, contract=CAROL, index=2),
    ]
    found = verdict(of_transaction(logs, target=CAROL, value=1000))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial, found.faults) == ((), False, ())


def _sale(index: int = 1, **of: object) -> RawLog:
    return ev_inventory(
        **{"maker": BOB, "taker": ALICE, "pairs": [(APES, 7)], "price": 1, "index": index, **of}  # type: ignore[arg-type]
    )


def _word(event: RawLog, place: int, value: int) -> RawLog:
    """The event with another word in its data."""
    at = 32 * place
    return event._replace(data=event.data[:at] + value.to_bytes(32, "big") + event.data[at + 32 :])


@pytest.mark.parametrize(
    "event",
    [
        _sale()._replace(data=_sale().data[:-32]),
        _sale()._replace(data=b""),
        _sale()._replace(topics=_sale().topics[:1]),
        _word(_sale(), 9, 2**255),
        _word(_sale(), 10, 2**255),
        _word(_sale(), 0, 2**255),
        _sale(op=0),
        _sale(op=8),
        _sale(delegate_type=3),
        _sale(pairs=[]),
        _sale(pairs=[(APES, 7, 0)], delegate_type=ERC1155),
        _sale(delegate_type=ERC1155),
        _sale(fees=[(600_000, FEES), (600_000, CAROL)]),
        ev_profit(seller=BOB, amount=1, index=1)._replace(data=bytes(96)),
        ev_profit(seller=BOB, amount=1, index=1)._replace(
            topics=(ev_profit(seller=BOB, amount=1, index=1).topics * 2)
        ),
    ],
    ids=[
        "cut off",
        "empty",
        "a topic less",
        "the item beyond the end",
        "the detail beyond the end",
        "no address",
        "no op",
        "an op that does not exist",
        "a delegate that does not exist",
        "no item",
        "no units",
        "pairs where triples should be",
        "fees above the price",
        "a profit cut off",
        "a profit with a topic more",
    ],
)
def test_a_malformed_event_is_a_fault_and_the_others_are_still_read(event: RawLog) -> None:
    logs = [
        event,
        erc721(APES, 7, BOB, ALICE, index=2),
        _sale(3, price=1000),
    ]
    found = verdict(of_transaction(logs, target=X2Y2, value=1000))
    assert found.judgements == (sold(1000),)
    assert [(fault.protocol, fault.log_index) for fault in found.faults] == [("x2y2", 1)]


@UNHURRIED
@given(
    st.lists(st.tuples(st.integers(0, 2**256 - 1), st.integers(1, 2**128)), min_size=1, max_size=5),
    st.integers(1, 2**128),
    st.lists(st.integers(0, 200_000), max_size=5),
)
def test_what_is_paid_adds_up_to_the_price_and_the_items_are_those_listed(
    items: list[tuple[int, int]], price: int, parts: list[int]
) -> None:
    event = ev_inventory(
        maker=BOB,
        taker=ALICE,
        pairs=[(APES, token_id, amount) for token_id, amount in items],
        price=price,
        delegate_type=ERC1155,
        fees=[(part, FEES) for part in parts],
        index=1,
    )
    fill = verdict(of_transaction([event])).fills[0]
    assert (fill.price, sum(one.amount for one in fill.payments)) == (price, price)
    assert [(item.token_id, item.amount) for item in fill.items] == items


@UNHURRIED
@given(st.binary(max_size=700))
def test_whatever_an_event_holds_nothing_is_raised(data: bytes) -> None:
    for whole in (data, _sale().data[:300] + data):
        found = verdict(of_transaction([_sale()._replace(data=whole)]))
        assert len(found.fills) <= 1
