"""A process with the code of some checkout and a database of its own, which does what it reads: one JSON object a line.

`{"command": ["load", …]}` runs a command of the service, a request (`Request` of `service.py`) is answered in this
process. The checkout may be older than this drill, so this is run by its path and imports nothing of the project.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

import django
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import setup_databases, teardown_databases

UNSTEADY = {"Date", "Server"}


def main() -> None:
    """Set up, then answer until there are no more lines. The clock stands still from the beginning."""
    replies, sys.stdout = sys.stdout, sys.stderr  # commands print
    with time_machine.travel(int(os.environ["TEST_CLOCK"]), tick=False):
        django.setup()
        connection.settings_dict["TEST"]["NAME"] = os.environ["TEST_NAME"]
        names = setup_databases(verbosity=0, interactive=False)
        try:
            client = Client(raise_request_exception=False)
            for line in sys.stdin:
                print(json.dumps(done(client, json.loads(line))), file=replies, flush=True)
        finally:
            teardown_databases(names, verbosity=0)


def done(client: Client, asked: dict[str, Any]) -> dict[str, Any]:
    """Run a command, or answer a request: status, headers by name, and the body's bytes as latin-1."""
    if "command" in asked:
        call_command(*asked["command"], stdout=io.StringIO())
        return {}
    response = client.generic(
        asked["method"], asked["path"], headers=asked["headers"], QUERY_STRING=asked["query"]
    )
    headers = sorted([name, value] for name, value in response.headers.items() if name not in UNSTEADY)
    return {"status": response.status_code, "headers": headers, "body": response.getvalue().decode("latin-1")}


if __name__ == "__main__":
    main()
