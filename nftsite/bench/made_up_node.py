"""A node with a made-up chain, to measure indexing: `python -m nftsite.bench.made_up_node PORT BLOCKS [PACE]`.

Blocks 1 to BLOCKS have 20 transactions each that log one NFT transfer: of 60 contracts, a quarter of them with units
(ERC-1155), half of the logs mints. All answers are made beforehand; then it listens on loopback. Empty blocks follow,
more than an indexer keeps the hashes of, so that no block is asked about by itself. With a pace the head is at first
block 0, and then so many blocks a second further on.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread
from typing import Any

from indexing.node.events import TRANSFER, TRANSFER_SINGLE

HOST = "127.0.0.1"
LOGS_A_BLOCK = 20
_CONTRACTS, _PEOPLE, _EMPTY = 60, 30_000, 500
_BLOOM, _ZERO = "0x" + "f" * 512, "0x" + "0" * 40


def _hash(text: str) -> str:
    return "0x" + hashlib.sha256(text.encode()).hexdigest()


def _address(text: str) -> str:
    return _hash(text)[:42]


def _word(value: int | str) -> str:
    return f"{value:064x}" if isinstance(value, int) else value[2:].rjust(64, "0")


def _text(value: str) -> str:
    data = value.encode().hex().ljust(64, "0")
    return "0x" + _word(32) + _word(len(value)) + data


_SENT = {
    "value": "0x0",
    "gas": "0x30d40",
    "gasPrice": "0x3b9aca00",
    "chainId": "0x1",
    "accessList": [],
    "input": "0x23b872dd" + "0" * 192,
    "v": "0x0",
    "s": _hash("s"),
}
"""What all transactions have."""
_DONE = {
    "status": "0x1",
    "gasUsed": "0xea60",
    "effectiveGasPrice": "0x3b9aca00",
    "contractAddress": None,
    "logsBloom": _BLOOM,
}
"""What all receipts have."""


class MadeUpChain:
    """Blocks with their answers as JSON texts, always the same."""

    def __init__(self, blocks: int) -> None:
        self.last = blocks
        self.head = blocks + _EMPTY
        self.contracts = {_address(f"contract {n}"): n for n in range(_CONTRACTS)}
        self._addresses = list(self.contracts)
        self._people = [_address(f"person {n}") for n in range(_PEOPLE)]
        self._random = Random(7)  # noqa: S311 - a benchmark's data
        self._held: list[list[tuple[int, str, int]]] = [[] for _ in range(_CONTRACTS)]
        self.numbers: dict[str, int] = {}
        """Blocks by their hashes."""
        self.logs: list[str] = []
        self._heads: list[str] = []
        self._transactions: list[list[dict[str, Any]]] = []
        self.receipts: list[str] = []
        parent = "0x" + "0" * 64
        for number in range(self.head + 1):
            parent = self._mine(number, parent)

    def block(self, number: int, whole: bool) -> str:
        """Return a block, with its transactions whole or by their hashes."""
        found = self._transactions[number]
        listed = found if whole else [one["hash"] for one in found]
        return f'{self._heads[number]},"transactions":{json.dumps(listed, separators=(",", ":"))}}}'

    def _mine(self, number: int, parent: str) -> str:
        hash_ = _hash(f"block {number}")
        self.numbers[hash_] = number
        logs, whole, receipts = [], [], []
        for index in range(LOGS_A_BLOCK if 1 <= number <= self.last else 0):
            place = {"blockHash": hash_, "blockNumber": hex(number), "transactionIndex": hex(index)}
            transaction = _hash(f"transaction {number} {index}")
            sender, log = self._log(number * LOGS_A_BLOCK + index)
            log |= {**place, "transactionHash": transaction, "logIndex": hex(index), "removed": False}
            common = {**place, "from": sender, "to": log["address"], "type": "0x2"}
            logs.append(log)
            own = {"hash": transaction, "nonce": hex(number), "r": _hash(f"r{number}{index}")}
            whole.append({**common, **own, **_SENT})
            receipts.append({**common, "transactionHash": transaction, "logs": [log], **_DONE})
        self.logs.append(json.dumps(logs, separators=(",", ":"))[1:-1])
        self.receipts.append(json.dumps(receipts, separators=(",", ":")))
        self._transactions.append(whole)
        header = {
            "number": hex(number),
            "hash": hash_,
            "parentHash": parent,
            "logsBloom": _BLOOM,
            "timestamp": hex(1_700_000_000 + 12 * number),
            "miner": _ZERO,
            "stateRoot": _hash("state"),
        }
        self._heads.append(json.dumps(header, separators=(",", ":"))[:-1])
        return hash_

    def _log(self, count: int) -> tuple[str, dict[str, Any]]:
        """Return who sends the next transaction, and what it logs."""
        contract = self._random.randrange(_CONTRACTS)
        held, taker, has_units = self._held[contract], self._random.choice(self._people), contract % 4 == 3
        if not held or count % 2 == 0:
            token, giver, amount = len(held) + 1, _ZERO, self._random.randint(1, 10) if has_units else 1
            held.append((token, taker, amount))
        else:
            at = self._random.randrange(len(held))
            token, giver, amount = held[at]
            held[at] = token, taker, amount
        sender = taker if giver == _ZERO else giver
        parties = ["0x" + _word(giver), "0x" + _word(taker)]
        topics = (
            [TRANSFER_SINGLE, "0x" + _word(sender), *parties]
            if has_units
            else [TRANSFER, *parties, "0x" + _word(token)]
        )
        data = "0x" + _word(token) + _word(amount) if has_units else "0x"
        return sender, {"address": self._addresses[contract], "topics": topics, "data": data}


def answer(chain: MadeUpChain, method: str, parameters: list[Any]) -> str:
    """Return the result of a call as JSON."""
    if method == "eth_chainId":
        return '"0x1"'
    if method == "eth_blockNumber":
        return f'"{hex(chain.head)}"'
    if method == "eth_getBlockByNumber":
        return chain.block(int(parameters[0], 16), parameters[1])
    if method == "eth_getBlockReceipts":
        return chain.receipts[int(parameters[0], 16)]
    if method == "eth_getLogs":
        wanted = parameters[0]
        if "address" in wanted or TRANSFER not in wanted["topics"][0]:
            return "[]"
        if "blockHash" in wanted:
            return f"[{chain.logs[chain.numbers[wanted['blockHash']]]}]"
        first, last = int(wanted["fromBlock"], 16), int(wanted["toBlock"], 16)
        return f"[{','.join(filter(None, chain.logs[first : last + 1]))}]"
    if method == "eth_call":
        return f'"{_called(chain, parameters[0])}"'
    return '"0x60"' if method == "eth_getCode" else "null"


def _called(chain: MadeUpChain, call: dict[str, str]) -> str:
    """Return what a contract says: its standard by ERC-165, and its name."""
    number, data = chain.contracts.get(call["to"]), call["data"]
    if number is None:
        return "0x"
    if data.startswith("0x01ffc9a7"):
        mine = "d9b67a26" if number % 4 == 3 else "80ac58cd"
        return "0x" + _word(int(data[10:18] in ("01ffc9a7", mine)))
    return _text(f"Made up {number}") if data.startswith(("0x06fdde03", "0x95d89b41")) else "0x"


def main(port: int, blocks: int, pace: float = 0) -> None:
    """Serve until the process is ended."""
    chain = MadeUpChain(blocks)
    if pace:
        Thread(target=_mine_slowly, args=(chain, pace), daemon=True).start()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send("{}")

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = [
                f'{{"jsonrpc":"2.0","id":{one["id"]},"result":{answer(chain, one["method"], one["params"])}}}'
                for one in (asked if isinstance(asked, list) else [asked])
            ]
            self._send(f"[{','.join(said)}]" if isinstance(asked, list) else said[0])

        def _send(self, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            pass

    ThreadingHTTPServer((HOST, port), Handler).serve_forever()


def _mine_slowly(chain: MadeUpChain, pace: float) -> None:
    last, began = chain.head, time.monotonic()
    while True:
        chain.head = min(int((time.monotonic() - began) * pace), last)
        time.sleep(0.1)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *map(float, sys.argv[3:]))
