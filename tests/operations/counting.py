"""How many queries a page may take, and how many it takes."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.conftest import Api

MOST = 12


def queries_of(api: Api, operation: str = "nfts", /, **parameters: Any) -> int:
    """How many queries a page takes, and the next one if there is one; the larger of both."""
    ask_for = api.nfts if operation == "nfts" else api.transfers
    with CaptureQueriesContext(connection) as first:
        page = ask_for(**parameters)
    if "nextCursor" not in page:
        return len(first)
    with CaptureQueriesContext(connection) as second:
        ask_for(**parameters, cursor=page["nextCursor"])
    return max(len(first), len(second))
