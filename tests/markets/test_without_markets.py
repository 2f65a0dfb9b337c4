"""Transactions without a market's event: what is a sale, what an exchange, what is only passing on."""

from __future__ import annotations

from indexing.judge.legs import MAX_LEGS
from indexing.judge.verdicts import Judgement, Leg, Verdict
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import USDC, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict

COINS = "0x" + "c0" * 20
ROUTER = "0x" + "40" * 20
VAULT = "0x" + "0f" * 20
DEAD = "0x" + "0" * 36 + "dead"
PLAIN = Judgement("transfer")


def _types(found: Verdict) -> list[str]:
    return [one.transfer_type for one in found.judgements]


def test_a_token_payment_from_receiver_to_sender_is_the_price_but_nothing_commercial() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 60, ALICE, BOB, index=2),
        erc20(WETH, 40, ALICE, BOB, index=3),
    ]
    found = verdict(of_transaction(logs))
    assert found.judgements == (sold(100, WETH),)
    assert (found.is_commercial, found.markets) == (False, ())


def test_native_value_alone_proves_nothing() -> None:
    assert verdict(of_transaction([erc721(APES, 7, BOB, ALICE, index=1)], value=5)).judgements == (PLAIN,)


def test_two_nfts_of_two_sellers_have_each_the_price_that_its_seller_got() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 8, CAROL, ALICE, index=2),
        erc20(WETH, 60, ALICE, BOB, index=3),
        erc20(WETH, 40, ALICE, CAROL, index=4),
    ]
    assert verdict(of_transaction(logs)).judgements == (sold(60, WETH), sold(40, WETH))


def test_several_nfts_for_one_payment_are_sold_with_all_legs_and_no_price() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 8, BOB, ALICE, index=2),
        erc20(WETH, 60, ALICE, BOB, index=3),
    ]
    legs = (
        Leg(APES, 7, BOB, ALICE, 1),
        Leg(APES, 8, BOB, ALICE, 1),
        Leg(WETH, None, ALICE, BOB, 60),
    )
    assert verdict(of_transaction(logs)).judgements == (Judgement("sale", swaps=legs),) * 2


def test_a_router_that_keeps_a_margin_has_not_sold_what_it_passes_on() -> None:
    """The seller's leg is the sale, at what the buyer paid; the same money is in no second price."""
    logs = [
        erc20(WETH, 100, ALICE, ROUTER, index=1),
        erc20(WETH, 95, ROUTER, BOB, index=2),
        erc721(APES, 7, BOB, ROUTER, index=3),
        erc721(APES, 7, ROUTER, ALICE, index=4),
    ]
    assert verdict(of_transaction(logs)).judgements == (sold(100, WETH), PLAIN)


def test_who_pays_before_getting_any_money_buys_and_sells() -> None:
    logs = [
        erc20(WETH, 95, ROUTER, BOB, index=1),
        erc721(APES, 7, BOB, ROUTER, index=2),
        erc20(WETH, 100, ALICE, ROUTER, index=3),
        erc721(APES, 7, ROUTER, ALICE, index=4),
    ]
    assert verdict(of_transaction(logs)).judgements == (sold(95, WETH), sold(100, WETH))


def test_of_a_sweep_through_a_router_each_seller_has_sold_for_what_it_got() -> None:
    logs = [
        erc20(WETH, 100, ALICE, ROUTER, index=1),
        erc20(WETH, 60, ROUTER, BOB, index=2),
        erc721(APES, 7, BOB, ROUTER, index=3),
        erc20(WETH, 40, ROUTER, CAROL, index=4),
        erc721(APES, 8, CAROL, ROUTER, index=5),
        erc721(APES, 7, ROUTER, ALICE, index=6),
        erc721(APES, 8, ROUTER, ALICE, index=7),
    ]
    assert verdict(of_transaction(logs)).judgements == (sold(60, WETH), sold(40, WETH), PLAIN, PLAIN)


def test_an_nft_that_a_router_hands_over_is_sold_by_who_gave_it_to_whom_paid_for_it() -> None:
    logs = [
        erc721(APES, 7, BOB, ROUTER, index=1),
        erc721(APES, 7, ROUTER, ALICE, index=2),
        erc20(WETH, 95, ALICE, BOB, index=3),
        erc20(WETH, 5, ALICE, ROUTER, index=4),  # its fee
    ]
    assert verdict(of_transaction(logs)).judgements == (sold(95, WETH), PLAIN)


def test_an_nft_that_is_lent_and_comes_back_for_a_fee_is_not_sold() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 5, ALICE, BOB, index=2),
        erc721(APES, 7, ALICE, BOB, index=3),
    ]
    assert verdict(of_transaction(logs)).judgements == (PLAIN, PLAIN)


def test_a_payment_for_no_units_or_to_oneself_buys_nothing() -> None:
    nothing = [erc1155(COINS, 1, 0, BOB, ALICE, index=1), erc20(WETH, 5, ALICE, BOB, index=2)]
    oneself = [erc721(APES, 7, ALICE, ALICE, index=1), erc20(WETH, 5, ALICE, ALICE, index=2)]
    assert verdict(of_transaction(nothing)).judgements == (PLAIN,)
    assert verdict(of_transaction(oneself)).judgements == (PLAIN,)


def test_an_exchange_with_money_on_top_has_the_money_among_its_legs() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 8, ALICE, BOB, index=2),
        erc20(WETH, 5, ALICE, BOB, index=3),
        erc20(USDC, 9, ALICE, CAROL, index=4),  # of others
    ]
    found = verdict(of_transaction(logs))
    legs = (Leg(APES, 7, BOB, ALICE, 1), Leg(APES, 8, ALICE, BOB, 1), Leg(WETH, None, ALICE, BOB, 5))
    assert found.judgements == (Judgement("swap", swaps=legs),) * 2


def test_an_exchange_with_a_vault_through_a_router_is_the_legs_that_leave_both() -> None:
    logs = [
        erc721(APES, 7, ALICE, ROUTER, index=1),
        erc721(APES, 7, ROUTER, VAULT, index=2),
        erc721(APES, 8, VAULT, ROUTER, index=3),
        erc721(APES, 8, ROUTER, ALICE, index=4),
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
    logs = [
        erc721(APES, 7, ALICE, VAULT, index=1),
        erc721(APES, 8, VAULT, ALICE, index=2),
        erc721(APES, 7, VAULT, CAROL, index=3),
    ]
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
    logs = [erc721(APES, 7, BOB, DEAD, index=1), erc721(APES, 8, BOB, ZERO, index=2)]
    assert _types(verdict(of_transaction(logs, value=5))) == ["burn", "burn"]
