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
from tests.markets.building import ape, erc20, erc1155, moves_of, of_transaction, weth
from tests.markets.currencies import WETH
from tests.markets.generated import MARKETS, person
from tests.markets.nftx_events import VAULT, WHOLE, minted, zapped
from tests.markets.seaport_events import erc20_item, nft_item, order_fulfilled

COINS = "0x" + "c0" * 20


def _taken_by_look_alikes_of_vaults(count: int) -> list[RawLog]:
    """Each vault takes one NFT for a token of its own, all events behind all transfers; the last one has many."""
    return [
        *(ape(BOB, person(at), at) for at in range(count)),
        *(ape(BOB, VAULT, count + at) for at in range(count)),
        *(erc20(person(at), WHOLE, ZERO, BOB) for at in range(count)),
        *(minted([at], BOB, contract=person(at)) for at in range(count)),
        *(minted([count + at], BOB) for at in range(count)),
    ]


MADE: dict[str, Callable[[int], list[RawLog]]] = {
    # All of one id, all events before all transfers, in a token.
    "asks of one seller for one coin each": lambda count: [
        *[order_fulfilled(offer=[nft_item(COINS, 1, kind=3)], consideration=[erc20_item(WETH, 5, BOB)])]
        * count,
        *[erc1155(COINS, 1, 1, BOB, ALICE)] * count,
        *[weth(5, ALICE, BOB)] * count,
    ],
    "asks that strangers pay in the buyers place": lambda count: [
        log
        for at in range(count)
        for log in (
            order_fulfilled(offer=[nft_item(APES, at)], consideration=[erc20_item(WETH, 5, BOB)]),
            ape(BOB, ALICE, at),
            weth(5, person(at), BOB),
        )
    ],
    "apes one way and payments the other, each between two others": lambda count: [
        log
        for at in range(count)
        for log in (ape(person(2 * at), person(2 * at + 1), at), weth(5, person(2 * at + 1), person(2 * at)))
    ],
    "one ape from hand to hand": lambda count: [
        log
        for at in range(count)
        for log in (ape(person(at), person(at + 1)), weth(5, person(at + 1), person(at)))
    ],
    "a bundle": lambda count: [*(ape(BOB, ALICE, at) for at in range(count)), weth(5, ALICE, BOB)],
    "an exchange": lambda count: [
        ape(*((BOB, ALICE) if at % 2 else (ALICE, BOB)), at) for at in range(count)
    ],
    "look alikes of vaults": _taken_by_look_alikes_of_vaults,
    "what a zap sells to look alikes of vaults": lambda count: [
        *_taken_by_look_alikes_of_vaults(count),
        *(zapped("Sell", 1, 5, BOB) for _ in range(count)),
    ],
}


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


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_four_times_as_much_takes_less_than_six_times_as_many_steps(
    made: Callable[[int], list[RawLog]],
) -> None:
    """Linear is 4 times, quadratic 16."""
    assert _steps(made(200)) < 6 * _steps(made(50))
