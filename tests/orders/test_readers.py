"""What is made of an order that a book shows: its own terms, or a refusal with the reason, and never an accident."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses import ZERO_ADDRESS
from indexing.judge.markets.registry import registry
from indexing.orders import opensea, reservoir
from indexing.orders.seaport import Book, RefusedOrderError
from tests.orders.made_up import (
    APES,
    AT,
    BOOK,
    BUYER,
    CONDUIT,
    FEE_TO,
    SEAPORT_16,
    USDC,
    in_reservoirs_shape,
    item,
    listing,
    money,
    parameters,
)
from tokens.models.ask import FOREVER
from tokens.store.facts import AskFacts
from transfers.ledger.order_asks import Currency

NO_KEY = "0x" + "0" * 64


def facts(payload: dict[str, Any], now: int = AT) -> AskFacts:
    """What is read of a listing of OpenSea's."""
    return opensea.listing(payload, BOOK, now).facts


def test_the_price_is_the_sum_of_all_that_the_maker_asks_for_and_not_what_the_source_adds_to_it() -> None:
    payload = listing(price={"current": {"currency": "ETH", "decimals": 18, "value": str(1025 * 10**15)}})
    found = opensea.listing(payload, BOOK, AT)
    assert (found.facts.price, found.total) == (Decimal(1), 10**18)
    assert found.stated == 1025 * 10**15


def test_the_price_of_several_units_is_that_of_one_and_as_many_are_left_as_the_source_says() -> None:
    order = parameters(
        offer=[item(3, APES, 7, 500)], consideration=[money(500 * 20, token=USDC)], orderType=1
    )
    payload = listing(order, remaining_quantity=120)
    found = facts(payload)
    assert (found.price, found.currency, found.amount) == (Decimal("0.00002"), "USDC", 120)
    assert opensea.listing(payload, BOOK, AT).total == 120 * 20
    assert [facts(listing(order, remaining_quantity=wrong)).amount for wrong in (501, "7", 1.5, None)] == [
        500
    ] * 4
    assert [facts(listing(order, remaining_quantity=left)).gone_at for left in (0, -1, 1)] == [AT, AT, None]


def test_units_that_are_sold_in_parts_are_known_from_those_that_are_only_sold_together() -> None:
    def of(kind: int) -> tuple[Any, ...]:
        order = parameters(offer=[item(3, APES, 7, 6)], consideration=[money(60)], orderType=kind)
        found = facts(listing(order, remaining_quantity=2))
        return found.offered, found.lot, found.amount

    assert [of(kind) for kind in (0, 1, 2, 3)] == [(6, 6, 6), (6, None, 2), (6, 6, 6), (6, None, 2)]


def test_units_of_which_a_payment_would_leave_a_remainder_are_only_sold_as_many_together() -> None:
    """Seaport's ``InexactFraction``: of six units for 57 and 3 only an even number of them can be bought."""
    money_of = [money(57), money(3, to=FEE_TO)]
    order = parameters(offer=[item(3, APES, 7, 6)], consideration=money_of, orderType=1)
    found = [facts(listing(order, remaining_quantity=left)) for left in (6, 4, 3)]
    assert [(one.offered, one.lot, one.amount) for one in found] == [(6, 2, 6), (6, 2, 4), (6, 2, 6)]
    assert {one.price for one in found} == {Decimal(10).scaleb(-18)}


@pytest.mark.parametrize(
    "counter", [2**129 + 7, str(2**129 + 7), hex(2**129 + 7)], ids=["integer", "decimal", "hex"]
)
def test_a_counter_is_exact_however_it_is_written(counter: Any) -> None:
    assert facts(listing(parameters(counter=counter))).nonce == 2**129 + 7


def test_an_order_without_a_counter_has_the_one_that_its_hash_proves() -> None:
    bare, other = parameters(), parameters(counter=1)
    del bare["counter"]
    assert facts(listing(bare)).nonce == 0
    hidden = listing(other)
    hidden["protocol_data"]["parameters"] = bare
    with pytest.raises(RefusedOrderError, match="has not the hash that is stated"):
        facts(hidden)


