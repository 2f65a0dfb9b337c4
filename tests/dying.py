"""A process that kills itself at one of its statements, for the programs that tests run apart (`tests.processes`)."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Statements:
    """Counts what the database is asked, and sends this process SIGKILL at the statement of number ``fatal``."""

    def __init__(self, fatal: int) -> None:
        self.count = 0
        self._fatal = fatal

    def __call__(self, execute: Callable[..., Any], *rest: Any) -> Any:
        self.count += 1
        if self.count == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*rest)


@contextmanager
def dying_at(fatal: int) -> Iterator[Statements]:
    """Count statements, and die at the one of this number, from 1 on; 0: live on. After ``django.setup()``."""
    from django.db import connection

    statements = Statements(fatal)
    with connection.execute_wrapper(statements):
        yield statements
