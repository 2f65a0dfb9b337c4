"""Works on images in a process of its own, as often killed before as is wanted.

    python -m tests.images.killed MOMENTS cache_images [--prune]
    python -m tests.images.killed MOMENTS takedown URL…

First one worker after the other is killed, at its step of each number of MOMENTS (12,40,7), if it has so many: steps
are SQL statements, and files that are opened for writing, renamed or deleted. The last one finishes. How images and
files stand behind each is printed as a JSON list. Leases have ended before each.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django

from tests.dying import apart, numbers

FILES = {"os.rename", "os.remove", "os.mkdir"}
WRITING = os.O_WRONLY | os.O_RDWR


def main(moments: str, action: str, *arguments: str) -> None:
    """Do it, and print what came of it."""
    django.setup()
    from tests.images.standing import standing

    found = []
    for moment in numbers(moments):
        assert apart(lambda moment=moment: act(moment, action, *arguments)) in (0, -signal.SIGKILL)  # type: ignore[misc]
        found.append(standing())
    assert apart(lambda: act(0, action, *arguments)) == 0
    json.dump([*found, standing()], sys.stdout)


def act(moment: int, action: str, *arguments: str) -> None:
    """Do it in this process, to the step of this number; 0: to the end."""
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from media.models import CachedImage

    CachedImage.objects.filter(lease__gt="").update(next_attempt_at=timezone.now())
    steps = itertools.count(1)

    def step() -> None:
        if next(steps) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def statement(execute: Callable[..., Any], *rest: Any) -> Any:
        step()
        return execute(*rest)

    def event(name: str, details: tuple[Any, ...]) -> None:
        if name in FILES or (name == "open" and details[2] & WRITING):
            step()

    sys.addaudithook(event)
    with connection.execute_wrapper(statement):
        if action == "takedown":
            take_down(arguments)
        else:
            call_command(action, *arguments, stdout=sys.stderr)


def take_down(urls: tuple[str, ...]) -> None:
    """Keep the bytes behind these URLs from being served, as the admin does."""
    from core.db.writing import writing
    from media.models import CachedImage
    from media.withholding import delete_doomed, withhold_content

    with writing():
        withhold_content(CachedImage.objects.filter(url__in=urls).values_list("id", flat=True), "not ours")
    delete_doomed()


if __name__ == "__main__":
    main(*sys.argv[1:])
