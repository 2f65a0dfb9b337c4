"""Hosts as network namespaces of this machine, on a switch of their own, and processes in them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.processes import ROOT

NOBODY = "65534"
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
PLAIN = {"LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TZ": "UTC", "HOME": "/tmp"}


def ip(*words: str) -> None:
    """Run ``ip``."""
    subprocess.run(["ip", *words], check=True)


@dataclass
class Host:
    """One namespace; ``name`` is short, and ``address`` its own on the switch."""

    name: str
    space: str
    switch: str
    address: str
    folder: Path
    _logs: list[IO[bytes]] = field(default_factory=list)

    def start(self, name: str, *words: str, env: Mapping[str, str] = PLAIN) -> subprocess.Popen[bytes]:
        """Start a program here; what it writes goes into ``name``.log in the folder.

        It is not root, but where it is Python, which may lie in root's home.
        """
        log = (self.folder / f"{name}.log").open("ab")
        self._logs.append(log)
        rights: Sequence[str] = () if words[0] == sys.executable else AS_NOBODY
        command = ["ip", "netns", "exec", self.space, *rights, *words]
        return subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=ROOT, stdin=subprocess.DEVNULL)

    def run(self, *words: str, env: Mapping[str, str] = PLAIN) -> str:
        """Run a program here to its end; return what it wrote."""
        command = ["ip", "netns", "exec", self.space, *words]
        done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words[:4])} on {self.name}: {done.stderr[-2000:]}")
        return done.stdout

    def pids(self, *names: str) -> list[int]:
        """The processes here, those of programs with these words in their command lines if any are given."""
        said = subprocess.run(
            ["ip", "netns", "pids", self.space], capture_output=True, text=True, check=False
        )
        found = []
        for pid in map(int, said.stdout.split()):
            with suppress(OSError):
                line = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
                if not names or any(name in line for name in names):
                    found.append(pid)
        return found

    def send(self, number: signal.Signals, *names: str) -> None:
        """Send a signal to processes here."""
        for pid in self.pids(*names):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def plug(self, is_in: bool) -> None:
        """Pull the cable, or put it back."""
        ip("-n", self.switch, "link", "set", f"to-{self.name}", "up" if is_in else "down")


@contextmanager
def hosts(folder: Path, names: Sequence[str]) -> Iterator[list[Host]]:
    """Hosts with these names, which reach each other and nobody else; all that runs there ends with the context."""
    switch = f"nft{os.getpid()}-sw"
    made: list[Host] = []
    try:
        ip("netns", "add", switch)
        ip("-n", switch, "link", "add", "bridge0", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge0", "up")
        for number, name in enumerate(names, 1):
            space, home = f"nft{os.getpid()}-{name}", folder / name
            home.mkdir()
            os.chown(home, int(NOBODY), int(NOBODY))
            host = Host(name, space, switch, f"10.77.0.{number}", home)
            ip("netns", "add", space)
            made.append(host)
            pair = ("link", "add", f"to-{name}", "netns", switch, "type", "veth", "peer", "name", "eth0")
            ip(*pair, "netns", space)
            ip("-n", switch, "link", "set", f"to-{name}", "master", "bridge0", "up")
            ip("-n", space, "address", "add", f"{host.address}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield made
    finally:
        for host in made:
            host.send(signal.SIGCONT)
            host.send(signal.SIGKILL)
        for space in (*(host.space for host in made), switch):
            subprocess.run(["ip", "netns", "delete", space], check=False, capture_output=True)


def until(condition: Callable[[], object], seconds: float, what: str) -> None:
    """Return once a condition holds. Raises ``TimeoutError`` after some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"After {seconds:.0f} seconds still not: {what}")
        time.sleep(0.3)
