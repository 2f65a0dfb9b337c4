"""The files beside this one that hold the hashes of events, as they are on the chains."""

from __future__ import annotations

from pathlib import Path

TOPICS = Path(__file__).with_name("topics.txt")
"""The hashes of the events of sales as they are on the chains, each with the event's name."""
ORDER_TOPICS = Path(__file__).with_name("order_topics.txt")
"""The same of events that only say something of orders."""
