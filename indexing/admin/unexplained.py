"""Market events that could not be explained, summed up by protocol at a cost that does not grow with them."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from typing import NamedTuple

from core.db import bulk
from indexing.models import MarketFault

COUNTED = 10_000
"""Events of a protocol up to which they are counted."""
MOST = 100
"""Protocols that are told of; there are some forty, and those that operators name."""


class Unexplained(NamedTuple):
    """The events of a protocol that could not be explained: how many (at most ``COUNTED`` + 1), and the largest."""

    protocol: str
    events: int
    largest: MarketFault


def by_protocol() -> list[Unexplained]:
    """Return the protocols, the one with the largest event first: two queries, which walk an index.

    Largest by value in ETH, then, among those that have none, by base units in whatever currency.
    """
    table = MarketFault._meta.db_table
    # A loose scan: from each protocol the index leads to the next one, however many rows lie between.
    rows = bulk.fetch(
        f"WITH RECURSIVE named(protocol) AS (SELECT min(protocol) FROM {table} UNION ALL "
        f"SELECT (SELECT min(protocol) FROM {table} WHERE protocol > named.protocol) "
        "FROM named WHERE named.protocol IS NOT NULL) SELECT named.protocol, "
        f"(SELECT count(*) FROM (SELECT 1 FROM {table} one WHERE one.protocol = named.protocol LIMIT %s) counted), "
        f"(SELECT one.id FROM {table} one WHERE one.protocol = named.protocol "
        "ORDER BY one.eth_value DESC, one.price DESC, one.id DESC LIMIT 1) "
        "FROM named WHERE named.protocol IS NOT NULL LIMIT %s",
        [COUNTED + 1, MOST],
    )
    largest = MarketFault.objects.select_related("chain").in_bulk([row[2] for row in rows])
    found = [Unexplained(row[0], row[1], largest[row[2]]) for row in rows if row[2] in largest]
    return sorted(found, key=lambda one: (-one.largest.eth_value, -int(one.largest.price)))
