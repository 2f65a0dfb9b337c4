"""ENS names that no table has, looked up at the node of the chain that ENS lives on, while a request waits.

Of a process one request looks a name up at a time, in a second at most; whoever comes meanwhile is told at once to come
again. So is everybody while a node that did not answer is left alone. What was found is kept for a while in the memory
of the process alone.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable

from django.conf import settings

from core.net.http.bounded import at_most
from core.net.rpc.errors import NodeError, NodeUnavailableError
from core.net.rpc.jsonrpc import Node
from core.rest.facts import Cost, costs
from tokens.ens.names import EnsAnswer
from tokens.ens.registry import EnsRegistry, OffchainNameError
from tokens.metadata.hosts import Silences

CHAIN, CHAIN_ID = "ethereum", 1
"""Where the registry is: the name of its node in the settings, and the id that the node must have (EIP-155)."""

AT_ONCE = 1
"""Look-ups in flight in a process, each in its request: no more of the threads of ``WEB_THREADS``."""

PATIENCE = 1.0
"""Seconds that a look-up takes at most."""

FIRST_SILENCE, LONGEST_SILENCE = 1.0, 60.0
"""Seconds for which a node is left alone that let a request wait in vain, or failed three times in a row; doubled each
time that it fails again. Then one look-up tries it."""

HIT_SECONDS, MISS_SECONDS = 300.0, 60.0
"""How long an address is believed, and how long that there is none."""

MAX_NAMES = 1024
MAX_BODY = 1 << 20
"""Bytes of a node's answer at most: a resolver may answer anything."""

logger = logging.getLogger(__name__)


_NODE = "the node"


class EnsUnavailableError(Exception):
    """Nobody told in time what the name stands for. ``wait``: seconds after which it may be asked for again."""

    def __init__(self, wait: float = 1.0) -> None:
        super().__init__(f"to be asked for again in {wait:g} s")
        self.wait = wait


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
    """Look-ups by ``resolve``, few at a time, each of ``patience`` seconds at most.

    A node that did not answer is left alone for a while.
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
        self._silences = Silences(clock, first=FIRST_SILENCE, longest=LONGEST_SILENCE)
        self._places = threading.BoundedSemaphore(AT_ONCE)

    def answer(self, name: str) -> EnsAnswer:
        """Return what a name in normal form stands for.

        Raises ``EnsUnavailableError`` after ``patience`` seconds; at once where all places are taken, be it by a
        look-up of the same name, or the node is left alone.
        """
        known = self._known(name)
        if known is not None:
            return known
        if not self._places.acquire(blocking=False):
            raise EnsUnavailableError
        try:
            # The look-up that had this place may have ended just before.
            return self._known(name) or self._looked_up(name)
        finally:
            self._places.release()

    def _known(self, name: str) -> EnsAnswer | None:
        """Return what is remembered of a name. Raises ``EnsUnavailableError`` while the node is left alone."""
        known, silence = self._memory.get(name), self._silences.left(_NODE)
        if known is None and silence:
            raise EnsUnavailableError(silence)
        return known

    def _looked_up(self, name: str) -> EnsAnswer:
        """Ask the node, and note what came of it."""
        costs(Cost.MODERATE)
        began = self._clock()
        try:
            with at_most(self._patience):
                answer = EnsAnswer(self._resolve(name))
        except OffchainNameError:
            answer = EnsAnswer(None, is_offchain=True)
        except NodeError as error:
            logger.warning("An ENS name could not be looked up: %s", error)
            self._silences.failed(_NODE, is_dear=self._clock() - began >= self._patience)
            raise EnsUnavailableError(self._silences.left(_NODE) or 1.0) from None
        self._memory.put(name, answer)
        self._silences.answered(_NODE)
        return answer


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
