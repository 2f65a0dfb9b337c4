"""Works on images in a process of its own, which can be made to kill itself at any step.

    python -m tests.images.killed MOMENT cache_images [--prune]
    python -m tests.images.killed MOMENT takedown URL…

Steps are SQL statements, and files that are opened for writing, renamed or deleted. At the step of number MOMENT the
process sends itself SIGKILL; 0 lets it finish, and it then prints the number of its steps. Leases have ended before.
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

FILES = {"os.rename", "os.remove", "os.mkdir"}
WRITING = os.O_WRONLY | os.O_RDWR


def main(moment: int, action: str, *arguments: str) -> None:
    """Do it, and print the number of steps."""
    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from media.models import CachedImage

    CachedImage.objects.filter(lease__gt="").update(next_attempt_at=timezone.now())
    steps = itertools.count(1)
    last = 0

    def step() -> None:
        nonlocal last
        last = next(steps)
        if last == moment:
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
    json.dump(last, sys.stdout)


def take_down(urls: tuple[str, ...]) -> None:
    """Keep the bytes behind these URLs from being served, as the admin does."""
    from core.db.writing import writing
    from media.models import CachedImage
    from media.withholding import delete_doomed, withhold_content

    with writing():
        withhold_content(CachedImage.objects.filter(url__in=urls).values_list("id", flat=True), "not ours")
    delete_doomed()


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
