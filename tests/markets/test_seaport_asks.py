"""Seaport: asks, by `OrderFulfilled` as it is published."""

from __future__ import annotations

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import ETHER, ONE_ETHER, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.seaport_events import SEAPORT_15, erc20_item, nft_item, order_fulfilled, paid

FEES = "0x0000a26b00c1f0df003000390027140000faa719"


def test_an_ask_in_ether_is_sold_for_what_the_seller_and_the_fees_get_together() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(975 * 10**15, BOB), paid(25 * 10**15, FEES)],
        index=4,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=5)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=ONE_ETHER))
    assert found.judgements == (sold(ONE_ETHER),)
    assert (found.markets, found.is_commercial, found.faults) == (("opensea",), True, ())
    assert (found.fills[0].seller, found.fills[0].buyer, found.fills[0].currency) == (BOB, ALICE, ETHER)


def test_an_ask_in_a_token_is_sold_for_all_that_the_buyer_pays_of_it() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(WETH, 95, BOB), erc20_item(WETH, 5, CAROL)],
        index=4,
    )
    logs = [
        event,
        erc721(APES, 7, BOB, ALICE, index=5),
        erc20(WETH, 95, ALICE, BOB, index=6),
        erc20(WETH, 5, ALICE, CAROL, index=7),
    ]
    assert verdict(of_transaction(logs, target=SEAPORT_15)).judgements == (sold(100, WETH),)
