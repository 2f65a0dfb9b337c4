"""Transactions without a market's event: what is a sale, what an exchange, what is only passing on."""

from __future__ import annotations

from indexing.judge.legs import MAX_LEGS
from indexing.judge.verdicts import Judgement, Leg, Verdict
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import (
    USDC,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)

COINS = "0x" + "c0" * 20
ROUTER = "0x" + "40" * 20
VAULT = "0x" + "0f" * 20
DEAD = "0x" + "0" * 36 + "dead"
PLAIN = Judgement("transfer")


def _types(found: Verdict) -> list[str]:
    return [one.transfer_type for one in found.judgements]


def test_a_payment_for_no_units_or_to_oneself_buys_nothing() -> None:
    nothing = [erc1155(COINS, 1, 0, BOB, ALICE), erc20(WETH, 5, ALICE, BOB)]
    oneself = [erc721(APES, 7, ALICE, ALICE), erc20(WETH, 5, ALICE, ALICE)]
    assert verdict(of_transaction(nothing)).judgements == (PLAIN,)
    assert verdict(of_transaction(oneself)).judgements == (PLAIN,)


CASES = {
    "a token payment from receiver to sender is the price but nothing commercial": Case(
        ape(BOB, ALICE), weth(60, ALICE, BOB), weth(40, ALICE, BOB)
    ).was(sold(100, WETH), markets=(), commercial=False),
    "native value alone proves nothing": Case(ape(BOB, ALICE), value=5).was(PLAIN),
    "two NFTs of two sellers have each the price that its seller got": Case(
        ape(BOB, ALICE), ape(CAROL, ALICE, 8), weth(60, ALICE, BOB), weth(40, ALICE, CAROL)
    ).was(sold(60, WETH), sold(40, WETH)),
    "several NFTs for one payment are sold with all legs and no price": Case(
        ape(BOB, ALICE), ape(BOB, ALICE, 8), weth(60, ALICE, BOB)
    ).was(
        *(
            Judgement(
                "sale",
                swaps=(
                    Leg(APES, 7, BOB, ALICE, 1),
                    Leg(APES, 8, BOB, ALICE, 1),
                    Leg(WETH, None, ALICE, BOB, 60),
                ),
            ),
        )
        * 2
    ),
    # The seller's leg is the sale, at what the buyer paid; the same money is in no second price.
    "a router that keeps a margin has not sold what it passes on": Case(
        weth(100, ALICE, ROUTER), weth(95, ROUTER, BOB), ape(BOB, ROUTER), ape(ROUTER, ALICE)
    ).was(sold(100, WETH), PLAIN),
    "who pays before getting any money buys and sells": Case(
        weth(95, ROUTER, BOB), ape(BOB, ROUTER), weth(100, ALICE, ROUTER), ape(ROUTER, ALICE)
    ).was(sold(95, WETH), sold(100, WETH)),
    "of a sweep through a router each seller has sold for what it got": Case(
        weth(100, ALICE, ROUTER),
        weth(60, ROUTER, BOB),
        ape(BOB, ROUTER),
        weth(40, ROUTER, CAROL),
        ape(CAROL, ROUTER, 8),
        ape(ROUTER, ALICE),
        ape(ROUTER, ALICE, 8),
    ).was(sold(60, WETH), sold(40, WETH), PLAIN, PLAIN),
    # its fee
    "an NFT that a router hands over is sold by who gave it to whom paid for it": Case(
        ape(BOB, ROUTER), ape(ROUTER, ALICE), weth(95, ALICE, BOB), weth(5, ALICE, ROUTER)
    ).was(sold(95, WETH), PLAIN),
    "an NFT that is lent and comes back for a fee is not sold": Case(
        ape(BOB, ALICE), weth(5, ALICE, BOB), ape(ALICE, BOB)
    ).was(PLAIN, PLAIN),
    # of others
    "an exchange with money on top has the money among its legs": Case(
        ape(BOB, ALICE), ape(ALICE, BOB, 8), weth(5, ALICE, BOB), erc20(USDC, 9, ALICE, CAROL)
    ).was(
        *(
            Judgement(
                "swap",
                swaps=(
                    Leg(APES, 7, BOB, ALICE, 1),
                    Leg(APES, 8, ALICE, BOB, 1),
                    Leg(WETH, None, ALICE, BOB, 5),
                ),
            ),
        )
        * 2
    ),
}


test_without_markets = judged(CASES)


def test_an_exchange_with_a_vault_through_a_router_is_the_legs_that_leave_both() -> None:
    logs = [
        erc721(APES, 7, ALICE, ROUTER),
        erc721(APES, 7, ROUTER, VAULT),
        erc721(APES, 8, VAULT, ROUTER),
        erc721(APES, 8, ROUTER, ALICE),
    ]
    found = verdict(of_transaction(logs))
    assert _types(found) == ["swap", "transfer", "swap", "transfer"]
    assert [(leg.token_id, leg.sender, leg.receiver) for leg in found.judgements[0].swaps] == [
        (7, ALICE, ROUTER),
        (7, ROUTER, VAULT),
        (8, VAULT, ROUTER),
        (8, ROUTER, ALICE),
    ]


def test_what_the_receiver_keeps_elsewhere_is_still_exchanged() -> None:
    logs = [erc721(APES, 7, ALICE, VAULT), erc721(APES, 8, VAULT, ALICE), erc721(APES, 7, VAULT, CAROL)]
    assert _types(verdict(of_transaction(logs))) == ["swap", "swap", "transfer"]


def test_of_a_large_bundle_each_transfer_shows_its_own_leg_and_what_was_paid() -> None:
    """Else fifty thousand NFTs, which cost little to move, would be stored with fifty thousand legs each."""
    count = MAX_LEGS + 50
    moves = [erc721(APES, at, BOB, ALICE, index=at) for at in range(count)]
    found = verdict(of_transaction([*moves, erc20(WETH, 60, ALICE, BOB, index=count)]))
    paid = Leg(WETH, None, ALICE, BOB, 60)
    assert [one.swaps for one in found.judgements] == [
        (Leg(APES, at, BOB, ALICE, 1), paid) for at in range(count)
    ]


def test_a_mint_has_the_transactions_value_only_as_all_that_it_bought() -> None:
    one = erc721(APES, 7, ZERO, ALICE, index=1)
    assert verdict(of_transaction([one], value=5)).judgements == (Judgement("mint", "0x" + "0" * 40, 5),)
    two = [one, erc721(APES, 8, ZERO, ALICE, index=2)]
    assert verdict(of_transaction(two, value=5)).judgements == (Judgement("mint"),) * 2
    tokens = [one, erc20(USDC, 9, CAROL, ALICE, index=2)]
    assert verdict(of_transaction(tokens, value=5)).judgements == (Judgement("mint"),)
    assert verdict(of_transaction([one])).judgements == (Judgement("mint"),)


def test_units_minted_together_are_one_item_and_none_are_worth_nothing() -> None:
    some, none = (erc1155(COINS, 1, units, ZERO, ALICE, index=1) for units in (5, 0))
    assert verdict(of_transaction([some], value=5)).judgements[0].price == 5
    assert verdict(of_transaction([none], value=5)).judgements == (Judgement("mint"),)


def test_what_goes_to_nobody_is_burned() -> None:
    logs = [erc721(APES, 7, BOB, DEAD), erc721(APES, 8, BOB, ZERO)]
    assert _types(verdict(of_transaction(logs, value=5))) == ["burn", "burn"]
