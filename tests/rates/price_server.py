"""A price API on loopback that answers as told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.net.played import Answer

Asked = Callable[[str, int, int], Any]
"""Currency, from, to: the answer, which anything but an `Answer` becomes as JSON."""


class PriceServer:
    """Answers ``/prices/<currency>?from=…&to=…&key=…``; ``asked`` are the requests' currencies and times."""

    def __init__(self, answer: Asked) -> None:
        self.asked: list[tuple[str, int, int]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(address.query).items()}
                one = (address.path.rpartition("/")[2], int(query["from"]), int(query["to"]))
                server.asked.append(one)
                given = answer(*one)
                made = given if isinstance(given, Answer) else Answer(given)
                body = made.body if isinstance(made.body, bytes) else json.dumps(made.body).encode()
                self.send_response(made.status)
                for name, value in ({"Content-Length": str(len(body))} | made.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"http://127.0.0.1:{self._server.server_port}"
        self.template = self.host + "/prices/{currency}?from={from}&to={to}&key=very-secret-key"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> PriceServer:
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
