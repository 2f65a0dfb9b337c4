"""Transactions made to be slow: the time to judge one grows with its logs, not with their square."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from indexing.judge.classify import classify
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets.building import erc20, erc721, erc1155, moves_of, of_transaction
from tests.markets.currencies import WETH
from tests.markets.generated import MARKETS, person
from tests.markets.nftx_events import VAULT, WHOLE, minted, zapped
from tests.markets.seaport_events import erc20_item, nft_item, order_fulfilled

COINS = "0x" + "c0" * 20


def _coins_of_one_seller(count: int) -> list[RawLog]:
    """Asks for one coin each, all of one id, all events before all transfers, in a token."""
    logs = []
    for at in range(count):
        item, price = nft_item(COINS, 1, kind=3), erc20_item(WETH, 5, BOB)
        logs.append(
            order_fulfilled(offerer=BOB, recipient=ALICE, offer=[item], consideration=[price], index=at)
        )
        logs.append(erc1155(COINS, 1, 1, BOB, ALICE, index=count + at))
        logs.append(erc20(WETH, 5, ALICE, BOB, index=2 * count + at))
    return logs


def _apes_that_strangers_pay_for(count: int) -> list[RawLog]:
    """Asks that somebody pays in the buyer's place, each another."""
    logs = []
    for at in range(count):
        item, price = nft_item(APES, at), erc20_item(WETH, 5, BOB)
        logs.append(
            order_fulfilled(offerer=BOB, recipient=ALICE, offer=[item], consideration=[price], index=3 * at)
        )
        logs.append(erc721(APES, at, BOB, ALICE, index=3 * at + 1))
        logs.append(erc20(WETH, 5, person(at), BOB, index=3 * at + 2))
    return logs


def _apes_without_a_market(count: int) -> list[RawLog]:
    """NFTs one way, payments the other, each between two others."""
    logs = []
    for at in range(count):
        seller, buyer = person(2 * at), person(2 * at + 1)
        logs.append(erc721(APES, at, seller, buyer, index=2 * at))
        logs.append(erc20(WETH, 5, buyer, seller, index=2 * at + 1))
    return logs


def _one_ape_from_hand_to_hand(count: int) -> list[RawLog]:
    logs = [erc721(APES, 7, person(at), person(at + 1), index=2 * at) for at in range(count)]
    return logs + [erc20(WETH, 5, person(at + 1), person(at), index=2 * at + 1) for at in range(count)]


def _apes_of_a_bundle(count: int) -> list[RawLog]:
    logs = [erc721(APES, at, BOB, ALICE, index=at) for at in range(count)]
    return [*logs, erc20(WETH, 5, ALICE, BOB, index=count)]


def _apes_of_an_exchange(count: int) -> list[RawLog]:
    return [erc721(APES, at, *((BOB, ALICE) if at % 2 else (ALICE, BOB)), index=at) for at in range(count)]


def _apes_that_look_alikes_of_vaults_take(count: int) -> list[RawLog]:
    """Each vault takes one NFT for a token of its own, all events behind all transfers; the last one has many."""
    logs = [erc721(APES, at, BOB, person(at), index=at) for at in range(count)]
    logs += [erc721(APES, count + at, BOB, VAULT, index=count + at) for at in range(count)]
    logs += [erc20(person(at), WHOLE, ZERO, BOB, index=2 * count + at) for at in range(count)]
    logs += [minted([at], BOB, index=3 * count + at, contract=person(at)) for at in range(count)]
    return logs + [minted([count + at], BOB, index=4 * count + at) for at in range(count)]


def _apes_that_a_zap_sells_to_look_alikes(count: int) -> list[RawLog]:
    logs = _apes_that_look_alikes_of_vaults_take(count)
    return [*logs, *(zapped("Sell", 1, 5, BOB, index=len(logs) + at) for at in range(count))]


def _steps(logs: list[RawLog]) -> int:
    """How many instructions of Python judging takes: unlike a time, the same on every machine."""
    transaction = of_transaction(logs)
    moves = moves_of(transaction)
    count = 0

    def step(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        classify(transaction, moves, MARKETS)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "made",
    [
        _coins_of_one_seller,
        _apes_that_strangers_pay_for,
        _apes_without_a_market,
        _one_ape_from_hand_to_hand,
        _apes_of_a_bundle,
        _apes_of_an_exchange,
        _apes_that_look_alikes_of_vaults_take,
        _apes_that_a_zap_sells_to_look_alikes,
    ],
)
def test_four_times_as_much_takes_less_than_six_times_as_many_steps(
    made: Callable[[int], list[RawLog]],
) -> None:
    """Linear is 4 times, quadratic 16."""
    assert _steps(made(200)) < 6 * _steps(made(50))
