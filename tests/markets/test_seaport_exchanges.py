"""Seaport: NFTs for NFTs, with and without money beside them."""

from __future__ import annotations

from indexing.judge.verdicts import Leg
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets.building import ETHER, WETH, Case, ape, erc20, erc721, judged, of_transaction, verdict
from tests.markets.seaport_events import (
    MIRROR,
    ORDER,
    SEAPORT_11,
    SEAPORT_15,
    SEAPORT_16,
    erc20_item,
    nft_item,
    order_fulfilled,
    orders_matched,
    paid,
)

CATS = "0x" + "c4" * 20
DEAD = "0x000000000000000000000000000000000000dead"


def test_an_nft_for_an_nft_is_a_swap_with_both_legs() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[nft_item(CATS, 3, BOB)],
        index=9,
    )
    logs = [erc721(APES, 7, BOB, ALICE, index=1), erc721(CATS, 3, ALICE, BOB, index=2), event]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    legs = (Leg(APES, 7, BOB, ALICE, 1, "opensea"), Leg(CATS, 3, ALICE, BOB, 1, "opensea"))
    assert [(one.transfer_type, one.currency, one.swaps) for one in found.judgements] == [
        ("swap", None, legs)
    ] * 2
    assert (found.markets, found.is_commercial) == (("opensea",), True)


def test_money_that_the_taker_adds_is_a_leg_of_the_swap() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[nft_item(CATS, 3, BOB), paid(50, BOB)],
        index=9,
    )
    logs = [erc721(APES, 7, BOB, ALICE, index=1), erc721(CATS, 3, ALICE, BOB, index=2), event]
    first, second = verdict(of_transaction(logs, target=SEAPORT_15, value=50)).judgements
    assert first == second
    assert first.transfer_type == "swap"
    assert first.swaps[2:] == (Leg(ETHER, None, ALICE, BOB, 50, "opensea"),)


def test_money_that_the_maker_adds_is_a_leg_of_the_swap() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7), erc20_item(WETH, 50)],
        consideration=[nft_item(CATS, 3, BOB)],
        index=9,
    )
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 50, BOB, ALICE, index=2),
        erc721(CATS, 3, ALICE, BOB, index=3),
        event,
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert {one.transfer_type for one in found.judgements} == {"swap"}
    assert found.judgements[0].swaps[2:] == (Leg(WETH, None, BOB, ALICE, 50, "opensea"),)


def test_two_exchanges_matched_with_each_other_are_one_swap() -> None:
    for contract, recipient in ((SEAPORT_11, ZERO), (SEAPORT_15, ALICE)):
        bob = order_fulfilled(
            offerer=BOB,
            recipient=recipient,
            offer=[nft_item(APES, 7)],
            consideration=[nft_item(CATS, 3, BOB)],
            index=1,
            contract=contract,
        )
        alice = order_fulfilled(
            offerer=ALICE,
            recipient=recipient,
            offer=[nft_item(CATS, 3)],
            consideration=[nft_item(APES, 7, ALICE)],
            index=2,
            order=MIRROR,
            contract=contract,
        )
        logs = [bob, alice, erc721(APES, 7, BOB, ALICE, index=4), erc721(CATS, 3, ALICE, BOB, index=5)]
        if contract == SEAPORT_15:
            logs.append(orders_matched([ORDER, MIRROR], index=3))
        found = verdict(of_transaction(logs, target=contract))
        assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]
        assert len(found.fills) == 1
        assert (found.fills[0].seller, found.fills[0].buyer) == (BOB, ALICE)


CASES = {
    # Contract orders (1.2 on) that give a new NFT for an old one: both come before a swap in the order of types.
    "what is burned and minted in a redemption is a burn and a mint": Case(
        erc721(CATS, 3, ZERO, ALICE),
        ape(ALICE, DEAD),
        order_fulfilled(
            offerer=CATS,
            offer=[nft_item(CATS, 3)],
            consideration=[nft_item(APES, 7, DEAD)],
            contract=SEAPORT_16,
        ),
        to=SEAPORT_16,
    ).was("mint", "burn", commercial=True)
}


test_seaport_exchanges = judged(CASES)
