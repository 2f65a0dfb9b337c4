"""Seaport: orders that their makers validate on the chain, cancel, or outdate by another counter."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.judge.markets.seaport_books import validated
from indexing.judge.markets.seaport_parameters import NoAskError, ask, operator
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets import order_logs as logs
from tests.markets.building import judged
from tests.markets.currencies import USDC
from tests.markets.ordering import Book, Orders
from tests.markets.seaport_events import (
    ALTERNATE_16,
    OPENSEA_FEES,
    ORDER,
    SEAPORT_11,
    SEAPORT_15,
    SEAPORT_16,
    order_fulfilled,
)
from transfers.ledger.order_facts import NonceRule

CONDUIT = "0x1e0049783f008a0085193e00003d00cd54003c71"
CONDUIT_KEY = "0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000"
STOREFRONT = "0x495f947276749ce646f68ac8c248420045cb7b5e"
ADAPTER = "0xa604060890923ff400e8c6f5290461a83aedacec"
_NFT = (2, APES, 7, 1, 1)
_UNITS = (3, APES, 7, 5, 5)


def _ether(start: int, end: int | None = None) -> logs.SeaportItem:
    return 0, ZERO, 0, start, start if end is None else end


def _dollars(amount: int) -> logs.SeaportItem:
    return 1, USDC, 0, amount, amount


_OPENED: dict[str, Any] = {
    "contract": APES,
    "token_id": 7,
    "order_hash": ORDER,
    "maker": BOB,
    "valid_from": 1_700_000_000,
    "valid_until": 1_800_000_000,
    "replaces": False,
    "operator": SEAPORT_16,
}

seaport = Book("opensea", SEAPORT_16, {}, **_OPENED)
alternate = Book("opensea", ALTERNATE_16, {}, **{**_OPENED, "operator": ALTERNATE_16})
seaport_15 = Book("opensea", SEAPORT_15)
seaport_11 = Book("opensea", SEAPORT_11)
ORDERS = {
    # Seaport: the whole order is in the event, but for its maker's counter.
    "an ape for ether and OpenSea's fee, by its conduit": Orders(
        logs.validated([_NFT], [(_ether(975), BOB), (_ether(25), OPENSEA_FEES)], conduit_key=CONDUIT_KEY)
    ).say(seaport.opened(operator=CONDUIT, price=1000)),
    "five units for dollars, each for a fifth": Orders(
        logs.validated([_UNITS], [(_dollars(1000), BOB)], kind=1, contract=ALTERNATE_16)
    ).say(alternate.opened(currency=USDC, price=200, units=5)),
    "a falling price": Orders(logs.validated([_NFT], [(_ether(1000, 100), BOB)])).say(
        seaport.opened(price=1000, end_price=100, price_from=1_700_000_000, price_until=1_800_000_000)
    ),
    "an ape for Alice alone": Orders(logs.validated([_NFT], [(_ether(1000), BOB), (_NFT, ALICE)])).say(
        seaport.opened(price=1000, taker=ALICE)
    ),
    "a zone must agree: it is not woken": Orders(
        logs.validated([_NFT], [(_ether(1000), BOB)], kind=2, zone=CAROL)
    ).say(seaport.opened(price=1000, wakes=False)),
    "the storefront's NFT is named by its adapter": Orders(
        logs.validated([(3, ADAPTER, 7, 1, 1)], [(_ether(1000), BOB)])
    ).say(seaport.opened(contract=STOREFRONT, operator=None, price=1000, units=1)),
    "two NFTs together have no price each": Orders(
        logs.validated([_NFT, (2, APES, 8, 1, 1)], [(_ether(1000), BOB)])
    ).say(),
    "two currencies are no price": Orders(
        logs.validated([_NFT], [(_ether(1), BOB), (_dollars(1), BOB)])
    ).say(),
    "whatever NFT of a collection is no one NFT": Orders(
        logs.validated([(4, APES, 0, 1, 1)], [(_ether(1), BOB)])
    ).say(),
    "a bid is no ask": Orders(logs.validated([_dollars(1000)], [(_NFT, BOB)])).say(),
    "an ape for another ape": Orders(
        logs.validated([_NFT], [((2, APES, 8, 1, 1), BOB), (_ether(1), BOB)])
    ).say(),
    "an ape for nothing": Orders(logs.validated([_NFT], [])).say(),
    "units whose price does not divide": Orders(logs.validated([_UNITS], [(_ether(1001), BOB)])).say(),
    "units that grow fewer": Orders(logs.validated([(3, APES, 7, 5, 1)], [(_ether(1000), BOB)])).say(),
    "an order that a contract makes up": Orders(logs.validated([_NFT], [(_ether(1000), BOB)], kind=4)).say(),
    "a fill is counted elsewhere": Orders(order_fulfilled(consideration=[(0, ZERO, 0, 1, BOB)])).say(),
    "an order is cancelled at Seaport": Orders(
        logs.cancelled_at_seaport(), logs.cancelled_at_seaport(contract=SEAPORT_11)
    ).say(
        seaport_15.cancelled(order_hash=ORDER, maker=BOB),
        seaport_11.cancelled(2, order_hash=ORDER, maker=BOB),
    ),
    "a counter of 128 bits": Orders(logs.counter(counter=2**130)).say(seaport.ended(NonceRule.OTHER, 2**130)),
}

test_what_a_log_says_of_orders = judged(ORDERS)


def test_the_conduit_of_a_key_is_computed_and_no_key_means_the_exchange_itself() -> None:
    assert operator(CONDUIT_KEY, SEAPORT_15) == CONDUIT
    other = "0x61159fefdfada89302ed55f8b9e89e2d67d8258712b3a3f89aa88525877f1d5e"
    assert operator(other, SEAPORT_15) == "0x963f00d3ff000064ffcba824b800c0000000c300"
    assert operator("0x" + "0" * 64, SEAPORT_15) == SEAPORT_15


def test_a_validated_order_can_be_read_apart_from_what_it_sells() -> None:
    name, order = validated(logs.validated([_NFT, _UNITS], [(_ether(1000), BOB)], conduit_key=CONDUIT_KEY))
    assert (name, order.offerer, order.conduit_key, order.salt) == (ORDER, BOB, CONDUIT_KEY, 5)
    assert [(one.kind, one.identifier) for one in order.offer] == [(2, 7), (3, 7)]
    assert [(one.start, one.recipient) for one in order.consideration] == [(1000, BOB)]
    with pytest.raises(NoAskError, match="bundle of 2 items"):
        ask(order)
