"""Runs a command and prints what it took, as one JSON object: `python -m nftsite.bench.measured COMMAND…`.

A small process between, since Linux counts the memory of whoever starts a process to the peak of what is started.
What the command itself prints goes to the standard error; its exit code is this process's.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from typing import TypedDict


class Usage(TypedDict):
    """CPU seconds of a command and all it waited for, and the largest resident memory of one of these, in bytes."""

    cpu_seconds: float
    peak_bytes: int


def run(command: list[str]) -> int:
    """Run it, print its :class:`Usage`, and return its exit code."""
    code = subprocess.call(command, stdout=sys.stderr)  # noqa: S603 - whoever calls this says what
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    usage = Usage(cpu_seconds=used.ru_utime + used.ru_stime, peak_bytes=used.ru_maxrss * 1024)
    json.dump(usage, sys.stdout)
    return code


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
