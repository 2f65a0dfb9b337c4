"""Processes that kill themselves at one of their statements, for the programs that tests run apart (`tests.processes`).

Each is a fork of one that has started already: to die costs no start of Python and Django.
"""

from __future__ import annotations

import os
import signal
import traceback
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


def apart(act: Callable[[], object]) -> int:
    """Do something in a fork of this process; return its exit code, -9 when it was killed, as it may be.

    This process has no threads, and no connection to a database is shared.
    """
    from django.db import connections

    connections.close_all()
    process = os.fork()
    if process == 0:
        code = 1
        try:
            act()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def die_at(fatal: int, act: Callable[[], object]) -> None:
    """Do something in a fork of this process, which must come to its statement of this number, and dies there."""

    def dying() -> None:
        with dying_at(fatal):
            act()

    code = apart(dying)
    assert code == -signal.SIGKILL, f"at statement {fatal}: exit code {code}"


def numbers(text: str) -> list[int]:
    """Read the moments of a command line: ``12,40,7``, or nothing."""
    return [int(number) for number in text.split(",") if number]
