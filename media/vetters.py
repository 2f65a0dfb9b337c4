"""Several processes that vet images, shared by threads."""

from __future__ import annotations

from queue import LifoQueue
from types import TracebackType

from media.vetting import Verdict, Vetter


class Vetters:
    """As many :class:`Vetter` as there are processors to spend; a thread waits for a free one. A context manager."""

    def __init__(self, count: int) -> None:
        self._all = [Vetter() for _ in range(count)]
        self._free: LifoQueue[Vetter] = LifoQueue()
        for vetter in self._all:
            self._free.put(vetter)

    def __enter__(self) -> Vetters:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for vetter in self._all:
            vetter.close()

    def vet(self, data: bytes) -> Verdict:
        """Return what these bytes are. Raises as :meth:`Vetter.vet` does."""
        vetter = self._free.get()
        try:
            return vetter.vet(data)
        finally:
            self._free.put(vetter)
