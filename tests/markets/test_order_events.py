"""Orders as real logs tell of them, each with its right answer; and the hashes of real Seaport orders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from indexing.judge.markets.orders import order_events
from indexing.judge.markets.registry import registry
from indexing.judge.markets.seaport_parameters import (
    NoAskError,
    Parameters,
    SeaportAsk,
    SeaportItem,
    ask,
    operator,
    order_hash,
)
from indexing.judge.verdicts import Fault
from indexing.node.logs import RawLog, raw_log
from tests.markets.building import ETHEREUM
from tests.shared import DATA
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind

pytestmark = pytest.mark.shared
_FOLDER = DATA / "orders"
_KINDS = {
    **dict.fromkeys(("PunkOffered", "BuyPriceSet", "OrderCreated", "SetSalePrice"), OrderKind.OPENED),
    **dict.fromkeys(("CounterIncremented", "NonceIncremented", "CancelAllOrders"), OrderKind.BULK_ENDED),
    **dict.fromkeys(("CancelMultipleOrders", "OrderNoncesCancelled"), OrderKind.BULK_ENDED),
    **dict.fromkeys(("SpotPriceUpdate", "DeltaUpdate", "NewPair"), OrderKind.POOL),
    "ApprovalForAll": OrderKind.APPROVED,
}
"""What an event says; any other ends an order."""
_RULES = {
    **dict.fromkeys(("CounterIncremented", "NonceIncremented"), NonceRule.OTHER),
    **dict.fromkeys(("CancelMultipleOrders", "OrderNoncesCancelled"), NonceRule.LISTED),
    "CancelAllOrders": NonceRule.BELOW,
}
_MUST = {
    OrderKind.OPENED: ("contract", "tokenId", "price", "currency", "validUntil", "escrow", "hash", "maker"),
    OrderKind.ENDED: ("hash",),
    OrderKind.BULK_ENDED: ("exchange", "maker", "nonces"),
    OrderKind.APPROVED: ("contract", "maker", "operator", "approved"),
    OrderKind.POOL: ("pool",),
}
"""What an event of a kind tells, where its answer has it; what else it tells is right too."""


@cache
def _lines(name: str) -> list[dict[str, Any]]:
    """The lines of a file; none where there is no data."""
    if not DATA.is_dir():
        return []
    return [json.loads(line) for line in (_FOLDER / name).read_text().splitlines()]


def _logs(line: Mapping[str, Any]) -> list[RawLog]:
    return [
        raw_log(
            {
                **{key: log[key] for key in ("address", "topics", "data")},
                "blockNumber": hex(line["block"] or 0),
                "blockHash": "0x" + "bb" * 32,
                "transactionHash": line["tx"] or "0x" + "7a" * 32,
                "transactionIndex": "0x0",
                "logIndex": hex(log["logIndex"]),
            }
        )
        for log in line["logs"]
    ]


def _says_nothing(answer: Mapping[str, Any]) -> bool:
    """Whether an event opens and ends nothing: an auction, a bid, a contract that is no known market's."""
    is_known = not answer["market"].startswith(("unknown", "axie"))
    return answer.get("isAsk") is False or answer.get("side") == "bid" or not is_known


def _told(one: OrderEvent) -> Iterator[tuple[str, object]]:
    """What an event says, by the names that the answers have."""
    for ours, theirs in (
        *(("contract", "contract"), ("order_hash", "hash"), ("maker", "maker"), ("operator", "operator")),
        *(("currency", "currency"), ("holder", "escrow")),
    ):
        if (value := getattr(one, ours)) is not None:
            yield theirs, value
    for ours, theirs in (("token_id", "tokenId"), ("price", "price"), ("valid_until", "validUntil")):
        if (number := getattr(one, ours)) is not None:
            yield theirs, str(number)
    if one.is_approved is not None:
        yield "approved", one.is_approved
    if one.nonces:
        yield "nonces", list(map(str, one.nonces))
    yield "pool" if one.kind is OrderKind.POOL else "exchange", one.exchange


