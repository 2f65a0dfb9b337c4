"""Sales, as lines to load."""

from __future__ import annotations

from typing import Any

from tests.builders import BOB, CAROL, transfer


def sale(token: str, **fields: Any) -> Any:
    """A sale by BOB to CAROL."""
    sold = {"sender": BOB, "receiver": CAROL, "transferType": "sale", "markets": ["opensea"]}
    return transfer(token, **{**sold, **fields})
