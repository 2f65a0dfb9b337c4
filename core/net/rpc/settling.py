"""Asking until every call has its answer: retries, fail-over between URLs, smaller batches."""

from __future__ import annotations

import collections
import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.net.rpc.answers import Call, ask
from core.net.rpc.endpoint import Endpoint
from core.net.rpc.errors import (
    BadAnswerError,
    Kind,
    NodeError,
    NodeUnavailableError,
    RpcError,
    TransportError,
    WrongChainError,
)
from core.net.rpc.values import quantity
from core.net.rpc.wording import smaller_batch

COOL_OFF = 30.0
"""Seconds for which the other URLs are preferred to one that failed."""

FIRST_WAIT, LONGEST_BACKOFF = 0.5, 30.0
"""Seconds: the nth wait is drawn between none and the first, doubled n - 1 times, up to the longest."""

LAG_ATTEMPTS = 4
"""A node that lags catches up within seconds; one that lacks the state, or fails on one call, never does."""

_LESS = frozenset({Kind.TOO_MANY, Kind.LIMIT, Kind.ADDRESSES})
_LATER = frozenset({Kind.RATE, Kind.LIMIT, Kind.LAGGING, Kind.TRANSIENT})

logger = logging.getLogger(__name__)


def _anything(_name: str, _result: Any) -> None:
    """The check of results of which nothing is known."""


def _behind(endpoint: Endpoint, head: int, newest: int) -> TransportError:
    text = f"{endpoint.name} knows the blocks up to {head}, not yet {newest}"
    return TransportError(text, Kind.LAGGING)


@dataclass
class _Task:
    """The calls of one batch that are still open, and what became of the attempts so far."""

    open: dict[int, Call]
    limit: int
    can_shrink: bool
    newest: int
    settled: dict[int, Any] = field(default_factory=dict)
    declined: set[Endpoint] = field(default_factory=set)
    tries: collections.Counter[int] = field(default_factory=collections.Counter)
    failures: int = 0
    """Attempts in a row that settled nothing."""


