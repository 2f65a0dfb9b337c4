"""Seaport: bids, by `OrderFulfilled` as it is published."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import ETHER, USDC, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.seaport_events import (
    OPENSEA_FEES,
    SEAPORT_15,
    erc20_item,
    nft_item,
    order_fulfilled,
    paid,
)

ROUTER = "0x" + "99" * 20


def test_a_basic_bid_is_sold_for_all_that_the_bidder_offers() -> None:
    """The bidder pays the fees to their receivers and the seller the rest."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 1000)],
        consideration=[nft_item(APES, 7, BOB), erc20_item(WETH, 25, OPENSEA_FEES)],
        index=2,
    )
    logs = [
        event,
        erc721(APES, 7, ALICE, BOB, index=3),
        erc20(WETH, 25, BOB, OPENSEA_FEES, index=4),
        erc20(WETH, 975, BOB, ALICE, index=5),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert (found.judgements, found.faults, found.markets) == ((sold(1000, WETH),), (), ("opensea",))
    (fill,) = found.fills
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, ALICE, BOB)


@pytest.mark.parametrize("kind", [2, 4])
def test_a_bid_filled_otherwise_pays_the_seller_all_and_the_seller_the_fees(kind: int) -> None:
    """Type 4 is a bid for any token of a collection: the event names the one that was given."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 1000)],
        consideration=[nft_item(APES, 7, BOB, kind=kind), erc20_item(WETH, 25, OPENSEA_FEES)],
        index=9,
    )
    logs = [
        erc20(WETH, 1000, BOB, ALICE, index=2),
        erc721(APES, 7, ALICE, BOB, index=3),
        erc20(WETH, 25, ALICE, OPENSEA_FEES, index=4),
        event,
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())


def test_a_bid_for_units_of_one_id_is_one_item() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(USDC, 30)],
        consideration=[nft_item(APES, 7, BOB, kind=5, amount=3)],
        index=9,
    )
    logs = [erc20(USDC, 30, BOB, ALICE, index=2), erc1155(APES, 7, 3, ALICE, BOB, index=3), event]
    assert verdict(of_transaction(logs, target=SEAPORT_15)).judgements == (sold(30, USDC),)


def test_a_fee_in_another_currency_leaves_a_bid_without_one_price() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 1000)],
        consideration=[nft_item(APES, 7, BOB), paid(25, OPENSEA_FEES)],
        index=9,
    )
    logs = [erc20(WETH, 1000, BOB, ALICE, index=2), erc721(APES, 7, ALICE, BOB, index=3), event]
    (judged,) = verdict(of_transaction(logs, target=SEAPORT_15, value=25)).judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)
    assert {(leg.contract, leg.amount) for leg in judged.swaps} == {(APES, 1), (WETH, 1000), (ETHER, 25)}


def test_a_bid_may_want_the_nft_for_somebody_else() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 100)],
        consideration=[nft_item(APES, 7, CAROL)],
        index=9,
    )
    logs = [erc20(WETH, 100, BOB, ALICE, index=2), erc721(APES, 7, ALICE, CAROL, index=3), event]
    assert verdict(of_transaction(logs, target=SEAPORT_15)).judgements == (sold(100, WETH),)


def test_a_bid_filled_through_a_router_is_sold_by_whom_it_pays() -> None:
    """The recipient gets the bidder's money; the router only carries the NFT."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 100)],
        consideration=[nft_item(APES, 7, BOB)],
        index=9,
    )
    logs = [
        erc721(APES, 7, ALICE, ROUTER, index=1),
        erc20(WETH, 100, BOB, ALICE, index=2),
        erc721(APES, 7, ROUTER, BOB, index=3),
        event,
    ]
    found = verdict(of_transaction(logs, target=ROUTER))
    assert [one.transfer_type for one in found.judgements] == ["sale", "transfer"]
    assert found.judgements[0] == sold(100, WETH)


def test_one_bid_for_several_nfts_is_a_bundle() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 100)],
        consideration=[nft_item(APES, 7, BOB), nft_item(APES, 8, BOB)],
        index=9,
    )
    logs = [
        erc20(WETH, 100, BOB, ALICE, index=2),
        erc721(APES, 7, ALICE, BOB, index=3),
        erc721(APES, 8, ALICE, BOB, index=4),
        event,
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert {(one.transfer_type, one.currency, len(one.swaps)) for one in found.judgements} == {
        ("sale", None, 3)
    }
