"""Seaport's events, as its contract declares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets.emitting import Emitted

SEAPORT_11 = "0x00000000006c3852cbef3e08e8df289169ede581"
SEAPORT_14 = "0x00000000000001ad428e4906ae43d8f9852d0dd6"
SEAPORT_15 = "0x00000000000000adc04c56bf30ac9d3c0aaf14dc"
ALTERNATE_16 = "0x00000000006687982678b03100b9bdc8be440814"
SEAPORT_16 = "0x0000000000000068f116a894984e2db1123eb395"
ORDER, MIRROR, ANOTHER = "0x" + "5e" * 32, "0x" + "31" * 32, "0x" + "a0" * 32
OPENSEA_FEES = "0x0000a26b00c1f0df003000390027140000faa719"

Item = tuple[int, str, int, int, str]
"""Type, contract, identifier, amount and, in a consideration, the receiver."""


def paid(amount: int, receiver: str = ZERO) -> Item:
    """Native money."""
    return 0, ZERO, 0, amount, receiver


def erc20_item(currency: str, amount: int, receiver: str = ZERO) -> Item:
    """Money in a token."""
    return 1, currency, 0, amount, receiver


def nft_item(contract: str, token_id: int, receiver: str = ZERO, *, amount: int = 1, kind: int = 2) -> Item:
    """An NFT: type 2 is ERC-721, 3 ERC-1155, 4 and 5 the same chosen by criteria."""
    return kind, contract, token_id, amount, receiver


_FULFILLED = Emitted(
    "OrderFulfilled(bytes32 order, address indexed offerer, address indexed zone, address recipient, "
    "(uint8,address,uint256,uint256)[] offer, (uint8,address,uint256,uint256,address)[] consideration)",
    SEAPORT_15,
    order=ORDER,
    offerer=BOB,
    recipient=ALICE,
)
orders_matched = Emitted("OrdersMatched(bytes32[] orders)", SEAPORT_15, "orders")


def order_fulfilled(*, offer: Sequence[Item] = (nft_item(APES, 7),), **of: Any) -> RawLog:
    """`OrderFulfilled`; what is offered has no receiver."""
    return _FULFILLED(offer=[item[:4] for item in offer], **of)


def numbered(number: int) -> str:
    """The hash of an order that is told by its number."""
    return f"0x{number:064x}"


def matched(
    *orders: tuple[str, Sequence[Item], Sequence[Item]], recipient: str = ALICE, contract: str = SEAPORT_15
) -> list[RawLog]:
    """The events of orders, numbered from 1, that were all matched in one call: who offers what, and for what.

    From 1.2 on an event names the orders that were matched, and who called is their recipient; 1.1 has neither.
    """
    to = ZERO if contract == SEAPORT_11 else recipient
    logs = [
        order_fulfilled(
            offerer=offerer,
            recipient=to,
            offer=offer,
            consideration=asked,
            order=numbered(number),
            contract=contract,
        )
        for number, (offerer, offer, asked) in enumerate(orders, 1)
    ]
    if contract == SEAPORT_11:
        return logs
    return [*logs, orders_matched([numbered(number + 1) for number in range(len(orders))], contract=contract)]
