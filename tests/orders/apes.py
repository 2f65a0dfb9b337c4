"""Five apes that are listed, and what becomes of the asks for them."""

from __future__ import annotations

from typing import Any

from tests.orders.made_up import APES, AT, item, listing, parameters
from tokens.models import Ask
from tokens.store import chains
from tokens.store.chains import ChainRow

FOREIGN = "0x" + "fe" * 20


def of(token_id: int, **changes: Any) -> dict[str, Any]:
    """An ask for an ape."""
    return listing(parameters(offer=[item(2, APES, token_id, 1)]), **changes)


COLLECTION, OTHER_COLLECTION = "Frogs" * 8, "Toads" * 8
MINTS = ["A" * 43, "B" * 43, "C" * 43]
STATES = ["D" * 43, "E" * 43, "F" * 43]


def on_solana(mint: str, state: str) -> dict[str, Any]:
    """A listing that a Solana program settles."""
    order = {"id": f"{'5' * 88}:{state}", "creation_signature": "5" * 88, "order_state": state}
    return {
        "chain": "solana",
        "svm_order": order | {"asset_id": mint, "maker": "G" * 43},
        "remaining_quantity": 1,
        "order_created_at": AT,
        "price": {"current": {"currency": "SOL", "decimals": 9, "value": "2000000000"}},
        "status": "ACTIVE",
    }


FIVE = [of(token_id) for token_id in range(5)]


def ethereum() -> ChainRow:
    """The chain."""
    return chains.known()["ethereum"]


def states() -> dict[str, str]:
    """Why an ask is not live, by its hash; empty where it is."""
    return dict(Ask.objects.values_list("order_hash", "reason"))


def live() -> set[str]:
    """The hashes of live asks."""
    return {order_hash for order_hash, reason in states().items() if not reason}


def hashes(listings: list[dict[str, Any]]) -> set[str]:
    """Of listings."""
    return {one["order_hash"] for one in listings}
