"""How long tests wait for what must come: as long as whoever brings it lives, and otherwise beyond any busy machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 600.0
"""Seconds after which what a test waits for will never come: there only so that a hang ends at all."""


def comes(
    condition: Callable[[], object], process: subprocess.Popen[Any] | None = None, *, every: float = 0.05
) -> bool:
    """Return once a condition holds; False when the process that is to bring it about has ended, or nothing came.

    It is looked at again every so many seconds, and once more when the process has ended.
    """
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        has_ended = process is not None and process.poll() is not None
        if condition():
            return True
        if has_ended:
            return False
        time.sleep(every)
    return False
