"""A registry of ENS names whose node answers when a test lets it."""

from __future__ import annotations

import threading

from tests.patience import PATIENCE

ADDRESS = "0x" + "1a" * 20


class Oracle:
    """Stands for the registry: its node tells nothing until it is let, and it notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun = threading.Semaphore(0)
        self.may_answer = threading.Event()
        self.at_once = 0

    def __call__(self, name: str) -> str | None:
        self.at_once += 1
        self.asked.append(name)
        self.begun.release()
        assert self.may_answer.wait(PATIENCE)
        self.at_once -= 1
        return ADDRESS
