"""What is known of the request that a thread is answering, beside the answer.

Its line in the log, the numbers of `/metrics`, and what it takes of its sender's allowance are made of it.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from django.db import DEFAULT_DB_ALIAS, connections
from rest_framework.exceptions import Throttled


class Cost(IntEnum):
    """Classes of requests by what they cost, each with the units that it takes of an allowance."""

    CHEAP = 1
    """A page like most, or an error: some milliseconds."""
    MODERATE = 5
    """Ten times that: a page for people, the OpenAPI document, an ENS name that a node is asked for."""
    EXPENSIVE = 20
    """A page that may pass thousands of entries of long lists, for which few threads are (`core/rest/shares.py`)."""


class Allowance(Protocol):
    """What somebody may still ask for: see `core.access.allowance`."""

    @property
    def wait(self) -> int:
        """Seconds until there is more."""

    def take(self, units: int) -> bool:
        """Take some of it; tell whether there was enough."""


@dataclass(slots=True)
class Facts:
    """What became known of one request so far."""

    operation: str = ""
    """Of the API, or the name of another address."""
    cost: Cost = Cost.CHEAP
    database: str = "none"
    """Which kind answered (:func:`kind_of`), if any."""
    refused: str = ""
    """`limit` (429), `key` (401) or `share` (503), where it was refused by one of these."""
    key: int | None = None
    """The API key that was sent, by its number."""
    allowance: Allowance | None = None
    """Of whom it is taken; ``None`` where nothing is limited, or nothing was taken yet."""

    def logged(self) -> dict[str, Any]:
        """Return what the line of the log says of it."""
        told = {"operation": self.operation, "cost": self.cost.name.lower(), "database": self.database}
        key = {} if self.key is None else {"key": self.key}
        return {**told, "limited": self.refused == "limit", **key}


_facts: ContextVar[Facts | None] = ContextVar("facts", default=None)


def begin() -> Facts:
    """Return the facts of a request that begins: nothing yet."""
    facts = Facts()
    _facts.set(facts)
    return facts


def end() -> None:
    """Forget them: what the thread does between two requests belongs to neither."""
    _facts.set(None)


def current() -> Facts:
    """Return the facts of the request that is being answered; outside of one, some that nobody reads."""
    return _facts.get() or Facts()


def costs(cost: Cost) -> None:
    """Note that the request turns out to be of this class, before that is spent.

    Raises ``Throttled`` (429) where its sender's allowance has no room for what the class takes more.
    """
    facts = current()
    more = cost - facts.cost
    if more <= 0:
        return
    facts.cost = cost
    if facts.allowance is not None and not facts.allowance.take(more):
        facts.refused = "limit"
        raise Throttled(facts.allowance.wait)


def answered_from(alias: str) -> None:
    """Note which database the request reads."""
    current().database = kind_of(alias)


def kind_of(alias: str) -> str:
    """Return what a database is: `sqlite`, `primary` or, of PostgreSQL under any other alias, `replica`."""
    if connections[alias].vendor == "sqlite":
        return "sqlite"
    return "primary" if alias == DEFAULT_DB_ALIAS else "replica"
