"""Seaport: more than two orders in one match, by the published events."""

from __future__ import annotations

import pytest

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.seaport_events import (
    SEAPORT_11,
    SEAPORT_15,
    Item,
    erc20_item,
    nft_item,
    order_fulfilled,
    orders_matched,
    paid,
)

BOT, DORA = "0x" + "b7" * 20, "0x" + "d0" * 20


def _hash(number: int) -> str:
    return f"0x{number:064x}"


def _orders(
    *orders: tuple[str, list[Item], list[Item]], recipient: str = ALICE, contract: str = SEAPORT_15
) -> list[RawLog]:
    """The events of orders (offerer, offer, consideration) that were all matched in one call."""
    logs = [
        order_fulfilled(
            offerer=offerer,
            recipient=recipient,
            offer=offer,
            consideration=consideration,
            index=number,
            order=_hash(number),
            contract=contract,
        )
        for number, (offerer, offer, consideration) in enumerate(orders, 1)
    ]
    if contract == SEAPORT_11:
        return logs
    hashes = [_hash(number) for number in range(1, len(orders) + 1)]
    return [*logs, orders_matched(hashes, index=len(orders) + 1, contract=contract)]


@pytest.mark.parametrize(("contract", "recipient"), [(SEAPORT_11, ZERO), (SEAPORT_15, BOT)])
def test_pairs_in_one_match_each_have_their_price(contract: str, recipient: str) -> None:
    logs = _orders(
        (BOB, [nft_item(APES, 7)], [erc20_item(WETH, 100, BOB)]),
        (ALICE, [erc20_item(WETH, 100)], [nft_item(APES, 7, ALICE)]),
        (CAROL, [nft_item(APES, 8)], [erc20_item(WETH, 200, CAROL)]),
        (DORA, [erc20_item(WETH, 200)], [nft_item(APES, 8, DORA)]),
        recipient=recipient,
        contract=contract,
    )
    logs += [
        erc721(APES, 7, BOB, ALICE, index=6),
        erc721(APES, 8, CAROL, DORA, index=7),
        erc20(WETH, 100, ALICE, BOB, index=8),
        erc20(WETH, 200, DORA, CAROL, index=9),
    ]
    found = verdict(of_transaction(logs, sender=BOT, target=contract))
    assert (found.judgements, found.faults) == ((sold(100, WETH), sold(200, WETH)), ())
    assert [(fill.seller, fill.buyer) for fill in found.fills] == [(BOB, ALICE), (CAROL, DORA)]


def test_units_of_one_id_from_two_sellers_to_two_buyers_each_have_their_price() -> None:
    """Which seller's unit went to which buyer, only the transfers tell."""
    unit = nft_item(APES, 7, kind=3)
    logs = _orders(
        (BOB, [unit], [erc20_item(WETH, 100, BOB)]),
        (CAROL, [unit], [erc20_item(WETH, 200, CAROL)]),
        (ALICE, [erc20_item(WETH, 200)], [nft_item(APES, 7, ALICE, kind=3)]),
        (DORA, [erc20_item(WETH, 100)], [nft_item(APES, 7, DORA, kind=3)]),
        recipient=BOT,
    )
    logs += [
        erc1155(APES, 7, 1, BOB, DORA, index=6),
        erc1155(APES, 7, 1, CAROL, ALICE, index=7),
        erc20(WETH, 100, DORA, BOB, index=8),
        erc20(WETH, 200, ALICE, CAROL, index=9),
    ]
    found = verdict(of_transaction(logs, sender=BOT, target=SEAPORT_15))
    assert (found.judgements, found.faults) == ((sold(100, WETH), sold(200, WETH)), ())


def test_a_buyers_mirror_that_fills_several_asks_pays_each_what_it_asks() -> None:
    logs = _orders(
        (BOB, [nft_item(APES, 7)], [paid(100, BOB)]),
        (CAROL, [nft_item(APES, 8)], [paid(200, CAROL)]),
        (ALICE, [paid(350)], [nft_item(APES, 7, ALICE), nft_item(APES, 8, ALICE)]),
    )
    logs += [erc721(APES, 7, BOB, ALICE, index=6), erc721(APES, 8, CAROL, ALICE, index=7)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=350))
    assert found.judgements == (sold(100), sold(200))
    assert found.fills[0].order_hashes == (_hash(1), _hash(3))


def test_a_buyers_mirror_may_add_the_units_of_several_asks_up() -> None:
    logs = _orders(
        (BOB, [nft_item(APES, 7, kind=3, amount=2)], [paid(100, BOB)]),
        (CAROL, [nft_item(APES, 7, kind=3, amount=3)], [paid(200, CAROL)]),
        (ALICE, [paid(300)], [nft_item(APES, 7, ALICE, kind=3, amount=5)]),
    )
    logs += [erc1155(APES, 7, 2, BOB, ALICE, index=6), erc1155(APES, 7, 3, CAROL, ALICE, index=7)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=300))
    assert found.judgements == (sold(100), sold(200))


