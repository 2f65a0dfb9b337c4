"""Landlock: a Linux process gives up the file system by path, TCP and signals to others, without being root.

Called by number, as neither Python nor glibc has these calls (Linux 5.13; documentation: userspace-api/landlock). What
a kernel does not know yet is left out, all of it where Landlock is off: the other limits hold there alone.
"""

from __future__ import annotations

import ctypes
import os
import sys

_CREATE, _RESTRICT = 444, 446
"""landlock_create_ruleset and landlock_restrict_self, the same numbers on every architecture."""
_VERSION = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_READING = _EXECUTE | _READ_FILE | _READ_DIR
_FILES = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
"""Rights by the version that has them: open, make, remove; move to another folder; truncate; ioctl of devices."""
_TCP = ((4, 0b11),)
_SCOPES = ((6, 0b11),)
"""Abstract sockets, and signals to processes that are not under the same rules."""

_libc = ctypes.CDLL(None, use_errno=True)


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


def version() -> int:
    """The version of the kernel's Landlock; 0: it has none, or it is off."""
    if sys.platform != "linux":
        return 0  # these numbers are other calls there
    return max(0, int(_libc.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)))


def restrict(*, may_read: bool) -> bool:
    """Give up, for this thread and all that it starts, what is named above; ``may_read`` keeps reading and executing.

    Return whether the kernel could. What is open stays open, and changing a file's mode or times is no right that
    Landlock has. Raises ``OSError`` if a kernel that has Landlock refuses. It takes one file handle for a moment.
    """
    known = version()
    if not known:
        return False
    files = _known(_FILES, known) & ~(_READING if may_read else 0)
    rules = _Rules(files, _known(_TCP, known), _known(_SCOPES, known))
    handle = _called(_CREATE, ctypes.byref(rules), ctypes.c_size_t(ctypes.sizeof(rules)), 0)
    try:
        if _libc.prctl(_PR_SET_NO_NEW_PRIVS, *(ctypes.c_ulong(value) for value in (1, 0, 0, 0))):
            raise OSError(ctypes.get_errno(), "PR_SET_NO_NEW_PRIVS")
        _called(_RESTRICT, handle, 0)
    finally:
        os.close(handle)
    return True


def _known(rights: tuple[tuple[int, int], ...], version: int) -> int:
    return sum(right for since, right in rights if since <= version)


def _called(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
