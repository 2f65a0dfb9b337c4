"""The node that serves recorded transactions of Ethereum, runs of the command against it, and what comes out."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection

from tests.patience import PATIENCE
from tests.shared import SHARED, TRANSACTIONS

SERVER = SHARED / "tools" / "recorded_node.py"


@contextmanager
def recorded_node(*options: str) -> Iterator[str]:
    """The URL of a node with a chain of its own."""
    command = [sys.executable, str(SERVER), "--port", "0", *options, str(TRANSACTIONS)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split(" on ")[1].strip()
        finally:
            server.terminate()


def run(url: str, *options: str) -> None:
    """Index Ethereum from a node to its head, without a word."""
    call_command("index", "--chain", "ethereum", "--rpc-url", url, "-v0", *options, stdout=io.StringIO())


def tell(url: str, path: str, **values: int) -> None:
    """Have the node rewind its chain, or restore it."""
    body = json.dumps(values).encode()
    with urllib.request.urlopen(f"{url}{path}", body, timeout=PATIENCE) as answer:
        answer.read()


def head_of(url: str) -> int:
    """The number of the node's newest block."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []}
    with urllib.request.urlopen(url, json.dumps(call).encode(), timeout=PATIENCE) as answer:
        return int(json.load(answer)["result"], 16)


def database_url() -> str:
    """How a process of its own reaches the test database."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    host = values["HOST"] or values["OPTIONS"].get("host", "")
    return f"postgresql://{values['USER']}:{values['PASSWORD']}@/{values['NAME']}?host={host}"
