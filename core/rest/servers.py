"""A page is read of one server of the database, whole, and where that fails, of another, whole again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    Error,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connections,
)

from core.db.reading import reading_from
from core.db.replicas import servers
from core.rest.snapshot import snapshot

logger = logging.getLogger(__name__)
Given = ParamSpec("Given")
Answer = TypeVar("Answer")

TOO_LONG = "57014"
"""SQLSTATE of a statement that was cancelled: it took too long, which it would anywhere, or its client hung up."""
NOT_THERE_YET = frozenset({"42P01", "42703"})
"""Of a table and a column that there is none of: a replica may lack the newest migration for a moment."""


def of_one_server(view: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Have a view, or its method, read one snapshot of one server, and begin anew with another one where the server
    went away, or could not let the query end (a conflict with what it replays).
    """

    @wraps(view)
    def answer(*args: Given.args, **named: Given.kwargs) -> Answer:
        failed: Error | None = None
        for alias in servers():
            if failed is not None:
                logger.warning("A page is asked for again, of %s.", alias)
            try:
                with reading_from(alias), snapshot(alias):
                    return view(*args, **named)
            except Error as fault:
                if not _is_of_the_server(fault, alias):
                    raise
                failed = failed or fault
        assert failed is not None, "there is a primary"
        if type(failed) is DatabaseError:
            raise OperationalError(*failed.args) from failed
        raise failed

    return answer


def _is_of_the_server(fault: Error, alias: str) -> bool:
    """Tell whether another server may well answer what this one did not."""
    state = getattr(fault.__cause__, "pgcode", None)
    if isinstance(fault, ProgrammingError):
        return alias != DEFAULT_DB_ALIAS and state in NOT_THERE_YET
    # Of some lost connections the driver raises what is no more than a DatabaseError.
    is_lost = isinstance(fault, OperationalError | InterfaceError) or type(fault) is DatabaseError
    if not is_lost or state == TOO_LONG:
        return False
    if connections[alias].vendor == "postgresql" and not connections[alias].in_atomic_block:
        connections[alias].close()
    return True
