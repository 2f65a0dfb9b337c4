"""Money logs: what one price took no other one can, what is no payment at all, and what a market held before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.checks import check
from indexing.judge.markets.reading import Around
from indexing.judge.markets.registry import registry
from indexing.judge.matching import match
from indexing.judge.money import MoneyMove, Purse, money_moves, unwrapped
from indexing.judge.trace import ESCROWED
from indexing.judge.verdicts import Fill, Item, Judgement, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, UNHURRIED, ZERO, log, word
from tests.markets.building import ETHEREUM, ape, erc20, moves_of, of_transaction, verdict, weth
from tests.markets.currencies import ETHER, ONE_ETHER, POOL_ETHER, USDC, WETH

MARKET = "0x" + "3a" * 20
WRAPPED = {WETH, POOL_ETHER}
ZKSYNC = 324
BOOTLOADER = "0x" + "0" * 36 + "8001"


def _withdrawal(amount: int, *, index: int = LATER, contract: str = WETH) -> RawLog:
    return log("Withdrawal(address,uint256)", [ALICE], word(amount), contract=contract, index=index)


def _ether_of(*logs: RawLog) -> int:
    return unwrapped(logs, money_moves(logs, ()), WRAPPED)


def test_ether_withdrawn_from_blurs_pool_shows_as_a_transfer_to_nobody() -> None:
    assert _ether_of(erc20(POOL_ETHER, ONE_ETHER, ALICE, ZERO, index=1)) == ONE_ETHER


def test_ether_unwrapped_by_a_contract_that_logs_it_twice_is_counted_once() -> None:
    burn, told = erc20(WETH, ONE_ETHER, ALICE, ZERO, index=1), _withdrawal(ONE_ETHER, index=2)
    assert _ether_of(burn, told) == ONE_ETHER


def test_ether_unwrapped_by_several_contracts_adds_up() -> None:
    assert _ether_of(_withdrawal(3, index=1), erc20(POOL_ETHER, 4, ALICE, ZERO, index=2)) == 7


def test_tokens_burned_that_wrap_nothing_are_no_ether() -> None:
    assert _ether_of(erc20(USDC, 10**9, ALICE, ZERO, index=1)) == 0


def test_a_deposit_and_a_withdrawal_pay_for_nothing() -> None:
    purse = Purse(
        [MoneyMove(POOL_ETHER, ZERO, ALICE, ONE_ETHER, 1), MoneyMove(POOL_ETHER, BOB, ZERO, ONE_ETHER, 2)]
    )
    assert not purse.draw(POOL_ETHER, ZERO, ONE_ETHER)
    assert not purse.draw(POOL_ETHER, BOB, ONE_ETHER)
    assert purse.received(POOL_ETHER, ALICE) == ONE_ETHER  # it did get that


def test_money_that_a_market_passes_on_pays_one_price_only() -> None:
    purse = Purse(
        [MoneyMove(POOL_ETHER, ALICE, MARKET, 30, 1), MoneyMove(POOL_ETHER, MARKET, BOB, 30, 2)], {MARKET}
    )
    assert purse.draw(POOL_ETHER, ALICE, 30)
    assert not purse.draw(POOL_ETHER, MARKET, 1)


def test_what_anybody_else_passes_on_is_money_of_their_own() -> None:
    purse = Purse([MoneyMove(WETH, ALICE, BOB, 30, 1), MoneyMove(WETH, BOB, CAROL, 30, 2)], {MARKET})
    assert purse.draw(WETH, ALICE, 30)
    assert purse.draw(WETH, BOB, 30)


PEOPLE = (ALICE, BOB, CAROL, MARKET, ZERO)


@UNHURRIED
@given(
    st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE), st.integers(1, 100)), max_size=12),
    st.lists(st.tuples(st.sampled_from(PEOPLE), st.integers(1, 100)), max_size=12),
)
def test_no_more_is_ever_drawn_than_was_paid(
    paid: list[tuple[str, str, int]], prices: list[tuple[str, int]]
) -> None:
    moves = [MoneyMove(WETH, *one, index) for index, one in enumerate(paid)]
    purse = Purse(moves, {MARKET})
    drawn = sum(amount for sender, amount in prices if purse.draw(WETH, sender, amount))
    assert drawn <= sum(move.amount for move in moves if ZERO not in (move.sender, move.receiver))


def test_native_money_that_a_chain_of_the_zk_stack_logs_as_a_token_is_counted_once() -> None:
    """By the transaction's value; zkSync Era and Abstract log it and the returned fee too, from 0x…800a."""
    native = "0x" + "0" * 36 + "800a"
    logs = [erc20(native, 5, ALICE, BOB), weth(7, ALICE, BOB)]
    assert [one.currency for one in money_moves(logs, ())] == [WETH]
    mint = [erc20(native, 5, ALICE, APES), ape(ZERO, ALICE), erc20(native, 1, BOOTLOADER, ALICE)]
    found = verdict(of_transaction(mint, target=APES, value=5), ZKSYNC)
    assert found.judgements == (Judgement("mint", ETHER, 5),)


@pytest.mark.parametrize(("seller_gets", "is_sound"), [(900, True), (899, False)])
def test_an_escrowed_price_needs_no_payer_but_each_receiver_that_the_event_names(
    seller_gets: int, is_sound: bool
) -> None:
    fill = Fill(
        protocol="any",
        market="any",
        log_index=3,
        side=Side.AUCTION,
        seller=BOB,
        buyer=CAROL,
        items=(Item(APES, 7),),
        currency=WETH,
        price=1000,
        payments=(Payment(WETH, 900, BOB),),
        escrowed=True,
    )
    logs = [ape(MARKET, CAROL), weth(seller_gets, MARKET, BOB)]
    transaction = of_transaction(logs)
    moves, money = moves_of(transaction), money_moves(transaction.logs, {1})
    around = Around(transaction, moves, money, registry(ETHEREUM))
    (found,) = matches = match([fill], moves, around.registry)
    check(matches, around)
    assert (found.fault is None) is is_sound
    assert ESCROWED in found.checks
