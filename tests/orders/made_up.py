"""Made-up Seaport orders as a book shows them: of the right shape and hash, signed by nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.addresses import ZERO_ADDRESS
from indexing.judge.markets.registry import registry
from indexing.judge.markets.seaport_parameters import Parameters, SeaportItem, order_hash
from indexing.orders.seaport import Book
from transfers.ledger.order_asks import Currency

SEAPORT_16 = "0x0000000000000068f116a894984e2db1123eb395"
CONDUIT_KEY = "0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000"
CONDUIT = "0x1e0049783f008a0085193e00003d00cd54003c71"
APES = "0x" + "a9" * 20
MAKER = "0x" + "11" * 20
BUYER = "0x" + "22" * 20
USDC = "0x" + "c0" * 20
AT = 1_800_000_000
FEE_TO = "0x0000a26b00c1f0df003000390027140000faa719"
BOOK = Book(
    "opensea", "ethereum", registry(1), {ZERO_ADDRESS: Currency("ETH", 18), USDC: Currency("USDC", 6)}
)


def item(kind: int, token: str, identifier: int, start: int, end: int | None = None) -> dict[str, Any]:
    """An item of an order."""
    amounts = {"startAmount": str(start), "endAmount": str(start if end is None else end)}
    return {"itemType": kind, "token": token, "identifierOrCriteria": str(identifier), **amounts}


def money(start: int, end: int | None = None, token: str = ZERO_ADDRESS, to: str = MAKER) -> dict[str, Any]:
    """What an order asks for."""
    return item(int(token != ZERO_ADDRESS), token, 0, start, end) | {"recipient": to}


def parameters(**changes: Any) -> dict[str, Any]:
    """An ask of 1 ether for ape 7, of which a fortieth is OpenSea's."""
    return {
        "offerer": MAKER,
        "zone": ZERO_ADDRESS,
        "offer": [item(2, APES, 7, 1)],
        "consideration": [money(975 * 10**15), money(25 * 10**15, to=FEE_TO)],
        "orderType": 0,
        "startTime": str(AT),
        "endTime": str(AT + 1000),
        "zoneHash": "0x" + "0" * 64,
        "salt": "0x5",
        "conduitKey": CONDUIT_KEY,
        "totalOriginalConsiderationItems": 2,
        "counter": "0x0",
    } | changes


def hash_of(order: Mapping[str, Any]) -> str:
    """The hash of an order."""

    def number(value: Any) -> int:
        return int(value, 0) if isinstance(value, str) else value

    def read(one: Mapping[str, Any]) -> SeaportItem:
        identifier, start, end = (
            number(one[name]) for name in ("identifierOrCriteria", "startAmount", "endAmount")
        )
        return SeaportItem(one["itemType"], one["token"], identifier, start, end, one.get("recipient", ""))

    whole = Parameters(
        order["offerer"],
        order["zone"],
        tuple(map(read, order["offer"])),
        tuple(map(read, order["consideration"])),
        order["orderType"],
        number(order["startTime"]),
        number(order["endTime"]),
        order["zoneHash"],
        number(order["salt"]),
        order["conduitKey"],
    )
    return order_hash(whole, number(order.get("counter") or 0))


def listing(order: Mapping[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """An order as OpenSea lists it."""
    order = parameters() if order is None else order
    total = sum(int(one["startAmount"]) for one in order["consideration"])
    return {
        "order_hash": hash_of(order),
        "chain": "ethereum",
        "protocol_data": {"parameters": order},
        "protocol_address": SEAPORT_16,
        "remaining_quantity": int(order["offer"][0]["startAmount"]) if order["offer"] else 1,
        "price": {"current": {"currency": "ETH", "decimals": 18, "value": str(total)}},
        "type": "basic",
        "status": "ACTIVE",
    } | changes


def in_reservoirs_shape(order: Mapping[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """An order as ``/orders/asks/v5`` lists it."""
    order = parameters() if order is None else order
    total = sum(int(one["startAmount"]) for one in order["consideration"])
    return {
        "id": hash_of(order),
        "kind": "seaport-v1.6",
        "side": "sell",
        "status": "active",
        "contract": APES,
        "maker": MAKER,
        "price": {"amount": {"raw": str(total // int(order["offer"][0]["startAmount"]))}},
        "quantityRemaining": int(order["offer"][0]["startAmount"]),
        "rawData": order,
    } | changes


def standing(token_id: int, contract: str = APES, price: int = 40) -> dict[str, Any]:
    """An ask that stands today."""
    order = parameters(
        offer=[item(2, contract, token_id, 1)],
        consideration=[money(price)],
        startTime=str(AT - 10**9),
        endTime=str(2**40),
        counter=0,
    )
    return listing(order, order_created_at=AT)
