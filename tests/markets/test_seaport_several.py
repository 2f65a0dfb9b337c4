"""Seaport: several orders filled in one transaction, none of them matched with another."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import USDC, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.seaport_events import (
    ANOTHER,
    SEAPORT_15,
    SEAPORT_16,
    Item,
    erc20_item,
    nft_item,
    order_fulfilled,
    paid,
)

BOT = "0x" + "b7" * 20


def _ask(offerer: str, item: Item, price: Item, *, index: int, recipient: str = ALICE) -> RawLog:
    return order_fulfilled(
        offerer=offerer,
        recipient=recipient,
        offer=[item],
        consideration=[price],
        index=index,
        order=ANOTHER if index % 2 else "0x" + f"{index:064x}",
    )


def test_each_nft_of_a_sweep_has_its_own_price() -> None:
    logs = [
        _ask(BOB, nft_item(APES, 7), paid(100, BOB), index=1),
        _ask(CAROL, nft_item(APES, 8), paid(250, CAROL), index=2),
        erc721(APES, 8, CAROL, ALICE, index=3),
        erc721(APES, 7, BOB, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=350))
    assert found.judgements == (sold(250), sold(100))


def test_two_fills_that_one_transfer_delivers_are_one_item_with_both_prices() -> None:
    """`fulfillAvailableAdvancedOrders` adds equal items of one seller up, and what is paid to one receiver."""
    logs = [
        _ask(BOB, nft_item(APES, 7, kind=3, amount=2), erc20_item(WETH, 100, BOB), index=1),
        _ask(BOB, nft_item(APES, 7, kind=3, amount=3), erc20_item(WETH, 120, BOB), index=2),
        erc1155(APES, 7, 5, BOB, ALICE, index=3),
        erc20(WETH, 220, ALICE, BOB, index=4),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert (found.judgements, found.faults) == ((sold(220, WETH),), ())
    assert len(found.fills) == 2


def test_prices_of_one_transfer_that_are_together_more_than_any_currency_has_are_not_published() -> None:
    most = 2**256 - 1
    logs = [
        _ask(BOB, nft_item(APES, 7, kind=3, amount=2), paid(most, BOB), index=1),
        _ask(BOB, nft_item(APES, 7, kind=3, amount=3), paid(1, BOB), index=2),
        erc1155(APES, 7, 5, BOB, ALICE, index=3),
    ]
    found = verdict(of_transaction(logs, target=BOT))
    assert [(one.transfer_type, one.currency, len(one.swaps)) for one in found.judgements] == [
        ("sale", None, 3)
    ]
    assert [(one.log_index, one.price) for one in found.faults] == [(1, most + 1)]


def test_two_fills_in_two_currencies_that_one_transfer_delivers_have_their_legs() -> None:
    logs = [
        _ask(BOB, nft_item(APES, 7, kind=3, amount=2), erc20_item(WETH, 100, BOB), index=1),
        _ask(BOB, nft_item(APES, 7, kind=3, amount=3), erc20_item(USDC, 120, BOB), index=2),
        erc1155(APES, 7, 5, BOB, ALICE, index=3),
        erc20(WETH, 100, ALICE, BOB, index=4),
        erc20(USDC, 120, ALICE, BOB, index=5),
    ]
    (judged,) = verdict(of_transaction(logs, target=SEAPORT_15)).judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)
    assert [(leg.contract, leg.amount) for leg in judged.swaps] == [(APES, 5), (WETH, 100), (USDC, 120)]


def test_what_a_buyer_pays_to_themselves_is_a_part_of_the_price() -> None:
    """Alice is who the order pays a royalty to: where several orders are filled, Seaport leaves that transfer out."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(WETH, 95, BOB), erc20_item(WETH, 5, ALICE)],
        index=1,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=2), erc20(WETH, 95, ALICE, BOB, index=3)]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert (found.judgements, found.faults) == ((sold(100, WETH),), ())


def test_units_of_one_id_from_different_sellers_each_have_their_price() -> None:
    logs = [
        _ask(BOB, nft_item(APES, 7, kind=3), paid(100, BOB), index=1),
        _ask(CAROL, nft_item(APES, 7, kind=3), paid(140, CAROL), index=2),
        erc1155(APES, 7, 1, CAROL, ALICE, index=3),
        erc1155(APES, 7, 1, BOB, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=240))
    assert found.judgements == (sold(140), sold(100))


def test_one_nft_bought_and_sold_again_in_one_transaction_is_sold_twice() -> None:
    """A bot buys from an ask and sells into a bid: each leg has the price of its own order."""
    bid = order_fulfilled(
        offerer=CAROL,
        recipient=BOT,
        offer=[erc20_item(WETH, 130)],
        consideration=[nft_item(APES, 7, CAROL)],
        index=5,
    )
    logs = [
        _ask(BOB, nft_item(APES, 7), paid(100, BOB), index=1, recipient=BOT),
        erc721(APES, 7, BOB, BOT, index=2),
        erc20(WETH, 130, CAROL, BOT, index=3),
        erc721(APES, 7, BOT, CAROL, index=4),
        bid,
    ]
    found = verdict(of_transaction(logs, target=BOT, value=100))
    assert (found.judgements, found.faults) == ((sold(100), sold(130, WETH)), ())


def test_orders_of_two_versions_in_one_transaction_are_both_read() -> None:
    other = order_fulfilled(
        offerer=CAROL,
        recipient=ALICE,
        offer=[nft_item(APES, 8)],
        consideration=[paid(30, CAROL)],
        index=3,
        contract=SEAPORT_16,
    )
    logs = [
        _ask(BOB, nft_item(APES, 7), paid(100, BOB), index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        other,
        erc721(APES, 8, CAROL, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=BOT, value=130))
    assert found.judgements == (sold(100), sold(30))
    assert [fill.protocol for fill in found.fills] == ["seaport-1.5", "seaport-1.6"]