@pytest.mark.parametrize("line", _lines("order_events.jsonl"), ids=lambda line: str(line["tx"])[:10])
def test_a_real_log_says_of_orders_what_it_says(line: dict[str, Any]) -> None:
    found = order_events(_logs(line), registry(ETHEREUM))
    answers = {one["logIndex"]: one for one in line["expected"] if not _says_nothing(one)}
    assert [one.log_index for one in found] == sorted(answers)
    for one in found:
        answer = answers[one.log_index]
        if "expectedFault" in answer or "expectedFault" in line:
            assert isinstance(one, Fault)
            continue
        assert isinstance(one, OrderEvent), one
        kind = _KINDS.get(answer["event"], OrderKind.ENDED)
        assert (one.kind, one.rule) == (kind, _RULES.get(answer["event"]))
        if "nonce" in answer:
            answer = {**answer, "nonces": [answer["nonce"]]}
        told = dict(_told(one))
        assert {key: answer[key] for key in told if key in answer} == {
            key: value for key, value in told.items() if key in answer
        }
        assert {key for key in _MUST[kind] if key in answer} <= told.keys()
        if kind is OrderKind.ENDED:
            is_sale = answer["event"] in ("PunkBought", "OrderSuccessful", "AuctionSuccessful")
            is_sold = any(other["event"] == "PunkBought" for other in answers.values())
            assert one.outcome == ("filled" if is_sale or is_sold else "cancelled")
            assert one.order_hash is not None or one.token_id is not None
        if kind is OrderKind.OPENED:
            assert one.taker == answer.get("taker")


def _item(item: Mapping[str, Any]) -> SeaportItem:
    return SeaportItem(
        item["itemType"],
        item["token"].lower(),
        int(item["identifierOrCriteria"]),
        int(item["startAmount"]),
        int(item["endAmount"]),
        item.get("recipient", "").lower(),
    )


def _parameters(of: Mapping[str, Any]) -> Parameters:
    return Parameters(
        of["offerer"].lower(),
        of["zone"].lower(),
        tuple(map(_item, of["offer"])),
        tuple(map(_item, of["consideration"])),
        of["orderType"],
        int(of["startTime"]),
        int(of["endTime"]),
        of["zoneHash"],
        int(of["salt"], 0),
        of["conduitKey"],
    )


def test_all_46_real_orders_of_seaport_have_the_hash_that_the_chain_cancelled() -> None:
    lines = _lines("seaport_cancelled.jsonl")
    found = [
        order_hash(_parameters(of), int(of["counter"], 0))
        for of in (line["payload"]["parameters"] for line in lines)
    ]
    assert found == [line["expected"]["orderHash"] for line in lines]
    assert len(found) == len(set(found)) == 46
    of = lines[0]["payload"]["parameters"]
    assert (
        order_hash(_parameters(of), int(of["counter"]) + 1) != found[0]
    )  # under another counter it is another


@pytest.mark.parametrize(
    "line", _lines("seaport_cancelled.jsonl"), ids=lambda line: str(line["expected"]["orderHash"])[:10]
)
def test_a_real_order_of_seaport_sells_what_it_sells(line: dict[str, Any]) -> None:
    order, right = _parameters(line["payload"]["parameters"]), line["expected"]
    try:
        sold: SeaportAsk | None = ask(order)
    except NoAskError:
        sold = None
    assert (sold is not None) == right["valid_ask"], right["why_not"]
    assert operator(order.conduit_key, right["exchange"]) == (right["conduit"] or right["exchange"])
    if sold is not None:
        units = None if right["standard"] == "ERC721" else int(right["units"])
        assert (sold.contract, str(sold.token_id), sold.units) == (
            right["contractAddress"],
            right["tokenId"],
            units,
        )
        assert (sold.currency, str(sold.price), sold.taker) == (
            right["currency"],
            right["pricePerUnit"],
            right["taker"],
        )
        assert (sold.end_price is not None) == right["dutch"]
