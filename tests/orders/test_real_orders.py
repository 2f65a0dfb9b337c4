"""Real orders of OpenSea's, in all the shapes that it and others have shown them in, each read as what it sells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from core.db.keys import token_key, unscaled
from indexing.judge.markets.registry import registry
from indexing.orders import opensea, reservoir
from indexing.orders.seaport import Book, RefusedOrderError, Shown
from tests.shared import DATA
from tokens.models.ask import FOREVER
from transfers.ledger.order_asks import Currency

pytestmark = pytest.mark.shared
SEAPORT_16 = "0x0000000000000068f116a894984e2db1123eb395"
SIGNED_ONLY = ("offerer", "zone", "startTime", "endTime", "zoneHash", "salt")
REASONS = {
    "a bid": "is a bid",
    "bundle": "is a bundle of",
    "no offer items": "offers nothing",
    "the offer is by criteria": "offers an NFT by criteria",
}
"""How the reader says what the data say of orders that are no asks."""


@cache
def lines(name: str) -> list[dict[str, Any]]:
    """The lines of a file; none where there is no data."""
    if not DATA.is_dir():
        return []
    return [json.loads(line) for line in (DATA / "orders" / name).read_text().splitlines()]


def book_of(right: Mapping[str, Any]) -> Book:
    """The book of an order's chain, which knows what it is priced in."""
    chain = opensea.CHAINS.get(right["chain"], right["chain"] or "ethereum")
    currencies = {right["currency"]: Currency("PAID", 18)} if right["currency"] else {}
    return Book("opensea", chain, registry(137 if chain == "polygon" else 1), currencies)


def signed(payload: Any) -> Iterator[dict[str, Any]]:
    """What a payload has of what the maker signed, wherever it has it."""
    if isinstance(payload, dict) and "offer" in payload:
        yield payload
    elif isinstance(payload, dict | list):
        for one in payload.values() if isinstance(payload, dict) else payload:
            yield from signed(one)


def basic(payload: dict[str, Any]) -> dict[str, Any]:
    """The order in what is sent to buy an ERC-721 token for ether the short way."""
    paid = [(payload["considerationAmount"], payload["offerer"])]
    paid += [(one["amount"], one["recipient"]) for one in payload["additionalRecipients"]]

    def item(kind: int, token: str, identifier: str, amount: str) -> dict[str, Any]:
        amounts = {"startAmount": amount, "endAmount": amount}
        return {"itemType": kind, "token": token, "identifierOrCriteria": identifier, **amounts}

    money = (payload["considerationToken"], payload["considerationIdentifier"])
    return {name: payload[name] for name in SIGNED_ONLY} | {
        "offer": [item(2, payload["offerToken"], payload["offerIdentifier"], payload["offerAmount"])],
        "consideration": [item(0, *money, amount) | {"recipient": who} for amount, who in paid],
        "orderType": payload["basicOrderType"],
        "conduitKey": payload["offererConduitKey"],
    }


def as_listing(line: dict[str, Any]) -> dict[str, Any]:
    """A payload with what its shape lacks: who fills it, and the hash that it has by the answers."""
    payload = json.loads(json.dumps(line["payload"]).replace("{player1_token_id}", "1340"))
    right = line["expected"]
    named = {"order_hash": right["orderHash"], "protocol_address": right["exchange"] or SEAPORT_16}
    if isinstance(payload, dict) and "protocol_data" in payload:
        return named | payload
    order = basic(payload) if line["shape"] == "fulfillment-basic" else next(signed(payload))
    return named | {"protocol_data": {"parameters": order}}


