"""Short ways to write the transfers of one NFT, and who holds it after them."""

from typing import Any

from core.addresses import ZERO_ADDRESS
from core.db.keys import recency_key
from transfers.ledger.ledger import Event, Ledger, StatedOwner, Statement

ZERO = ZERO_ADDRESS
ALICE, BOB, CAROL, DAVE = ("0x" + digit * 40 for digit in "abcd")
START = 1_600_000_000


def event(
    block: int, sender: str | None, receiver: str | None, amount: int = 1, log: int = 0, **fields: Any
) -> Event:
    """A transfer; 12 seconds a block, its id as its block."""
    timestamp = START + 12 * block
    values: dict[str, Any] = {
        "nft_id": 1,
        "recent_key": recency_key(timestamp, block, log),
        "id": block,
        "block": block,
        "timestamp": timestamp,
        "log_index": log,
        "batch_index": 0,
        "sender": sender,
        "receiver": receiver,
        "amount": amount,
        "kind": None,
        "transaction_from": None,
        "markets": "[]",
    }
    return Event(**(values | fields))


def stated(*owners: tuple[str, int] | StatedOwner, **fields: Any) -> Statement:
    """A statement; owners as (address, amount) or whole."""
    entries = tuple(one if isinstance(one, StatedOwner) else StatedOwner(*one) for one in owners)
    return Statement(entries, **fields)


def amounts(ledger: Ledger) -> dict[str, int]:
    """Current holders and what they hold."""
    return {
        address: holding.amount for address, holding in ledger.holdings.items() if address in ledger.holders
    }
