"""Reads nodes by JSON-RPC over HTTP: calls, batches and logs, from one or several URLs of one chain."""

from __future__ import annotations

import random as random_module
import time
from collections.abc import Callable, Sequence
from typing import Any

from core.net.rpc.answers import Call
from core.net.rpc.endpoint import Endpoint
from core.net.rpc.errors import RpcError
from core.net.rpc.log_ranges import LogAnswer, collect_logs
from core.net.rpc.settling import Settler
from core.net.rpc.values import quantity

MAX_BODY = 128 * 1024 * 1024
"""Bytes of an unpacked answer at most: about 180,000 logs, a few hundred megabytes as Python objects."""


class Node:
    """A node of one chain, behind one or several URLs that stand in for each other.

    Failed requests are repeated, elsewhere first, with exponential backoff and full jitter. Whatever cannot be read
    raises a `NodeError` (see `core.net.rpc.errors`), none of which shows more of a URL than scheme, host and port.
    May be used from a few threads at once. `requests`, `retries` and `failures` count by host and port.
    """

    def __init__(
        self,
        urls: Sequence[str],
        *,
        timeout: float = 30.0,
        batch_size: int = 50,
        attempts: int = 8,
        expect_chain_id: int | None = None,
        has_chain_id: bool = True,
        max_body: int = MAX_BODY,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random_module.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the URLs in order of preference; none is asked before the first call.

        `timeout` is in seconds, for the connection and for each read. `attempts` is how many requests in a row may
        fail. Each URL is asked for its chain once, when there are several or `expect_chain_id` is given; not without
        `has_chain_id`: EIP-695 is of EVM nodes alone. `random` returns a float from 0 to 1, `clock` seconds that only
        grow. Raises `ValueError` for what is no http(s) URL.
        """
        if isinstance(urls, str) or not urls:
            raise ValueError("a node needs a list of one or more URLs")
        self._batch_size = batch_size
        self._settler = Settler(
            [Endpoint(url, timeout=timeout, max_body=max_body, batch_limit=batch_size) for url in urls],
            attempts=attempts,
            expect_chain_id=expect_chain_id,
            sleep=sleep,
            random=random,
            clock=clock,
            has_chain_id=has_chain_id,
        )
        self.at_least = 0
        """A block that there is, as the caller knows: see `block_number`."""
        self.requests = self._settler.requests
        self.retries = self._settler.retries
        self.failures = self._settler.failures

    def __repr__(self) -> str:
        return f"Node({', '.join(endpoint.name for endpoint in self._settler.endpoints)})"

    def call(self, method: str, *params: Any) -> Any:
        """Return the result of one call; integers in it are exact.

        Raises `RpcError` for the node's last word (`LaggingNodeError` when it does not know the block or its state),
        `NodeUnavailableError` when nobody answered (`BadAnswerError`: not with an answer), `WrongChainError`.
        """
        return _result(self._settler.settle([(method, list(params))])[0])

    def named(
        self,
        method: str,
        params: dict[str, Any],
        *,
        check: Callable[[str, Any], object] = lambda _name, _result: None,
        can_shrink: bool = False,
    ) -> Any:
        """Return the result of one call whose parameters go by name.

        `check` gets the node's name and the result and raises `BadAnswerError` for one that cannot be: it is asked for
        again. With `can_shrink` what a smaller question may cure is raised at once, time-outs too (see `Kind`).
        Raises as `call` does.
        """
        return _result(self._settler.settle([(method, params)], check=check, can_shrink=can_shrink)[0])

    def batch(self, calls: Sequence[Call]) -> list[Any | RpcError]:
        """Return the results of the calls, in their order, sent at most `batch_size` in a request.

        An `RpcError` in the place of a result is the node's last word on that call. A call that is rate-limited, or
        left out of an answer, is asked again by itself. Raises as `call` does when nobody answered.
        """
        results: list[Any | RpcError] = []
        for start in range(0, len(calls), self._batch_size):
            part = calls[start : start + self._batch_size]
            results += self._settler.settle(part, limit=self._batch_size)
        return results

    def chain_id(self) -> int:
        """Return the chain's id (EIP-695). Raises as `call` does."""
        return self._quantity("eth_chainId")

    def block_number(self) -> int:
        """Return the number of the newest block that the node knows. Raises as `call` does.

        Where a URL does not know the block `at_least`, the others are looked at, and preferred for a while.
        """
        newest = self._quantity("eth_blockNumber")
        if newest < self.at_least and len(self._settler.endpoints) > 1:
            newest = max(newest, self._settler.prefer(self.at_least))
        return newest

    def logs(
        self, first: int, last: int, *, addresses: Sequence[str] | None = None, topics: list[Any]
    ) -> LogAnswer:
        """Return the logs of blocks first … last, both included, in the order of the chain, by eth_getLogs.

        `addresses` None stands for all contracts, an empty list for none; `topics` are as in the API. A range that
        the node refuses, cannot send or does not answer in time is asked for in parts, a long list of addresses too.
        A URL that does not know the block `last` yet is not asked: it would silently leave out logs.
        Raises `TooManyResultsError` for a block that is refused by itself, else as `call` does.
        """
        return collect_logs(self._settler, first, last, addresses=addresses, topics=topics)

    def _quantity(self, method: str) -> int:
        answer = _result(self._settler.settle([(method, [])], check=quantity)[0])
        return int(answer, 16)


def _result(answer: Any) -> Any:
    if isinstance(answer, RpcError):
        raise answer
    return answer
