"""Commands that go on until they are told to stop."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[list[int]]:
    """Have the first Ctrl-C or SIGTERM set ``stop``, a second one end the process; yield those that came."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    if threading.current_thread() is not threading.main_thread():  # where no handler can be set
        yield received
        return
    for number in before:
        signal.signal(number, note)
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_stopped(stderr: Any, what_then: str = "The next run goes on from here.") -> NoReturn:
    """Tell at a command's ``stderr`` that it was stopped, and end as Ctrl-C ends a process."""
    stderr.write(f"Stopped. {what_then}")
    sys.exit(130)
