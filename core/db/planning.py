"""How this service connects to its database: how long it waits, and, in web processes, how PostgreSQL plans."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from core.environment import POSTGRESQL

logger = logging.getLogger(__name__)

PAGES = (
    "-c jit=off -c enable_hashjoin=off -c enable_bitmapscan=off -c enable_seqscan=off"
    " -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1"
)
"""How PostgreSQL plans in web processes. A page reads a few rows of lists in order. To compile a plan that is estimated
dear costs more than to run it; and to hash, to sort or to share out a whole list is right only if the estimate is,
which it is not for what filters have in common, nor for how much of a list a merge will read. The
server's own cost of a random page (4) is a spinning disk's: with it a list just loaded, whose rows no vacuum has found
visible to all, is estimated dearer to read in order than to read whole and sort."""

NO_LONG_SILENCE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
"""Options of libpq, in seconds, the last in milliseconds: a server that went without a word (its machine, or the way to
it) is given up within 15 seconds. By default that takes two hours. Through a socket they mean nothing."""


def set_up(databases: dict[str, dict[str, Any]], *, is_pooled: bool) -> None:
    """Complete how databases are connected to, those of SQLite with their folder; ``is_pooled``: by a pooler."""
    for one in databases.values():
        # Kept by each thread: to open an SQLite file costs a third of a page.
        one.setdefault("CONN_MAX_AGE", None)
        if one["ENGINE"] == POSTGRESQL:
            one["CONN_HEALTH_CHECKS"] = True
            # Behind a pooler in transaction mode a server-side cursor would outlive its connection.
            one["DISABLE_SERVER_SIDE_CURSORS"] = is_pooled
            one["OPTIONS"] = NO_LONG_SILENCE | one["OPTIONS"]
        else:
            one["OPTIONS"] |= {
                # A writer takes the lock when it begins, so that two of them wait for each other instead of failing
                # half way; requests begin a deferred read instead (rest/snapshot.py), which no writer blocks in WAL
                # mode.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
            }
            Path(one["NAME"]).parent.mkdir(parents=True, exist_ok=True)


def tune_for_pages(databases: dict[str, dict[str, Any]], seconds: int) -> None:
    """Have PostgreSQL plan for pages, and end a statement after `seconds` (0: never), before gunicorn gives up.

    Not behind a pooler, which refuses such options: there they are the role's (docs/operating.md).
    """
    global _limit  # noqa: PLW0603 - of the process
    _limit = seconds
    for database in databases.values():
        if database["ENGINE"] == POSTGRESQL and not database.get("DISABLE_SERVER_SIDE_CURSORS"):
            options = database.setdefault("OPTIONS", {})
            limit = f"-c statement_timeout={seconds}s" if seconds else ""
            options["options"] = " ".join(filter(None, (options.get("options", ""), limit, PAGES)))


_limit = 0
"""Seconds that a statement of this process should be allowed to take; 0: any number."""


def heed_pooler(connection: Any, **_: Any) -> None:
    """Look, on a new connection (``connection_created``), whether a pooler such as PgBouncer is between it and the
    server: it tells clients of sessions that the server does not know.

    Then cursors are not kept by the server, since they would be left to other clients in transaction mode; and where
    the role has no time limit that a web process should have, the log says so: a pooler takes none for a connection.
    """
    if connection.vendor != "postgresql":
        return
    with connection.connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid(), current_setting('statement_timeout')")
        pid, limit = cursor.fetchone()
    if pid == connection.connection.get_backend_pid():
        return
    connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = True
    global _limit  # noqa: PLW0603 - of the process
    if limit == "0" and _limit:
        logger.warning(
            "The database is behind a pooler, and its role has no limit of time: ALTER ROLE … SET statement_timeout = "
            "'%ds' (docs/operating.md has the others).",
            _limit,
        )
    _limit = 0
