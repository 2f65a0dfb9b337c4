"""A reader that is killed outright at any moment: the next one makes of the book what one that was left alone makes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.management import call_command

from indexing.models import BookPage, BookWalk
from tests import machine
from tests.offchain.test_queue_workers import database_url
from tests.orders.made_up import APES
from tests.orders.stand_in import KEY, StandIn
from tests.orders.test_walks import FIVE, hashes, live, of, states
from tokens.models import Ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

READ = """
import django, os, signal, sys
django.setup()
from django.core.management import call_command
from indexing.orders import keeping, pages, queue
left = int(sys.argv[2])

def dying(module, name):
    work = getattr(module, name)
    def run(*given, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        done = work(*given, **options)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    setattr(module, name, run)

for place in ((pages, "keep"), (pages, "forget"), (keeping, "write"), (queue, "tell"), (queue, "finish")):
    dying(*place)
call_command("sync_asks", "-v0", "--contract", sys.argv[1])
"""
"""Dies at a given one of the moments before and after each thing that a walk writes: most are within transactions."""


def read(server: StandIn, moment: int) -> int:
    """Read the apes in a process of its own that dies at a moment, if it comes to it; return its exit code."""
    variables = machine.bare(
        DATABASE_URL=database_url(),
        SECRET_KEY="k" * 50,
        DJANGO_SETTINGS_MODULE="nftsite.settings",
        OPENSEA_API_URL=server.url,
        OPENSEA_API_KEY=KEY,
    )
    command = [sys.executable, "-c", READ, APES, str(moment)]
    return subprocess.run(command, cwd=Path(project.BASE_DIR), env=variables, check=False).returncode


def test_killed_at_every_moment_in_turn_the_next_one_comes_to_the_same_end(settings: Any) -> None:
    with StandIn(apes=list(FIVE)) as server:
        settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = server.url, KEY
        call_command("sync_asks", "-v0", "--contract", APES)
        moment, code = 0, -signal.SIGKILL
        while code:
            assert code == -signal.SIGKILL
            moment += 1
            listed = [*FIVE[2:], of(100 + moment)] if moment % 2 else [*FIVE, of(100 + moment)]
            server.listings["apes"] = listed
            Ask.objects.update(seen_at=5)  # what was seen within the second in which a walk begins is left
            code = read(server, moment)
            call_command("sync_asks", "-v0", "--contract", APES)
            assert live() == hashes(listed), moment
            assert {reason for reason in states().values() if reason} <= {"gone-from-source"}
            walk = BookWalk.objects.get()
            assert (walk.state, walk.began_at, walk.fault, walk.last_shown) == (
                "waiting",
                None,
                "",
                len(listed),
            )
            assert not BookPage.objects.exists()
    assert moment > 20