def holds(found: Shown, right: Mapping[str, Any]) -> None:
    """Hold what was read against the answers."""
    facts = found.facts
    assert facts.order_hash == right["orderHash"]
    # The order names OpenSea's adapter; what it sells is of the storefront.
    contract = right["contractAddress"].replace(
        "0xa604060890923ff400e8c6f5290461a83aedacec", "0x495f947276749ce646f68ac8c248420045cb7b5e"
    )
    assert (facts.address, facts.token_key) == (contract, token_key(right["tokenId"]))
    assert facts.price == unscaled(int(right["pricePerUnit"]))
    assert (facts.currency, facts.amount) == ("PAID", int(right["remaining"] or right["units"]))
    assert (facts.maker, facts.taker, facts.end_price) == (right["maker"], right["taker"], right["endPrice"])
    assert (facts.valid_from, facts.valid_until) == (right["validFrom"], min(right["validUntil"], FOREVER))
    assert facts.nonce == int(right["counterInt"] or 0)
    operator = right["conduit"] or right["exchange"] or SEAPORT_16
    assert facts.operator == (operator if contract == right["contractAddress"] else None)
    assert facts.wakes == (right["orderType"] < 2)
    assert (facts.offered, facts.exchange) == (int(right["units"]), right["exchange"] or SEAPORT_16)
    assert (facts.lot is None) == (right["orderType"] in (1, 3) or right["units"] == "1")
    assert right["dutch"] == (facts.end_price is not None)
    assert found.total == int(right["priceTotal"])
    if "vendorPrice" in right and "item_sold" not in right.get("note", ""):  # which tells what was paid
        assert found.stated == int(right["vendorPrice"])


@pytest.mark.parametrize(
    "line",
    lines("opensea_listings.jsonl"),
    ids=lambda line: f"{line['shape']}-{line['expected']['orderHash']}",
)
def test_a_real_order_is_read_as_what_its_maker_signed_or_refused_with_the_reason(
    line: dict[str, Any],
) -> None:
    right = line["expected"]
    if right["valid_ask"]:
        holds(opensea.listing(as_listing(line), book_of(right), right["validFrom"]), right)
    else:
        why = next(said for known, said in REASONS.items() if right["why_not"].startswith(known))
        with pytest.raises(RefusedOrderError, match=why):
            opensea.listing(as_listing(line), book_of(right), right["validFrom"])


@pytest.mark.parametrize("line", lines("opensea_listings.jsonl")[4:6], ids=lambda line: str(line["shape"]))
def test_an_order_in_reservoirs_shape_is_read_by_what_it_holds_of_the_signed_one(
    line: dict[str, Any],
) -> None:
    right = line["expected"]
    kind = {"kind": {"1.1": "seaport", "1.5": "seaport-v1.5"}[right["seaport"]], "id": right["orderHash"]}
    payload = line["payload"] | kind
    if right["valid_ask"]:
        found = reservoir.order(payload, book_of(right), right["validFrom"])
        holds(found, right)
        assert found.stated == found.total
    else:
        with pytest.raises(RefusedOrderError, match="is a bid"):
            reservoir.order(payload, book_of(right), right["validFrom"])


@pytest.mark.parametrize(
    "line", lines("opensea_stream.jsonl"), ids=lambda line: f"{line['kind']}-{line['expected']['orderHash']}"
)
def test_a_frame_of_the_stream_gives_its_event_and_the_order_where_it_has_it_whole(
    line: dict[str, Any],
) -> None:
    right = line["expected"]
    event, payload = opensea.unwrapped(line["payload"])
    assert event in ((None,) if right["envelope"] == "inner payload" else (right["event"],))
    assert payload.get("order_hash") == right["orderHash"]
    concerns = opensea.concerned(event or right["event"], payload)
    is_news = right["event"] in ("item_listed", "item_cancelled", "order_invalidate", "order_revalidate")
    is_whole = right["hashIsWhole"] and "protocol_address" in payload
    assert (concerns and concerns[0]) == (right["orderHash"] if is_news and is_whole else None)
    book = book_of(right)
    if not right["hasOrder"]:
        with pytest.raises(RefusedOrderError, match=r"names no contract|without what its maker signed"):
            opensea.listing(payload, book, 1)
    elif right["meaning"] == "a bid: ignore":
        with pytest.raises(RefusedOrderError, match="is a bid"):
            opensea.listing(payload, book, 1)
    else:
        found = opensea.listing({"protocol_address": SEAPORT_16} | payload, book, 1)
        assert (found.facts.address, found.facts.maker) == (right["contractAddress"], right["maker"])
        assert (found.facts.order_hash, str(found.total)) == (right["orderHash"], right["price"])
