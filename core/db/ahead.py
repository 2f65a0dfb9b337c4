"""Makes the next items of a stream while the last ones are worked on, and sets the interpreter up for such work."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Gate:
    """Through it a thread that reads ahead works only while the one that it reads for has nothing to compute.

    Python runs one thread at a time: two that compute slow each other down by more than their share. What a load
    waits for, the database, leaves more than enough time to read the next lines.
    """

    def __init__(self) -> None:
        self._open = Event()
        self._open.set()

    def __call__(self) -> None:
        """Wait until the other thread waits. Called by the one that reads ahead, between small pieces of work."""
        self._open.wait()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Let the other thread work. For what waits: no other thread may run into this one meanwhile."""
        self._open.set()
        try:
            yield
        finally:
            self._open.clear()

    def around_statement(self, execute: Callable[..., Any], *args: Any) -> Any:
        """Execute a statement with the gate open: for ``connection.execute_wrapper``."""
        with self.opened():
            return execute(*args)

    def open(self) -> None:
        """Let the other thread work until the next statement has been executed."""
        self._open.set()


def ahead(items: Iterator[T], gate: Gate, depth: int = 1) -> Generator[T]:
    """Yield the items, which a thread makes, at most ``depth`` of them in advance, and while the ``gate`` is open.

    Lines are read and checked while the database works. The thread must not touch the database, whose connection
    belongs to the caller's, and passes through the gate as often as it can. What it raises is raised here, after the
    items before it.
    """
    made: Queue[tuple[T | None, BaseException | None]] = Queue(depth)
    stopped = Event()
    end: tuple[T | None, BaseException | None] = (None, StopIteration())

    def put(entry: tuple[T | None, BaseException | None]) -> None:
        while not stopped.is_set():
            with suppress(Full):
                made.put(entry, timeout=0.1)
                return

    def work() -> None:
        try:
            for item in items:
                put((item, None))
                if stopped.is_set():
                    return
        except BaseException as error:
            put((None, error))
        else:
            put(end)

    thread = Thread(target=work, name="ahead", daemon=True)
    thread.start()
    try:
        while True:
            with gate.opened():
                item, error = made.get()
            if error is not None:
                if isinstance(error, StopIteration):
                    return
                raise error
            yield item  # type: ignore[misc]
    finally:
        stopped.set()
        gate.open()
        thread.join()


@contextmanager
def interpreter_for_batches() -> Iterator[None]:
    """Look for cycles of garbage hardly ever, and switch threads often.

    A batch makes a million tuples that live as long as it does and are in no cycle; looking through them again and
    again takes a third of the time of a load, and looking through each once a twentieth. And an answer of the database
    should not wait 5 ms, the default, for the thread that reads ahead to give way.
    """
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(3_000_000, 50, 1000)
    sys.setswitchinterval(0.000_2)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
