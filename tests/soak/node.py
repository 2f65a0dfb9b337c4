"""A node whose chain grows: `python -m tests.soak.node PORT BLOCKS SECONDS` has a new block every so many seconds.

It is the benchmark's made-up chain (`nftsite.bench.made_up_node`), whose contracts also say where metadata is.
"""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from nftsite.bench.made_up_node import HOST, MadeUpChain, answer
from tests.loopback import Quiet
from tests.offchain.gateway import ROOT

URI = ("0xc87b56dd", "0x0e89341c")
"""tokenURI(uint256) and uri(uint256)."""


def text(value: str) -> str:
    """A string as a contract returns it."""
    data = value.encode().hex()
    return f"0x{32:064x}{len(value):064x}{data.ljust(-(-len(data) // 64) * 64, '0')}"


def reply(chain: MadeUpChain, call: dict[str, Any]) -> str:
    """The answer to one call, as JSON."""
    method, params = call["method"], call["params"]
    if method == "eth_call" and params[0]["data"].startswith(URI) and params[0]["to"] in chain.contracts:
        number, token = chain.contracts[params[0]["to"]], int(params[0]["data"][10:74], 16)
        return f'"{text(f"ipfs://{ROOT}/{number}/{token}")}"'
    if method == "eth_getBlockByNumber" and int(params[0], 16) > chain.head:
        return "null"
    return answer(chain, method, params)


def main(port: int, blocks: int, seconds: float, begun: float) -> None:
    """Serve until the process is ended; ``begun``: when block 1 was mined, in Unix seconds."""
    chain = MadeUpChain(blocks)

    class Handler(Quiet, BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            chain.head = min(int((time.time() - begun) / seconds) + 1, blocks)
            calls = asked if isinstance(asked, list) else [asked]
            said = [f'{{"jsonrpc":"2.0","id":{one["id"]},"result":{reply(chain, one)}}}' for one in calls]
            body = (f"[{','.join(said)}]" if isinstance(asked, list) else said[0]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    ThreadingHTTPServer((HOST, port), Handler).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
