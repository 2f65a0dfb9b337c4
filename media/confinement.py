"""What a process that reads hostile bytes gives up before it reads them. Linux and other Unixes; no way back.

There is no system call filter (seccomp has no binding here): a decoder that is taken over could still compute for its
seconds and signal processes of its own user. It can open, connect to, write or start nothing.
"""

from __future__ import annotations

import os
import resource
import tempfile
from contextlib import suppress
from pathlib import Path

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
        # Containers take these rights from root: what is left of root there is held by the limits below.
        with suppress(PermissionError):
            os.chroot(".")
        with suppress(PermissionError):
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(limit, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def confine_child() -> None:
    """Also leave the pipes and the right to start processes and threads, and take few seconds of CPU.

    To be called in a fork of a process that called :func:`confine`. What it computes can leave it by shared memory.
    """
    os.closerange(0, 3)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
