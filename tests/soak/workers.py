"""The commands beside the web processes, kept alive as their units do, and how much memory each process has."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.processes import ROOT

AGAIN_SECONDS = 5.0
"""After which systemd starts one that has ended (RestartSec)."""


class Worker:
    """A command that is started again when it ends."""

    def __init__(self, name: str, words: list[str], variables: dict[str, str], folder: Path) -> None:
        self.name, self._words, self._variables = name, words, variables
        self.log = folder / f"{name}.log"
        self.ended: Counter[int] = Counter()
        self.process: subprocess.Popen[bytes] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep)
        self._thread.start()

    def restart(self) -> None:
        """End it as an update does; it comes back by itself."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """End it for good."""
        self._stop.set()
        self.restart()
        self._thread.join()

    def _keep(self) -> None:
        while not self._stop.is_set():
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [sys.executable, "manage.py", *self._words],
                    cwd=ROOT,
                    env=self._variables,
                    stdout=log,
                    stderr=log,
                )
            code = self.process.wait()
            if not self._stop.is_set():
                self.ended[code] += 1
                self._stop.wait(AGAIN_SECONDS)


def memory_mib(pid: int) -> float:
    """The share of memory (PSS) of a process and all that it started, in MiB; what several share counts in parts."""
    total, left = 0.0, [pid]
    while left:
        place = Path(f"/proc/{left.pop()}")
        with suppress(OSError):
            found = re.search(r"^Pss: +(\d+)", (place / "smaps_rollup").read_text(), re.MULTILINE)
            total += int(found[1]) / 1024 if found else 0
            for task in os.listdir(place / "task"):  # noqa: PTH208 - names of threads
                left += map(int, (place / "task" / task / "children").read_text().split())
    return total


def complaints(logs: dict[str, Path]) -> Iterator[str]:
    """Yield warnings and errors of each log, by their first words without numbers, and how often each was told."""
    for name, path in logs.items():
        found: Counter[str] = Counter()
        for line in path.read_text(errors="replace").splitlines() if path.exists() else ():
            told = re.search(r'"level": "(WARNING|ERROR|CRITICAL)".*?"message": "([^"]{1,90})', line)
            raised = re.match(r"(\w[\w.]*(?:Error|Exception))\b", line)  # the last line of a traceback
            if told or raised:
                text = f"{told[1]} {told[2]}" if told else line[:90]
                found[re.sub(r"\d[\d.,:]*", "N", text)] += 1
        for text, count in found.most_common(8):
            yield f"{name}: {count} × {text}"
