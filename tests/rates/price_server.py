"""A price API on loopback that answers as told."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.loopback import Loopback, Quiet
from tests.net.played import Answer

Asked = Callable[[str, int, int], Any]
"""Currency, from, to: the answer, which anything but an `Answer` becomes as JSON."""


class PriceServer(Loopback):
    """Answers ``/prices/<currency>?from=…&to=…&key=…``; ``asked`` are the requests' currencies and times."""

    def __init__(self, answer: Asked) -> None:
        self.asked: list[tuple[str, int, int]] = []
        server = self

        class Handler(Quiet, BaseHTTPRequestHandler):
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

        super().__init__(Handler)
        self.template = self.url + "/prices/{currency}?from={from}&to={to}&key=very-secret-key"
