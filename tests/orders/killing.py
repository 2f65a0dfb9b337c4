"""Walks of a book of two contracts that are killed, and what happens to the book between them."""

from __future__ import annotations

from typing import Any

from tests.orders.made_up import APES, standing
from tests.orders.vendor import Vendor
from tests.processes import outcome, run

MORE = "0x" + "b0" * 20


def change(vendor: Vendor) -> None:
    """What happens to the book before it is read again."""
    for token_id in range(0, 24, 3):
        vendor.withdraw(standing(token_id)["order_hash"])
    vendor.put("apes", *(standing(token_id, price=30) for token_id in range(10)))
    vendor.put("more", *(standing(token_id, MORE, price=50) for token_id in range(6)))


def killed(vendor: Vendor, url: str, *moments: int, later: int = 0) -> dict[str, Any]:
    """Read the book in runs that are killed at moments, and in one that ends; ``later``: so many seconds from now."""
    at = ["--at", ",".join(map(str, moments))] if moments else []
    words = ["-m", "tests.orders.killed", vendor.url, APES, MORE, *at, "--later", str(later)]
    return outcome(run(url, *words))
