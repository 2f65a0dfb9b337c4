"""ENS names that no table has, looked up at the node of the chain that ENS lives on, while a request waits.

A request waits a second at most, one look-up is in flight in a process, and what was found is kept for a while in the
memory of the process alone.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context

from django.conf import settings

from nftsite.net.jsonrpc import Node
from nftsite.net.rpc_errors import NodeError, NodeUnavailableError
from tokens.ens import EnsAnswer
from tokens.ens_registry import EnsRegistry, OffchainNameError

CHAIN, CHAIN_ID = "ethereum", 1
"""Where the registry is: the name of its node in the settings, and the id that the node must have (EIP-155)."""

PATIENCE = 1.0
"""Seconds that a request waits at most, for its turn and for the answer together."""

HIT_SECONDS, MISS_SECONDS = 300.0, 60.0
"""How long an address is believed, and how long that there is none."""

MAX_NAMES = 1024
MAX_BODY = 1 << 20
"""Bytes of a node's answer at most: a resolver may answer anything."""

logger = logging.getLogger(__name__)


class EnsUnavailableError(Exception):
    """Nobody told in time what the name stands for."""


class Memory:
    """The newest answers by name, each for its time. May be used from several threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, EnsAnswer]] = {}

    def get(self, name: str) -> EnsAnswer | None:
        """Return the answer that is still good, if any."""
        until, answer = self._kept.get(name, (0.0, None))
        return answer if self._clock() < until else None

    def put(self, name: str, answer: EnsAnswer) -> None:
        """Keep an answer, the oldest one giving way where there are too many."""
        seconds = MISS_SECONDS if answer.address is None else HIT_SECONDS
        with self._lock:
            self._kept.pop(name, None)
            while len(self._kept) >= MAX_NAMES:
                del self._kept[next(iter(self._kept))]
            self._kept[name] = (self._clock() + seconds, answer)


class LookUps:
    """Look-ups by ``resolve``, one at a time, each in a thread that nobody waits for longer than ``patience`` seconds.

    One that comes late still goes into the memory, so that whoever asks again has its answer.
    """

    def __init__(
        self,
        resolve: Callable[[str], str | None],
        *,
        patience: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``resolve`` is as `EnsRegistry.resolve`; ``clock`` returns seconds that only grow."""
        self._resolve = resolve
        self._patience = patience
        self._clock = clock
        self._memory = Memory(clock)
        self._turn = threading.Lock()
        """Held by the look-up in flight, and let go by its thread."""

    def answer(self, name: str) -> EnsAnswer:
        """Return what a name in normal form stands for. Raises ``EnsUnavailableError`` after ``patience`` seconds."""
        until = self._clock() + self._patience
        known = self._memory.get(name)
        if known is not None:
            return known
        if not self._turn.acquire(timeout=self._patience):
            raise EnsUnavailableError
        known = self._memory.get(name)  # another request may have asked for the same
        if known is not None:
            self._turn.release()
            return known
        told = self._begin(name)
        try:
            return told.result(timeout=max(0.0, until - self._clock()))
        except TimeoutError:
            raise EnsUnavailableError from None

    def _begin(self, name: str) -> Future[EnsAnswer]:
        told: Future[EnsAnswer] = Future()
        # In the request's context, so that the log knows whose it is. A daemon, so that it keeps no process alive.
        work = functools.partial(copy_context().run, self._work, name, told)
        try:
            threading.Thread(target=work, name="ens", daemon=True).start()
        except RuntimeError:
            self._turn.release()
            raise
        return told

    def _work(self, name: str, told: Future[EnsAnswer]) -> None:
        try:
            answer = self._ask(name)
            self._memory.put(name, answer)
        except NodeError as error:
            logger.warning("An ENS name could not be looked up: %s", error)
            told.set_exception(EnsUnavailableError())
        except Exception as error:
            logger.exception("Looking an ENS name up failed")  # the request may have gone
            told.set_exception(error)
        else:
            told.set_result(answer)
        finally:
            self._turn.release()

    def _ask(self, name: str) -> EnsAnswer:
        try:
            return EnsAnswer(self._resolve(name))
        except OffchainNameError:
            return EnsAnswer(None, is_offchain=True)


def is_configured() -> bool:
    """Tell whether there is a node to ask."""
    return CHAIN in settings.RPC_URLS


def look_up(name: str) -> EnsAnswer:
    """Return what the node says of a name in normal form. Raises ``EnsUnavailableError``."""
    with _making:
        look_ups = of_node(tuple(settings.RPC_URLS[CHAIN]), settings.ENS_REGISTRY)
    return look_ups.answer(name)


_making = threading.Lock()


@functools.lru_cache(maxsize=1)
def of_node(urls: tuple[str, ...], registry: str) -> LookUps:
    """Return the look-ups of this process, by the registry at an address (lower case)."""
    node = Node(
        urls,
        timeout=PATIENCE,
        attempts=len(urls),
        expect_chain_id=CHAIN_ID,
        max_body=MAX_BODY,
        sleep=_refuse_to_wait,
        random=lambda: 0.0,
    )
    return LookUps(EnsRegistry(node, registry).resolve, patience=PATIENCE)


def _refuse_to_wait(seconds: float) -> None:
    raise NodeUnavailableError(f"the node wants to be left alone for {seconds:.0f} s")
