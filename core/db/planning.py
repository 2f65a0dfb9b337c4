"""How this service connects to PostgreSQL: how long it waits, and, in web processes, how PostgreSQL plans."""

from typing import Any

from core.environment import POSTGRESQL

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


def tune_for_pages(databases: dict[str, dict[str, Any]], seconds: int) -> None:
    """Have PostgreSQL plan for pages, and end a statement after `seconds` (0: never), before gunicorn gives up.

    Not behind a pooler, which refuses such options: there they are the role's (docs/operating.md).
    """
    for database in databases.values():
        if database["ENGINE"] == POSTGRESQL and not database.get("DISABLE_SERVER_SIDE_CURSORS"):
            options = database.setdefault("OPTIONS", {})
            limit = f"-c statement_timeout={seconds}s" if seconds else ""
            options["options"] = " ".join(filter(None, (options.get("options", ""), limit, PAGES)))
