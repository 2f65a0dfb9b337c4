"""An application whose answers wait for the test: it says what was begun, and goes on once a file is there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

FOLDER = Path(os.environ["TEST_WAITING_FOLDER"])


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer ``/wait/NAME`` once the file NAME is there, ``/bytes/N`` with so many, and a POST with its body."""
    _, what, *rest = environ["PATH_INFO"].split("/")
    body = b"here"
    if what == "wait":
        (FOLDER / f"begun-{rest[0]}").touch()
        while not (FOLDER / rest[0]).exists():
            time.sleep(0.01)
    elif what == "bytes":
        body = b"x" * int(rest[0])
    elif environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
