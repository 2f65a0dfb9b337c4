"""The chains that nodes in trouble serve: the recorded one, as it grows and changes its mind, and anvil's."""

from __future__ import annotations

import hashlib
import http.client
import importlib.util
import json
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

Block = dict[str, Any]


class RefusalError(Exception):
    """What a node answers with an error object."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Upstream(Protocol):
    """A chain that is served by several nodes, each as far as it is; ``head`` is the newest block of it."""

    chain_id: int

    @property
    def head(self) -> int:
        """The number of the newest block."""

    def answer(self, head: int, method: str, params: list[Any]) -> Any:
        """Answer as a good node does whose newest block is ``head``. Raises :class:`RefusalError`."""


class Recorded:
    """The recorded transactions as a chain that grows block by block, and whose newest blocks may turn out empty."""

    chain_id = 1

    def __init__(self, server: Path, transactions: Path) -> None:
        spec = importlib.util.spec_from_file_location("recorded_node", server)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self._node = module.Chain([str(transactions)])
        self._whole: list[Block] = self._node.blocks
        self._head = 1
        self._forks = 0
        self.forked_from = self.most + 1
        """The first block that is an empty one now."""

    @property
    def head(self) -> int:
        """The number of the newest block."""
        return self._head

    @property
    def most(self) -> int:
        """The number of the last block that there is."""
        return len(self._whole) - 1

    def grow(self, blocks: int) -> None:
        """Have some more blocks, up to the last one."""
        self._head = min(self._head + blocks, self.most)

    def fork(self, depth: int) -> None:
        """Have the newest blocks replaced by empty ones."""
        self._forks += 1
        blocks = list(self._node.recorded)
        self.forked_from = max(self._head - depth + 1, 1)
        for number in range(self.forked_from, len(blocks)):
            told = f"{self._forks} {blocks[number]['hash']}"
            blocks[number] = {
                **blocks[number],
                "hash": "0x" + hashlib.sha256(told.encode()).hexdigest(),
                "parentHash": blocks[number - 1]["hash"],
                "transactions": [],
            }
        self._whole = blocks

    def restore(self) -> None:
        """Have the recorded blocks again."""
        self.forked_from = self.most + 1
        self._whole = list(self._node.recorded)

    def answer(self, head: int, method: str, params: list[Any]) -> Any:
        """Answer as a good node does whose newest block is ``head``. Raises :class:`RefusalError`."""
        node = self._node
        node.blocks = self._whole[: head + 1]
        if method in ("eth_getTransactionByHash", "eth_getTransactionReceipt"):
            found = node.answer(method, params)
            number = None if found is None else int(found["blockNumber"], 16)
            is_there = number is not None and number <= head and bool(node.blocks[number]["transactions"])
            return found if is_there else None
        try:
            return node.answer(method, params)
        except LookupError as fault:
            raise RefusalError(-32601, f"method not found: {fault}") from None
        except ValueError as fault:
            raise RefusalError(-32005, str(fault)) from None


class Forwarded:
    """A node's chain; what a node that is behind would not know of it is left out."""

    def __init__(self, url: str, chain_id: int) -> None:
        self.chain_id = chain_id
        self._host = urlsplit(url).netloc

    @property
    def head(self) -> int:
        """The number of the newest block."""
        return int(self._ask("eth_blockNumber", []), 16)

    def answer(self, head: int, method: str, params: list[Any]) -> Any:
        """Answer as a good node does whose newest block is ``head``. Raises :class:`RefusalError`."""
        if method == "eth_blockNumber":
            return hex(head)
        if method in ("eth_call", "eth_getCode"):
            at = head if params[1] == "latest" else int(params[1], 16)
            if at > head:
                raise RefusalError(-32000, "header not found")
            return self._ask(method, [params[0], hex(at)])
        if method == "eth_getBlockByNumber" and int(params[0], 16) > head:
            return None
        found = self._ask(method, params)
        if method == "eth_getLogs":
            return [log for log in found if int(log["blockNumber"], 16) <= head]
        if method in ("eth_getTransactionByHash", "eth_getTransactionReceipt") and found is not None:
            return found if int(found["blockNumber"], 16) <= head else None
        return found

    def _ask(self, method: str, params: list[Any]) -> Any:
        asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        with closing(http.client.HTTPConnection(self._host)) as connection:  # of several threads
            connection.request("POST", "/", asked, {"Content-Type": "application/json"})
            answer = json.load(connection.getresponse())
        if "error" in answer:
            raise RefusalError(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]