def test_a_falling_price_is_a_line_from_begin_to_end_rounded_up() -> None:
    order = parameters(consideration=[money(2000, 1000), money(101, 0, to=FEE_TO)])
    found = facts(listing(order))
    assert (found.price, found.end_price) == (Decimal(2101).scaleb(-18), Decimal(1000).scaleb(-18))
    assert (found.price_from, found.price_until) == (AT, AT + 1000)
    assert [opensea.listing(listing(order), BOOK, AT + at).total for at in (-5, 0, 999, 1000, 5000)] == [
        *(2101, 2101, 1002, 1000, 1000)
    ]


def test_an_order_that_asks_for_its_own_nft_is_for_who_is_to_get_that_alone() -> None:
    mine = item(2, APES, 7, 1) | {"recipient": BUYER}
    assert facts(listing(parameters(consideration=[money(10**18), mine]))).taker == BUYER
    assert facts(listing(taker={"address": ZERO_ADDRESS})).taker is None


def test_who_must_be_approved_is_the_conduit_of_the_key_or_the_exchange_itself() -> None:
    assert facts(listing()).operator == CONDUIT
    assert facts(listing(parameters(conduitKey=NO_KEY))).operator == SEAPORT_16


def test_one_whose_zone_must_agree_does_not_wake_by_itself() -> None:
    assert [facts(listing(parameters(orderType=one))).wakes for one in range(4)] == [True, True, False, False]


@pytest.mark.parametrize("status", ["INACTIVE", "FULFILLED", "EXPIRED", "CANCELLED", "?", 5])
def test_what_the_source_does_not_offer_now_is_gone_from_it_until_it_does_again(status: Any) -> None:
    assert facts(listing(status=status)).gone_at == AT
    assert facts(listing()).gone_at is None
    older: dict[str, Any] = {"status": None, "cancelled": False, "finalized": False, "marked_invalid": True}
    assert facts(listing(**older)).gone_at == AT
    assert facts(listing(**older | {"marked_invalid": False})).gone_at is None


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another hash": (listing(order_hash="0x" + "5" * 64), "has not the hash that is stated"),
    "no hash": (listing(order_hash=None), "has not the hash that is stated"),
    "another chain": (listing(chain="base"), "is of another chain than ethereum"),
    "a chain that is none": (listing(chain=[]), "is of another chain than ethereum"),
    "Solana": (listing(svm_order={"id": "a:b"}), "is settled by a Solana program"),
    "no exchange": (listing(protocol_address=None), "names no contract that would fill it"),
    "a strange exchange": (listing(protocol_address=BUYER), "which is no known Seaport"),
    "a market that is not Seaport": (
        listing(protocol_address="0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"),
        "which is no known Seaport",
    ),
    "no order": (listing(protocol_data=None), "is shown without what its maker signed"),
    "a bid": (listing(parameters(offer=[item(1, USDC, 0, 5)])), "offers money: it is a bid"),
    "a bundle": (listing(parameters(offer=[item(2, APES, 7, 1)] * 2)), "is a bundle of 2 items"),
    "more items than any": (
        listing(parameters(consideration=[money(1)] * 201)),
        "no list of at most 200 items as its `consideration`",
    ),
    "by criteria": (listing(parameters(offer=[item(4, APES, 0, 1)])), "offers an NFT by criteria"),
    "nothing": (listing(parameters(offer=[])), "offers nothing"),
    "two of what is one": (listing(parameters(offer=[item(2, APES, 7, 2)])), "more than one"),
    "fewer units as time goes by": (listing(parameters(offer=[item(3, APES, 7, 9, 1)])), "nobody can tell"),
    "two currencies": (
        listing(parameters(consideration=[money(5), money(5, token=USDC)])),
        "asks for several currencies",
    ),
    "a gift": (listing(parameters(consideration=[])), "asks for no money"),
    "an exchange of NFTs": (
        listing(parameters(consideration=[money(5), item(2, APES, 8, 1) | {"recipient": BUYER}])),
        "asks for other NFTs",
    ),
    "an unknown currency": (
        listing(parameters(consideration=[money(5, token=BUYER)])),
        "which is no known currency",
    ),
    "a price that does not divide": (
        listing(parameters(offer=[item(3, APES, 7, 3)], consideration=[money(10)])),
        "does not divide by its 3 units",
    ),
    "a price beyond all": (
        listing(parameters(consideration=[money(2**256 - 1, token=USDC)])),
        "has a price that no ask can hold",
    ),
    "made up as it is filled": (listing(parameters(orderType=4)), "a contract makes it up"),
    "over before it begins": (listing(parameters(endTime=AT)), "ends before it begins"),
}