class Settler:
    """The URLs of one chain, and the rules by which they are asked. May be used from several threads."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        *,
        attempts: int,
        expect_chain_id: int | None,
        sleep: Callable[[float], None],
        random: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
        has_chain_id: bool = True,
    ) -> None:
        self.endpoints = endpoints
        self.expected = expect_chain_id
        self._compares = has_chain_id and (expect_chain_id is not None or len(endpoints) > 1)
        self.requests = collections.Counter(dict.fromkeys((endpoint.host for endpoint in endpoints), 0))
        self.retries = self.requests.copy()
        self.failures = self.requests.copy()
        self._attempts, self._sleep, self._random, self._clock = attempts, sleep, random, clock
        self._ids = itertools.count(1)
        self._lock = threading.Lock()

    def settle(
        self,
        calls: Iterable[Call],
        *,
        limit: int = 1,
        check: Callable[[str, Any], object] = _anything,
        can_shrink: bool = False,
        newest: int = 0,
    ) -> list[Any]:
        """Return the result or the final `RpcError` of each call, in their order; at most `limit` a request.

        `check` gets the node's name and a result and raises `BadAnswerError` for one that cannot be.
        With `can_shrink`, for a single call, what a smaller question may cure comes back at once, time-outs included.
        Only URLs that have just said that they know the block `newest` are asked.
        Raises `NodeUnavailableError`, `WrongChainError` when every URL serves another chain, and `RpcError` when every
        URL refuses everything.
        """
        task = _Task(dict(enumerate(calls)), limit, can_shrink, newest)
        count = len(task.open)
        failed: Endpoint | None = None
        while task.open:
            endpoint = self._turn(task, failed)
            part = dict(itertools.islice(task.open.items(), max(1, min(task.limit, endpoint.batch_limit))))
            try:
                self._vet(endpoint, task.newest)
                answers = self._request(endpoint, part, again=failed is not None)
                for answer in answers.values():
                    if not isinstance(answer, RpcError):
                        check(endpoint.name, answer)
            except NodeError as error:
                self._after_failure(task, endpoint, error, part)
                failed = endpoint
            else:
                failed = self._after_answers(task, endpoint, answers, part)
        return [task.settled[key] for key in range(count)]

    def prefer(self, newest: int) -> int:
        """Have the other URLs preferred to those that do not know the block `newest`.

        Returns the newest block of the first that does, of the most advanced where none does; -1 where none tells.
        """
        known = -1
        for endpoint in self._able():
            try:
                self._vet(endpoint, 0)
                head = self._learn(endpoint, "eth_blockNumber")
                known = max(known, head)
                if head >= newest:
                    break
                raise _behind(endpoint, head, newest)
            except WrongChainError as error:
                self._leave_out(endpoint, error)
            except NodeError as error:
                self._cool(endpoint, error)
        return known

    def _able(self) -> Sequence[Endpoint]:
        """The URLs of this chain; all where each was found to serve another: one may be put right."""
        return [endpoint for endpoint in self.endpoints if endpoint.wrong is None] or self.endpoints

    def _turn(self, task: _Task, failed: Endpoint | None) -> Endpoint:
        """The URL to ask next: the first that neither declined nor cools off. Sleeps before it is asked too soon."""
        now = self._clock()
        # Where all have declined a call, which is settled by that, others of its batch may still be open.
        able = [endpoint for endpoint in self._able() if endpoint not in task.declined] or self._able()
        endpoint = min(able, key=lambda one: max(one.cool_until - now, 0.0))
        pause = max(endpoint.not_before - now, 0.0)
        if task.failures and (endpoint is failed or endpoint.cool_until > now):
            longest = min(LONGEST_BACKOFF, FIRST_WAIT * 2 ** (task.failures - 1))
            pause = max(pause, self._random() * longest)
        if pause > 0:
            logger.info("%s is asked again in %.1f s", endpoint.name, pause)
            self._sleep(pause)
        return endpoint

    def _request(self, endpoint: Endpoint, part: dict[int, Call], *, again: bool = False) -> dict[int, Any]:
        with self._lock:
            self.requests[endpoint.host] += 1
            self.retries[endpoint.host] += again
        return ask(endpoint, part, self._ids)

    def _vet(self, endpoint: Endpoint, newest: int) -> None:
        """Refuse a URL of another chain than the others', when it is first used, and one that lags behind a block.

        What it knows is learnt anew each time: one that knew a block may have forgotten it since.
        """
        if endpoint.chain_id is None and self._compares:
            found = self._learn(endpoint, "eth_chainId")
            with self._lock:
                self.expected = found if self.expected is None else self.expected
            if found != self.expected:
                raise WrongChainError(endpoint.name, found=found, expected=self.expected)
            endpoint.chain_id, endpoint.wrong = found, None
        if newest and (head := self._learn(endpoint, "eth_blockNumber")) < newest:
            raise _behind(endpoint, head, newest)

    def _learn(self, endpoint: Endpoint, method: str) -> int:
        """Return what the URL says of itself; any failure concerns the URL, not the calls that it is wanted for."""
        try:
            answer = self._request(endpoint, {0: (method, [])})[0]
        except TransportError as error:
            raise TransportError(str(error), Kind.TRANSIENT, retry_after=error.retry_after) from None
        if isinstance(answer, RpcError):
            passing = answer.kind in (Kind.RATE, Kind.TRANSIENT)
            raise TransportError(str(answer), answer.kind if passing else Kind.ELSEWHERE)
        return quantity(endpoint.name, answer)

    def _after_failure(
        self, task: _Task, endpoint: Endpoint, error: NodeError, part: dict[int, Call]
    ) -> None:
        """After a request that got no answers: prepare the next attempt, or raise."""
        if isinstance(error, WrongChainError):
            self._leave_out(endpoint, error)
            task.declined.add(endpoint)
            if all(one.wrong is not None for one in self.endpoints) and len(task.declined) == len(
                self.endpoints
            ):
                raise error
            return
        if error.kind is Kind.BATCH and isinstance(error, RpcError):
            endpoint.batch_limit = smaller_batch(error.message, len(part))
            logger.info("%s gets batches of %d from now on", endpoint.name, endpoint.batch_limit)
            return
        if error.kind in _LESS:
            task.limit = max(1, len(part) // 2)
            return
        if error.kind is Kind.ELSEWHERE:
            task.declined.add(endpoint)
            self._cool(endpoint, error)
            if self._somebody_left(task):
                return
            raise error if isinstance(error, RpcError) else NodeUnavailableError(str(error))
        if error.kind is Kind.TIMEOUT:
            task.limit = max(1, len(part) // 2)
            if task.can_shrink:
                self._cool(endpoint, error)
                raise error
        self._count_failure(task, endpoint, error)

    def _after_answers(
        self, task: _Task, endpoint: Endpoint, answers: dict[int, Any], part: dict[int, Call]
    ) -> Endpoint | None:
        """Settle what is final. Returns the endpoint if something of it must be asked again, else None."""
        wrong: NodeError | None = None
        for key, answer in answers.items():
            if isinstance(answer, RpcError) and self._is_open(
                task, endpoint, answer, key, alone=len(part) == 1
            ):
                wrong = answer if answer.kind in _LATER else wrong
            else:
                task.settled[key] = answer
                del task.open[key]
        left = [key for key in part if key in task.open]
        if len(left) < len(part):
            task.failures = 0
        if not answers:
            wrong = BadAnswerError(f"{endpoint.name}: a batch without any answer")
        # What is still open goes to the end, so that it does not hold up the calls not yet asked.
        task.open.update({key: task.open.pop(key) for key in left})
        if wrong is not None:
            self._count_failure(task, endpoint, wrong)
        return endpoint if left else None

    def _is_open(self, task: _Task, endpoint: Endpoint, error: RpcError, key: int, *, alone: bool) -> bool:
        """Whether a call that got this error is asked again; prepares for that."""
        if error.kind in _LESS and not alone:
            task.limit = 1
            return True
        if error.kind is Kind.RATE:
            return True
        if error.kind is Kind.LIMIT:
            return not task.can_shrink
        if error.kind in (Kind.LAGGING, Kind.TRANSIENT):
            task.tries[key] += 1
            return task.tries[key] < min(self._attempts, LAG_ATTEMPTS)
        if error.kind is Kind.ELSEWHERE:
            task.declined.add(endpoint)
            if error.code > 0:
                # An HTTP status: it is the key that the node dislikes, not this method alone.
                self._cool(endpoint, error)
            return self._somebody_left(task)
        return False

    def _somebody_left(self, task: _Task) -> bool:
        return any(endpoint not in task.declined for endpoint in self._able())

    def _leave_out(self, endpoint: Endpoint, error: WrongChainError) -> None:
        """Ask a URL of another chain for nothing any more, and say so once."""
        with self._lock:
            self.failures[endpoint.host] += 1
            said, endpoint.wrong = endpoint.wrong, error
        if said is None:
            logger.warning("%s: it is left out", error)

    def _count_failure(self, task: _Task, endpoint: Endpoint, error: NodeError) -> None:
        task.failures += 1
        self._cool(endpoint, error)
        if task.failures < self._attempts:
            return
        kind = BadAnswerError if isinstance(error, BadAnswerError) else NodeUnavailableError
        raise kind(f"given up after {task.failures} attempts, the last: {error}")

    def _cool(self, endpoint: Endpoint, error: NodeError) -> None:
        now = self._clock()
        with self._lock:
            self.failures[endpoint.host] += 1
            endpoint.cool_until = now + COOL_OFF
            if error.retry_after is not None:
                endpoint.not_before = now + error.retry_after
        logger.info("%s", error)
