"""An IPFS gateway on loopback that has what it is told to have."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import Loopback, Quiet

ROOT = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
"""The CID below which everything is."""


class LocalGateway(Loopback):
    """Answers `/ipfs/ROOT/<path>` with `documents[path]`, as JSON unless it is bytes, else 404; `asked` are the paths
    in their order.

    ``before`` is called with the number of the request, from 1 on, before each answer.
    """

    def __init__(
        self, documents: dict[str, Any], before: Callable[[int], object] = lambda number: None
    ) -> None:
        self.documents = documents
        self.asked: list[str] = []
        lock = threading.Lock()
        gateway = self

        class Handler(Quiet, BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.removeprefix(f"/ipfs/{ROOT}/")
                with lock:
                    gateway.asked.append(path)
                    number = len(gateway.asked)
                before(number)
                found = path in gateway.documents
                document = gateway.documents.get(path)
                body = document if isinstance(document, bytes) else json.dumps(document).encode()
                with contextlib.suppress(ConnectionError):  # whoever asked may have been killed
                    self.send_response(200 if found else 404)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

        super().__init__(Handler)
