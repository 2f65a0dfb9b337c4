"""A Redis or Valkey of this machine, for tests of what processes share."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.patience import PATIENCE, comes

PROGRAMS = ("redis-server", "valkey-server")
PASSWORD = "a-password-that-no-log-has"


def installed() -> str:
    """The program; skips the test where none is, or what Django speaks to it with."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip(f"none of {', '.join(PROGRAMS)} is installed on this machine")
    if find_spec("redis") is None:
        pytest.skip("the package redis (requirements-redis.txt) is not installed")
    return found


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, str]]:
    """A server with a password, which keeps nothing: its process, its URL by TCP and by a Unix socket."""
    program = installed()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = folder / "redis.sock"
    words = ["--port", str(port), "--bind", "127.0.0.1", "--unixsocket", str(path), "--requirepass", PASSWORD]
    process = subprocess.Popen(
        [program, *words, "--save", "", "--appendonly", "no", "--dir", str(folder)], stdout=subprocess.DEVNULL
    )
    try:
        if not comes(path.exists, process):
            pytest.fail(f"{program} did not start")
        patient = (
            f"db=1&socket_timeout={PATIENCE}&socket_connect_timeout={PATIENCE}"  # a busy machine is not away
        )
        yield (
            process,
            f"valkey://:{PASSWORD}@127.0.0.1:{port}?{patient}",
            f"unix://:{PASSWORD}@{path}?{patient}",
        )
    finally:
        process.kill()
        process.wait()
