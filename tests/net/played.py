"""A node on loopback that misbehaves as told, and a clock that only moves when somebody sleeps."""

from __future__ import annotations

import collections
import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from core.net.rpc.jsonrpc import Node
from tests.patience import PATIENCE

SHORT = 2.0
"""Seconds that tests wait for in vain where the next answer must come within them, as it does on a busy machine too."""


class Clock:
    """Seconds that pass by sleeping alone; `slept` holds the naps in their order."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass(frozen=True)
class Answer:
    """What goes back to one request: a status and a body, which anything but bytes becomes as JSON."""

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    """Bytes of the body after which the connection is closed."""
    hang: bool = False
    """Whether no answer comes at all until the node is closed."""


Step = Answer | Callable[[Any], Answer | Any]


def error(code: int, message: str, data: Any = None) -> dict[str, Any]:
    """An error object, told from results by `PlayedNode`."""
    return {"error": {"code": code, "message": message, **({} if data is None else {"data": data})}}


def is_error(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"error"}


class PlayedNode:
    """A JSON-RPC node whose next answers are `script` and, once that is used up, the functions in `methods`."""

    def __init__(self) -> None:
        self.script: collections.deque[Step] = collections.deque()
        self.methods: dict[str, Callable[..., Any]] = {
            "eth_chainId": lambda: "0x1",
            "eth_blockNumber": lambda: "0xffff",
        }
        self.aside: set[str] = set()
        """Methods that are answered by `methods` at once, unseen and whatever the script says."""
        self.seen: list[Any] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.peers: set[Any] = set()
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.host}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def asked(self) -> list[str]:
        """The methods of the requests seen, those of a batch joined by `+`."""
        return [
            "+".join(call["method"] for call in document)
            if isinstance(document, list)
            else document["method"]
            for document in self.seen
        ]

    def answer(self, document: Any) -> Answer:
        """The answer to a request by `methods` alone, or by the script's next step."""
        step = self.script.popleft() if self.script else self.by_methods
        made = step if isinstance(step, Answer) else step(document)
        return made if isinstance(made, Answer) else Answer(made)

    def by_methods(self, document: Any) -> Any:
        """What a well-behaved node returns."""
        if isinstance(document, list):
            return [self.by_methods(call) for call in document]
        head = {"jsonrpc": "2.0", "id": document["id"]}
        method = self.methods.get(document["method"])
        params = document["params"]
        if method is None:
            value = error(-32601, "method not found")
        else:
            value = method(**params) if isinstance(params, dict) else method(*params)
        return {**head, **value} if is_error(value) else {**head, "result": value}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        node = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body in one packet: a small second one would wait for the first's receipt.
            wbufsize = -1

            def handle(self) -> None:
                with contextlib.suppress(ConnectionError):  # whoever has read enough hangs up
                    super().handle()

            def do_POST(self) -> None:
                document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if isinstance(document, dict) and document["method"] in node.aside:
                    answer = Answer(node.by_methods(document))
                else:
                    node.seen.append(document)
                    node.paths.append(self.path)
                    node.headers.append(dict(self.headers))
                    node.peers.add(self.client_address)
                    answer = node.answer(document)
                if answer.hang:
                    node.closing.wait(PATIENCE)
                    self.close_connection = True
                    return
                body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                length = {} if "Transfer-Encoding" in answer.headers else {"Content-Length": str(len(body))}
                for name, value in {**length, **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body[: answer.cut_after])
                self.close_connection = answer.cut_after is not None

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        return Handler


def node_of(*urls: str, clock: Clock | None = None, **options: Any) -> Node:
    """A node that sleeps on a played clock, and always the longest that it may."""
    clock = clock or Clock()
    defaults: dict[str, Any] = {
        "sleep": clock.sleep,
        "random": lambda: 1.0,
        "clock": clock,
        "timeout": PATIENCE,
    }
    return Node(urls, **{**defaults, **options})
