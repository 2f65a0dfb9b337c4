"""Seaport: asks, by `OrderFulfilled` as it is published."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Leg
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    USDC,
    WETH,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
)
from tests.markets.seaport_events import (
    ALTERNATE_16,
    OPENSEA_FEES,
    SEAPORT_11,
    SEAPORT_15,
    SEAPORT_16,
    erc20_item,
    nft_item,
    order_fulfilled,
    paid,
)

ROUTER = "0x" + "99" * 20
POLYGON, WRAPPED_POL = 137, "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"
BASE, WETH_OF_BASE = 8453, "0x4200000000000000000000000000000000000006"


@pytest.mark.parametrize("contract", [SEAPORT_11, SEAPORT_15, SEAPORT_16, ALTERNATE_16])
@pytest.mark.parametrize("event", [1, 9])
def test_an_ask_in_ether_is_sold_for_what_the_seller_and_the_fees_get_together(
    contract: str, event: int
) -> None:
    """The event stands before the transfer of a basic order, and behind that of any other single one."""
    fulfilled = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(975 * 10**15, BOB), paid(25 * 10**15, OPENSEA_FEES)],
        index=event,
        contract=contract,
    )
    logs = [fulfilled, erc721(APES, 7, BOB, ALICE, index=5)]
    found = verdict(of_transaction(logs, target=contract, value=ONE_ETHER))
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


@pytest.mark.parametrize(("chain_id", "currency"), [(POLYGON, WRAPPED_POL), (BASE, WETH_OF_BASE)])
def test_seaport_is_at_the_same_address_on_every_chain(chain_id: int, currency: str) -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(currency, 60, BOB)],
        index=4,
        contract=SEAPORT_16,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=5), erc20(currency, 60, ALICE, BOB, index=6)]
    found = verdict(of_transaction(logs, target=SEAPORT_16), chain_id)
    assert (found.judgements, found.markets) == ((sold(60, currency),), ("opensea",))


def test_a_tip_is_a_part_of_the_price() -> None:
    """Who fills an order may add receivers to it: the buyer's side pays them too."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(100, BOB), paid(3, ROUTER)],
        index=4,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=5)]
    assert verdict(of_transaction(logs, target=SEAPORT_15, value=103)).judgements == (sold(103),)


def test_what_the_transaction_brings_too_much_is_given_back_and_no_price() -> None:
    event = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(100, BOB)], index=4
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=5)]
    assert verdict(of_transaction(logs, target=SEAPORT_15, value=150)).judgements == (sold(100),)


def test_several_units_of_one_id_are_one_item_with_the_whole_price() -> None:
    """A partial fill: the event's amounts are those of this fill, not of the order."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7, amount=6, kind=3)],
        consideration=[paid(540, BOB), paid(60, CAROL)],
        index=4,
    )
    logs = [event, erc1155(APES, 7, 6, BOB, ALICE, index=5)]
    assert verdict(of_transaction(logs, target=SEAPORT_15, value=600)).judgements == (sold(600),)


@pytest.mark.parametrize("kind", [4, 5])
def test_an_item_chosen_by_criteria_is_the_one_that_the_event_names(kind: int) -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7, kind=kind)],
        consideration=[paid(100, BOB)],
        index=9,
    )
    move = erc721(APES, 7, BOB, ALICE, index=5) if kind == 4 else erc1155(APES, 7, 1, BOB, ALICE, index=5)
    assert verdict(of_transaction([event, move], target=SEAPORT_15, value=100)).judgements == (sold(100),)


def test_a_price_in_two_currencies_is_a_sale_with_its_legs_and_no_price() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(100, BOB), erc20_item(USDC, 50, BOB)],
        index=4,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=5), erc20(USDC, 50, ALICE, BOB, index=6)]
    (judged,) = verdict(of_transaction(logs, target=SEAPORT_15, value=100)).judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)
    assert judged.swaps == (
        Leg(APES, 7, BOB, ALICE, 1, "opensea"),
        Leg(ETHER, None, ALICE, BOB, 100, "opensea"),
        Leg(USDC, None, ALICE, BOB, 50, "opensea"),
    )


def test_one_price_for_several_nfts_is_not_split() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7), nft_item(APES, 8)],
        consideration=[paid(90, BOB), paid(10, CAROL)],
        index=4,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=5), erc721(APES, 8, BOB, ALICE, index=6)]
    first, second = verdict(of_transaction(logs, target=SEAPORT_15, value=100)).judgements
    assert first == second
    assert (first.transfer_type, first.currency) == ("sale", None)
    assert first.swaps == (
        Leg(APES, 7, BOB, ALICE, 1, "opensea"),
        Leg(APES, 8, BOB, ALICE, 1, "opensea"),
        Leg(ETHER, None, ALICE, BOB, 90, "opensea"),
        Leg(ETHER, None, ALICE, CAROL, 10, "opensea"),
    )


def test_a_gift_is_sold_to_whom_it_was_sent() -> None:
    """Carol is the recipient that Alice names as she pays."""
    event = order_fulfilled(
        offerer=BOB, recipient=CAROL, offer=[nft_item(APES, 7)], consideration=[paid(100, BOB)], index=4
    )
    logs = [event, erc721(APES, 7, BOB, CAROL, index=5)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100))
    assert (found.judgements, found.fills[0].buyer) == ((sold(100),), CAROL)


def test_a_relay_that_buys_and_forwards_has_bought_once() -> None:
    event = order_fulfilled(
        offerer=BOB, recipient=ROUTER, offer=[nft_item(APES, 7)], consideration=[paid(100, BOB)], index=4
    )
    logs = [event, erc721(APES, 7, BOB, ROUTER, index=5), erc721(APES, 7, ROUTER, ALICE, index=6)]
    found = verdict(of_transaction(logs, target=ROUTER, value=100))
    assert [one.transfer_type for one in found.judgements] == ["sale", "transfer"]
    assert found.judgements[0] == sold(100)


def test_a_contract_that_mints_what_its_order_gives_has_sold_it() -> None:
    """Drops by contract orders (1.2 on): the offerer is the NFT's own contract."""
    event = order_fulfilled(
        offerer=APES,
        recipient=ALICE,
        offer=[nft_item(APES, 7, kind=4)],
        consideration=[paid(100, BOB)],
        index=9,
        contract=SEAPORT_16,
    )
    zero = "0x" + "0" * 40
    logs = [erc721(APES, 7, zero, ALICE, index=5), event]
    assert verdict(of_transaction(logs, target=SEAPORT_16, value=100)).judgements == (sold(100),)


def test_openseas_storefront_is_sold_by_its_adapter() -> None:
    adapter = "0xa604060890923ff400e8c6f5290461a83aedacec"
    storefront = "0x495f947276749ce646f68ac8c248420045cb7b5e"
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(adapter, 2**200, kind=3)],
        consideration=[paid(100, BOB)],
        index=4,
    )
    logs = [event, erc1155(storefront, 2**200, 1, BOB, ALICE, index=5, operator=adapter)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100))
    assert (found.judgements, found.faults) == ((sold(100),), ())
