"""Reading plans: which indexes a walk's queries use, and whether any table is read whole or any list sorted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.db.planning import PAGES

DICTIONARIES = {"tokens_chain", "tokens_contract", "tokens_market", "tokens_currency", "tokens_traitvalue"}
"""Tables of which PostgreSQL may well read all: they are small, and looked up once a page."""

SORT_LIMIT = 2_500
"""Rows that a page may sort: the ids of a small set, or what merged walks yield. A list is longer."""


@dataclass
class Plan:
    """What the plans of a walk's queries have in common."""

    indexes: set[str] = field(default_factory=set)
    read_whole: set[str] = field(default_factory=set)
    rows_sorted: int = 0
    rows_read: int = 0
    looks: Counter[str] = field(default_factory=Counter)
    """How often each index was looked into."""
    nodes: set[str] = field(default_factory=set)
    statements: list[str] = field(default_factory=list)

    def faults(self, *intended: str) -> list[str]:
        """What is wrong with it, in words; an intended index may be written as `a|b`: either will do."""
        found = [
            f"{name} is not used ({', '.join(sorted(self.indexes))})"
            for name in intended
            if not set(name.split("|")) & self.indexes
        ]
        found += [f"{table} is read whole" for table in self.read_whole - DICTIONARIES]
        if self.rows_sorted > SORT_LIMIT:
            found.append(f"{self.rows_sorted} rows are sorted")
        return found


def plan_for_pages() -> None:
    """Have this connection's statements planned as those of web processes are."""
    with connection.cursor() as cursor:
        for setting in PAGES.replace("-c ", "").split():
            name, _, value = setting.partition("=")
            cursor.execute("SELECT set_config(%s, %s, false)", [name, value])


def plan_of(run: Callable[[], object]) -> Plan:
    """Run a walk, then explain and execute each of its queries once more."""
    with CaptureQueriesContext(connection) as queries:
        run()
    plan = Plan()
    for query in queries.captured_queries:
        if not query["sql"].lstrip("( ").startswith(("SELECT", "WITH")):
            continue
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + query["sql"].replace("%", "%%"), None)
            ((document,),) = cursor.fetchall()
        plan.statements.append(query["sql"])
        for node in nodes((json.loads(document) if isinstance(document, str) else document)[0]["Plan"]):
            _add(plan, node)
    return plan


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's node, and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from nodes(child)


def _add(plan: Plan, node: dict[str, Any]) -> None:
    plan.nodes.add(" ".join(filter(None, (node["Node Type"], node.get("Join Type")))))
    if "Index Name" in node:
        plan.indexes.add(node["Index Name"])
        plan.looks[node["Index Name"]] += node["Actual Loops"]
        plan.rows_read += (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
    if node["Node Type"] == "Seq Scan":
        plan.read_whole.add(node["Relation Name"])
    if node["Node Type"] == "Sort":
        plan.rows_sorted = max(plan.rows_sorted, _rows_into(node))


def _rows_into(sort: dict[str, Any]) -> int:
    return max(
        (int(child["Actual Rows"] * child["Actual Loops"]) for child in sort.get("Plans", ())), default=0
    )
