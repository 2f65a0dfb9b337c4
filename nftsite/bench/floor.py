"""The floor: a bare WSGI application that answers one page by one hand-written statement and passes its text through.

No framework, no validation, no cursors: what PostgreSQL and a socket cost by themselves. ``gunicorn
nftsite.bench.floor:application`` serves it; ``DATABASE_URL`` names the database.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import psycopg2

STATEMENT = (Path(__file__).parent / "floor.sql").read_text()


@cache
def _connection() -> Any:
    """Return this process' connection, kept open."""
    connection = psycopg2.connect(os.environ["DATABASE_URL"], options="-c jit=off")
    connection.autocommit = True
    return connection


def page(address: str) -> str:
    """Return the body for the newest 30 NFTs of a contract, with their last transfers."""
    with _connection().cursor() as cursor:
        cursor.execute(STATEMENT, {"address": address})
        (body,) = cursor.fetchone()
        return str(body)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer ``?contractAddress=…``, whatever the path."""
    body = page(parse_qs(environ["QUERY_STRING"])["contractAddress"][0]).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]
