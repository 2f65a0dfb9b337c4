"""Lies that a book may tell of an order: each is to be refused, and to harm no other order."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.orders.made_up import BUYER, listing

FOREIGN = "0x" + "fe" * 20
HUGE = 2**256
Listing = dict[str, Any]


def refused(honest: Listing) -> dict[str, Any]:
    """Lies made of a listing of one NFT that is true, by what is wrong with them. None has another order's hash."""
    order = honest["protocol_data"]["parameters"]
    (offered,), first = order["offer"], order["consideration"][0]

    def with_order(**changes: Any) -> Listing:
        """An order with members that are wrong, under a hash that nobody can hold against it."""
        changed = deepcopy(honest) | {"order_hash": "0x" + f"{len(found) + 1:064x}"}
        changed["protocol_data"]["parameters"] |= changes
        return changed

    def signed(**changes: Any) -> Listing:
        """An order that its maker did sign, and that is no ask."""
        return listing(order | changes)

    found: dict[str, Any] = {}
    found["cheaper than was signed"] = with_order(
        consideration=[first | {"startAmount": "1", "endAmount": "1"}]
    )
    found["of another maker"] = with_order(offerer=BUYER)
    found["later than was signed"] = with_order(endTime=str(2**40))
    found["a hash that is none"] = honest | {"order_hash": "0x12"}
    found["no hash"] = {name: value for name, value in honest.items() if name != "order_hash"}
    found["a hash that is a number"] = honest | {"order_hash": 7}
    found["a bundle"] = signed(offer=[offered, offered | {"identifierOrCriteria": "999"}])
    found["a bid"] = signed(offer=[offered | {"itemType": 1}])
    found["by criteria"] = signed(offer=[offered | {"itemType": 4}])
    found["a gift"] = signed(consideration=[])
    found["two currencies"] = signed(consideration=[first, first | {"itemType": 1, "token": FOREIGN}])
    found["an unknown currency"] = signed(consideration=[first | {"itemType": 1, "token": FOREIGN}])
    found["dearer than an ask can be"] = signed(
        consideration=[first | {"startAmount": str(HUGE - 1), "endAmount": str(HUGE - 1)}] * 10
    )
    found["over before it begins"] = signed(endTime=order["startTime"])
    found["a foreign exchange"] = listing(order | {"salt": "99"}, protocol_address=FOREIGN)
    found["another chain"] = listing(order | {"salt": "98"}, chain="base")
    found["a number of more than 256 bits"] = with_order(salt=str(HUGE))
    found["a number that is endless"] = with_order(salt="9" * 5000)
    found["a number below zero"] = with_order(startTime="-1")
    found["a number with a point"] = with_order(endTime=1.5)
    found["a number that is true"] = with_order(orderType=True)
    found["a counter of words"] = with_order(counter="zero")
    found["a counter in a list"] = with_order(counter=[0])
    found["items that are none"] = with_order(offer=["nft"])
    found["items by name"] = with_order(offer={"0": offered})
    found["too many items"] = with_order(consideration=[first] * 201)
    found["no address"] = with_order(zone="zone.eth")
    found["no order"] = honest | {"order_hash": "0x" + "ab" * 32, "protocol_data": None}
    found["an order in a text"] = honest | {
        "order_hash": "0x" + "ac" * 32,
        "protocol_data": {"parameters": "{}"},
    }
    found["nothing"] = None
    found["a text"] = "listing"
    found["a number"] = 10**400
    found["a list"] = [honest]
    return found
