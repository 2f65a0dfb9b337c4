"""Makes the next items of a stream while the last ones are worked on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")


def ahead(items: Iterator[T], depth: int = 2) -> Iterator[T]:
    """Yield the items, which a thread makes, at most ``depth`` of them in advance.

    Lines are read and checked while the database works. The thread must not touch the database, whose connection
    belongs to the caller's. What it raises is raised here, after the items before it.
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
            item, error = made.get()
            if error is not None:
                if isinstance(error, StopIteration):
                    return
                raise error
            yield item  # type: ignore[misc]
    finally:
        stopped.set()
        thread.join()
