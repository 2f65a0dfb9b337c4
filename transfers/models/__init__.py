"""Transfers, and what the ledger keeps of them."""

from transfers.models.figures import CollectionFigures
from transfers.models.markets import MarketContract, OrderFill, PaidToken
from transfers.models.opening import Opening
from transfers.models.order_event import OrderEvent
from transfers.models.transfer import Transfer, TransferStatement

__all__ = [
    "CollectionFigures",
    "MarketContract",
    "Opening",
    "OrderEvent",
    "OrderFill",
    "PaidToken",
    "Transfer",
    "TransferStatement",
]