def test_one_bid_for_two_nfts_filled_by_two_sellers_is_a_bundle() -> None:
    """Its bidder did not call, and pays 300 where the sellers ask 250 in all: no price can be told for each."""
    logs = _orders(
        (BOB, [nft_item(APES, 7)], [erc20_item(WETH, 100, BOB)]),
        (CAROL, [nft_item(APES, 8)], [erc20_item(WETH, 150, CAROL)]),
        (ALICE, [erc20_item(WETH, 300)], [nft_item(APES, 7, ALICE), nft_item(APES, 8, ALICE)]),
        recipient=BOT,
    )
    logs += [
        erc721(APES, 7, BOB, ALICE, index=6),
        erc721(APES, 8, CAROL, ALICE, index=7),
        erc20(WETH, 100, ALICE, BOB, index=8),
        erc20(WETH, 150, ALICE, CAROL, index=9),
        erc20(WETH, 50, ALICE, BOT, index=10),
    ]
    found = verdict(of_transaction(logs, sender=BOT, target=SEAPORT_15))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2
    money = [leg.amount for leg in found.judgements[0].swaps if leg.contract == WETH]
    assert sum(money) == 300


def test_a_sellers_mirror_that_fills_several_bids_sells_each_for_its_own_price() -> None:
    logs = _orders(
        (BOB, [erc20_item(WETH, 100)], [nft_item(APES, 7, BOB), erc20_item(WETH, 3, DORA)]),
        (CAROL, [erc20_item(WETH, 200)], [nft_item(APES, 8, CAROL), erc20_item(WETH, 6, DORA)]),
        (ALICE, [nft_item(APES, 7), nft_item(APES, 8)], [erc20_item(WETH, 291, ALICE)]),
    )
    logs += [
        erc721(APES, 7, ALICE, BOB, index=6),
        erc721(APES, 8, ALICE, CAROL, index=7),
        erc20(WETH, 97, BOB, ALICE, index=8),
        erc20(WETH, 194, CAROL, ALICE, index=9),
        erc20(WETH, 3, BOB, DORA, index=10),
        erc20(WETH, 6, CAROL, DORA, index=11),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert (found.judgements, found.faults) == ((sold(100, WETH), sold(200, WETH)), ())
    assert {fill.seller for fill in found.fills} == {ALICE}


def test_another_may_bring_the_money_for_a_buyer_who_offers_none() -> None:
    logs = _orders(
        (BOB, [nft_item(APES, 7)], [paid(100, BOB)]),
        (CAROL, [], [nft_item(APES, 7, CAROL)]),
        (ALICE, [paid(100)], []),
    )
    logs += [erc721(APES, 7, BOB, CAROL, index=6)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100))
    assert (found.judgements, found.fills[0].buyer) == ((sold(100),), CAROL)


def test_one_nft_matched_twice_in_1_1_is_sold_twice() -> None:
    """Two calls in one transaction: no event of 1.1 parts them."""
    logs = _orders(
        (BOB, [nft_item(APES, 7)], [erc20_item(WETH, 100, BOB)]),
        (BOT, [erc20_item(WETH, 100)], [nft_item(APES, 7, BOT)]),
        (BOT, [nft_item(APES, 7)], [erc20_item(WETH, 130, BOT)]),
        (CAROL, [erc20_item(WETH, 130)], [nft_item(APES, 7, CAROL)]),
        recipient=ZERO,
        contract=SEAPORT_11,
    )
    logs += [
        erc721(APES, 7, BOB, BOT, index=6),
        erc20(WETH, 100, BOT, BOB, index=7),
        erc721(APES, 7, BOT, CAROL, index=8),
        erc20(WETH, 130, CAROL, BOT, index=9),
    ]
    found = verdict(of_transaction(logs, sender=ALICE, target=BOT))
    assert (found.judgements, found.faults) == ((sold(100, WETH), sold(130, WETH)), ())


def test_two_mirrors_of_one_caller_fill_an_ask_of_two_units_as_two_sales() -> None:
    """Each is told by its own event: no two fills share one."""
    logs = _orders(
        (BOB, [nft_item(APES, 7, kind=3, amount=2)], [paid(200, BOB)]),
        (ALICE, [paid(100)], [nft_item(APES, 7, ALICE, kind=3)]),
        (ALICE, [paid(100)], [nft_item(APES, 7, ALICE, kind=3)]),
    )
    logs += [erc1155(APES, 7, 2, BOB, ALICE, index=6)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=200))
    assert (found.judgements, [fill.log_index for fill in found.fills]) == ((sold(200),), [2, 3])
