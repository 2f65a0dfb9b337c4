"""What a process that reads hostile bytes gives up before it reads them. On Linux; there is no way back.

There is no system call filter (seccomp has no binding here): a decoder that is taken over could still compute for its
seconds. It can open, connect to, write or start nothing. What needs no open file (deleting, renaming, emptying by path,
signals to others) is taken by Landlock where the kernel has it, and from root also by its change of root and user. On a
kernel without it, and of modes and times of files, which it leaves, a decoder may do what the service's user may.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from media import landlock

NOBODY = 65534
"""User and group that owns nothing, on Linux by convention."""
MEMORY = 512 * 2**20
"""Bytes of address space, code and shared memory included."""
CPU_SECONDS = 10


def confine() -> None:
    """Leave the environment, the file system, the right to open anything, and root if this process is root's.

    Everything that is ever needed must be imported and opened before. Raises ``OSError`` without a temporary folder.
    """
    os.environ.clear()
    empty = tempfile.mkdtemp()
    os.chdir(empty)
    Path(empty).rmdir()  # a folder that is gone has no files, and takes none
    if os.geteuid() == 0:
        with suppress(PermissionError):
            os.chroot(".")
    _leave_root()
    landlock.restrict(may_read=False)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    _limit()


def confine_child() -> None:
    """Also leave the pipes and the right to start processes and threads, and take few seconds of CPU.

    To be called in a fork of a process that called :func:`confine`. What it computes can leave it by shared memory.
    """
    os.closerange(0, 3)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    _limit_computing()


def become(program: list[str]) -> None:
    """Become another program, given by its path and arguments, that may read files and write none.

    For one that must open its libraries and its input; it is held to few files, and to the memory and time of a fork.
    """
    _leave_root()
    landlock.restrict(may_read=True)
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
    _limit()
    _limit_computing()
    os.execve(program[0], program, {})  # noqa: S606 # no shell, as is meant


def interpreter(program: str) -> tuple[list[str], dict[str, str]]:
    """Return the command and the environment that run a text as Python, with our modules and none of our settings."""
    command = [sys.executable, "-P", "-s", "-B", "-c", program]
    return command, {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _leave_root() -> None:
    if os.geteuid() == 0:
        # Containers take this right from root: what is left of root there is held by the limits.
        with suppress(PermissionError):
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)


def _limit() -> None:
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(limit, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _limit_computing() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
