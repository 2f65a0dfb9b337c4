"""A folder in which the web processes count together what `/metrics` tells: prometheus-client's multiprocess mode.

Each service has one of its own below VAR_DIR, locked as long as one of its processes lives, whether they end or are
killed. What a dead service left is removed by the next. Called by gunicorn.conf.py, before anything imports
prometheus_client, which decides with its import how it counts.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
FILE_BYTES = 512 * 1024
"""Of each file of a process, some two thousand figures; it grows when there are more."""
KINDS = ("counter", "histogram")

logger = logging.getLogger(__name__)
_held: list[IO[bytes]] = []
"""Locks of this process and of those that it forks."""


def use_folder(root: Path) -> None:
    """Make a folder below ``root``, and have this process and all that it forks count there.

    One that the variable names already is used as it is: by the successor of a service that is being replaced. Where
    there is no room for one, each process counts in its memory.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        with (root / "lock").open("wb") as one_at_a_time:
            fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
            _remove_abandoned(root)
            folder = Path(os.environ.get(VARIABLE) or tempfile.mkdtemp(prefix="web-", dir=root))
            if not _held:
                _held.append((folder / "lock").open("wb"))
                fcntl.flock(_held[0], fcntl.LOCK_SH)
        os.environ[VARIABLE] = str(folder)
        reserve()
    except OSError as fault:
        os.environ.pop(VARIABLE, None)
        logger.warning("Web processes count apart, and /metrics tells what one of them did: %s", fault)


def _remove_abandoned(root: Path) -> None:
    """Remove the folders whose lock no process holds."""
    for lock in root.glob("web-*/lock"):
        with lock.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            shutil.rmtree(lock.parent, ignore_errors=True)


def reserve() -> None:
    """Take the room that this process's figures need, before it counts.

    They are written through memory: on a full disk, a page of a file that has no room yet would kill the process. A
    file has its size from the moment that it has its name, so that others can always read it.
    """
    for kind in KINDS:
        place = _file(kind, os.getpid())
        if place.exists():  # of a process that had this number
            with place.open("r+b") as file:
                os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
            continue
        with place.with_suffix(".new").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
            Path(file.name).rename(place)


def begins() -> None:
    """Have a process that was just forked count in files of its own; not at all where there is no room for them."""
    if VARIABLE not in os.environ:
        return
    try:
        reserve()
    except OSError as fault:
        from core.rest import numbers

        numbers.is_counting = False
        logger.warning("Process %d does not count its requests: %s", os.getpid(), fault)


def ended(number: int) -> None:
    """Note that a process has died: what it counted stays, and takes no more room than it needs."""
    if VARIABLE not in os.environ:
        return
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(number)  # type: ignore[no-untyped-call]
    for kind in KINDS:
        try:
            with _file(kind, number).open("r+b") as file:
                file.truncate(max(int.from_bytes(file.read(4), sys.byteorder), 8))
        except OSError:
            continue  # it never counted


def _file(kind: str, number: int) -> Path:
    """Where prometheus_client has a process count figures of a kind."""
    return Path(os.environ[VARIABLE]) / f"{kind}_{number}.db"