@pytest.mark.parametrize(("payload", "why"), REFUSED.values(), ids=REFUSED)
def test_an_order_that_is_no_ask_or_is_not_what_it_says_is_refused_with_the_reason(
    payload: dict[str, Any], why: str
) -> None:
    with pytest.raises(RefusedOrderError, match=why):
        facts(payload)


MISTYPED: dict[str, Any] = {
    "a fraction": 1.5,
    "a flag": True,
    "nothing": None,
    "an object": {},
    "too much": 2**256,
    "text": "1e5",
}


@pytest.mark.parametrize("value", MISTYPED.values(), ids=MISTYPED)
@pytest.mark.parametrize(
    "name", ["offerer", "zone", "offer", "consideration", "startTime", "salt", "conduitKey"]
)
def test_a_member_of_a_wrong_type_is_refused_by_its_name(name: str, value: Any) -> None:
    payload = listing()
    payload["protocol_data"]["parameters"][name] = value
    with pytest.raises(RefusedOrderError, match=f"`{name}`"):
        facts(payload)


MINT, WALLET, STATE = (letter * 43 for letter in "ABC")
SIGNATURE = "5" * 88
SOLANA = Book("opensea", "solana", registry(1), {"1" * 32: Currency("SOL", 9)})


def on_solana(*, of: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A listing that a Solana program settles, in the shape of OpenSea's OpenAPI document: 2 SOL."""
    order = {"id": f"{SIGNATURE}:{STATE}", "creation_signature": SIGNATURE, "order_state": STATE}
    return {
        "chain": "solana",
        "svm_order": order | {"asset_id": MINT, "maker": WALLET} | (of or {}),
        "remaining_quantity": 1,
        "order_created_at": AT,
        "price": {"current": {"currency": "SOL", "decimals": 9, "value": "2000000000"}},
        "status": "ACTIVE",
        "type": "basic",
    } | changes


def test_an_order_on_solana_is_read_by_its_mint_as_far_as_its_shape_goes() -> None:
    found = opensea.listing(on_solana(), SOLANA, AT)
    one = found.facts
    assert (one.identity, one.token_key) == (("solana", f"~{MINT}"), f"~{MINT}")
    assert (one.order_hash, one.maker) == (f"{SIGNATURE}:{STATE}", WALLET), "base58 keeps its case"
    assert (one.price, one.currency, one.amount, found.total) == (Decimal(2), "SOL", 1, 2 * 10**9)
    assert (one.valid_from, one.valid_until, one.gone_at) == (AT, FOREVER, None)
    assert opensea.listing(on_solana(status="CANCELLED"), SOLANA, AT).facts.gone_at == AT


WRONG_ON_SOLANA: dict[str, tuple[dict[str, Any], str]] = {
    "another id": (on_solana(of={"id": f"{SIGNATURE}:{MINT}"}), "has not the id that its parts make"),
    "no mint": (on_solana(of={"asset_id": None}), "`asset_id`"),
    "an EVM address": (on_solana(of={"maker": BUYER}), "`maker`"),
    "a currency of other decimals": (
        on_solana(price={"current": {"currency": "SOL", "decimals": 18, "value": "5"}}),
        "no known currency",
    ),
    "a price of nothing": (
        on_solana(price={"current": {"currency": "SOL", "decimals": 9, "value": "0"}}),
        "no price that an ask can hold",
    ),
    "no number": (on_solana(remaining_quantity=1.5), "`remaining_quantity`"),
    "milliseconds": (on_solana(order_created_at=AT * 1000), "`order_created_at`"),
    "an EVM chain's": (on_solana(chain="base"), "of another chain"),
}


@pytest.mark.parametrize(("payload", "why"), WRONG_ON_SOLANA.values(), ids=WRONG_ON_SOLANA)
def test_an_order_on_solana_that_says_what_cannot_be_is_refused(payload: dict[str, Any], why: str) -> None:
    with pytest.raises(RefusedOrderError, match=why):
        opensea.listing(payload, SOLANA, AT)


NAMED = {"order_hash": "0x" + "AB" * 32, "protocol_address": SEAPORT_16}
EVENTS: dict[str, tuple[str | None, Any, bool]] = {
    "a listing of the Events API": ("order", NAMED | {"order_type": "listing"}, True),
    "a listing": ("listing", NAMED, True),
    "a listing of the stream": ("item_listed", NAMED, True),
    "one that is cancelled": ("item_cancelled", NAMED, True),
    "one that is invalid": ("order_invalidate", NAMED, True),
    "one that is valid again": ("order_revalidate", NAMED, True),
    "a sale, which the chain tells": ("item_sold", NAMED, False),
    "a move, which the chain tells": ("transfer", NAMED, False),
    "a bid": ("order", NAMED | {"order_type": "item_offer"}, False),
    "a bid of the stream": ("collection_offer", NAMED, False),
    "half a hash": ("item_listed", NAMED | {"order_hash": "0x39f8"}, False),
    "no exchange": ("item_cancelled", NAMED | {"protocol_address": None}, False),
    "a number": ("item_listed", NAMED | {"order_hash": 5}, False),
    "no object": ("item_listed", [], False),
}


@pytest.mark.parametrize(("event", "payload", "is_news"), EVENTS.values(), ids=EVENTS)
def test_an_event_says_which_order_is_to_be_asked_for(event: str | None, payload: Any, is_news: bool) -> None:
    expected = ("0x" + "ab" * 32, SEAPORT_16) if is_news else None
    assert opensea.concerned(event, payload) == expected


def test_an_order_in_reservoirs_shape_is_read_alike() -> None:
    found = reservoir.order(in_reservoirs_shape(), BOOK, AT)
    assert found == opensea.listing(listing(), BOOK, AT)
    with pytest.raises(RefusedOrderError, match="is of no kind of Seaport's"):
        reservoir.order(in_reservoirs_shape(kind="blur"), BOOK, AT)


_LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("0x" + "a9" * 20)
)
_JSON = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for name, one in inner for place in _places(one, (*path, name)))]


@pytest.mark.parametrize(
    ("read", "right"),
    [(opensea.listing, listing()), (reservoir.order, in_reservoirs_shape()), (opensea.listing, on_solana())],
    ids=["opensea", "reservoir", "solana"],
)
@given(data=st.data())
def test_whatever_stands_anywhere_in_an_answer_it_is_read_or_refused(
    read: Callable[..., Any], right: dict[str, Any], data: st.DataObject
) -> None:
    payload: Any = deepcopy(right)
    place = data.draw(st.sampled_from(_places(payload)))
    garbage = data.draw(_JSON)
    if not place:
        payload = garbage
    else:
        inside = payload
        for name in place[:-1]:
            inside = inside[name]
        inside[place[-1]] = garbage
    try:
        found = read(payload, SOLANA if "svm_order" in right else BOOK, AT)
    except RefusedOrderError:
        return
    if "svm_order" not in right:  # where the price is the source's word
        assert found.facts.order_hash == right.get("order_hash", right.get("id"))
        assert found.facts.price == 1


@given(_JSON)
def test_whatever_frame_the_stream_sends_it_is_unwrapped_to_something(frame: Any) -> None:
    opensea.concerned(*opensea.unwrapped(frame))
