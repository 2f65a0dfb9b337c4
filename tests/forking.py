"""Processes that begin as forks of one that has started already: Python and Django are imported once, not each time.

    python -m tests.forking

is that one. Its standard input is a socket (`Forks`). Each message on it says what to run, as the arguments of Python
have it, and on which database, and brings three files: standard output, standard error, and where the process's number
and its exit code are told. The settings are those of its own environment. It ends when the socket is closed.
"""

from __future__ import annotations

import gc
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

LONGEST = 1 << 17
"""Bytes of a message."""


class Fork:
    """A process that may still run; the files are kept by who began it."""

    def __init__(self, told: IO[str]) -> None:
        self._told = told
        self.pid = int(told.readline())

    def lives(self) -> bool:
        """Tell whether it has not ended."""
        return not select.select([self._told], [], [], 0)[0]

    def kill(self) -> None:
        """Send SIGKILL, and wait until it has ended."""
        if self.lives():
            os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        """Return the exit code once it has ended: -9 after SIGKILL."""
        with self._told:
            return int(self._told.readline())


class Forks:
    """The process that all others are forks of, with the environment of each."""

    def __init__(self, variables: Mapping[str, str], folder: Path) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__], cwd=folder, env=variables, stdin=theirs.fileno()
            )

    def begin(self, url: str, arguments: Sequence[str], out: IO[Any], err: IO[Any]) -> Fork:
        """Begin a process that works on a database."""
        read, write = os.pipe()
        message = json.dumps([url, *arguments]).encode()
        socket.send_fds(self._channel, [message], [out.fileno(), err.fileno(), write])
        os.close(write)
        return Fork(os.fdopen(read))

    def run(self, url: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a process to its end."""
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            code = self.begin(url, arguments, out, err).wait()
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(list(arguments), code, out.read(), err.read())

    def close(self) -> None:
        """Have no more of them."""
        self._channel.close()
        self._process.wait()


def main() -> None:
    """Fork at each message; return in the fork's fork, when it is done, and at the end."""
    import django

    django.setup()
    from django.urls import get_resolver

    assert get_resolver().url_patterns  # imports all that answers, as the checks of every command do
    gc.freeze()  # or each fork looks through all that is here, and copies it by that
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    channel = socket.socket(fileno=os.dup(0))
    while True:
        message, files, _, _ = socket.recv_fds(channel, LONGEST, 3)
        if not message:
            return
        if os.fork() == 0:
            channel.close()
            _attend(json.loads(message), *files)
            return
        for file in files:
            os.close(file)


def _attend(order: Sequence[str], out: int, err: int, told: int) -> None:
    """Run in a fork what was ordered, tell its number and exit code, and end; return in the fork when it is done."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid:
        os.write(told, f"{pid}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(told, f"{code}\n".encode())
        os._exit(0)
    os.close(told)
    with Path(os.devnull).open("rb") as nothing:
        for file, number in ((nothing.fileno(), 0), (out, 1), (err, 2)):
            os.dup2(file, number)
    os.close(out)
    os.close(err)
    random.seed()
    url, *arguments = order
    _name(url)
    _run(arguments)


def _name(url: str) -> None:
    """Have this process work on another database of the same engine. None has been connected to."""
    import environ
    from django.conf import settings

    os.environ["DATABASE_URL"] = url
    named, default = environ.Env.db_url_config(url), settings.DATABASES["default"]
    default |= {name: named[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    default["OPTIONS"] |= named.get("OPTIONS", {})


def _run(arguments: Sequence[str]) -> None:
    """Run what Python's command line says: ``-c CODE …``, ``-m MODULE …`` or ``FILE …``."""
    first, *rest = arguments
    if first == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(rest[0], {"__name__": "__main__"})
    elif first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main()
