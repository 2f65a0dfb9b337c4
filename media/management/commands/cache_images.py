"""`manage.py cache_images`: fetches, vets and stores the images that NFTs show."""

from __future__ import annotations

import logging
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat

from core.progress import Progress
from core.stopping import end_stopped, stopped_by_signals
from media.fetching import FETCH_SECONDS, head_fetcher, image_fetcher
from media.pruning import prune
from media.store import request_lost
from media.usage import DiskLimit, usage
from media.uses import uses
from media.vetters import Vetters
from media.vetting import SECONDS
from media.withholding import delete_doomed
from media.worker import ImageWorker

THREADS = 4
BATCH = 2 * THREADS
LEASE_SECONDS = 2 * (FETCH_SECONDS + (THREADS + 1) * SECONDS) + 60
"""Longer than the slowest batch: two images a thread, each fetched to the deadline and behind the others' vetting."""
IDLE_SECONDS = 5.0
log = logging.getLogger(__name__)


class Command(BaseCommand):
    """Cache images; several may run side by side, and Ctrl-C or a kill at any moment loses nothing."""

    help = (
        "Fetch the images that NFTs show, vet them, and store each in its sizes. Without --follow it ends when none is "
        "due. With --prune it deletes what nothing refers to any more instead."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--follow", action="store_true", help="go on with images that become due")
        parser.add_argument(
            "--prune", action="store_true", help="delete rows and files that nothing refers to"
        )

        parser.add_argument(
            "--lost",
            action="store_true",
            help="first ask again for those whose files are gone, as after a database was restored without them",
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=1,
            help="that decode images side by side (1); more workers do as well",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Work, and tell what came of it."""
        if options["processes"] < 1:
            raise CommandError("--processes must be 1 or more.")
        if options["prune"]:
            self._prune()
            return
        if options["lost"]:
            self.stdout.write(f"The files of {request_lost():,} images are gone; they are fetched again.")
        self._cache(options["follow"], options["processes"], quiet=options["verbosity"] == 0)

    def _prune(self) -> None:
        gone = prune()
        self.stdout.write(f"Took away {gone.rows:,} rows and {gone.files:,} files. {_used()}")

    def _cache(self, follow: bool, processes: int, *, quiet: bool) -> None:
        stop, counts = threading.Event(), Counter[str]()
        with (
            stopped_by_signals(stop) as received,
            Vetters(processes) as vetters,
            Progress("images", "images", quiet=quiet) as progress,
        ):
            worker = ImageWorker(
                image_fetcher(),
                head_fetcher(),
                vetters,
                batch=BATCH,
                threads=THREADS,
                lease_seconds=LEASE_SECONDS,
            )
            for done in self._batches(worker, stop, follow):
                counts.update(done)
                progress.add(sum(done.values()), _told(counts))
        self.stdout.write(f"Images: {_told(counts) or 'none was due'}. {_used()}")
        if received == [signal.SIGINT]:
            end_stopped(self.stderr)

    def _batches(self, worker: ImageWorker, stop: threading.Event, follow: bool) -> Iterator[dict[str, int]]:
        """Yield what came of each batch, until nothing is due, or with ``follow`` until it is told to stop."""
        limit = DiskLimit()
        while not stop.is_set():
            done: dict[str, int] = {}
            if not limit.is_reached():
                done = worker.work()
            elif not follow:
                self.stderr.write("The disk limit is reached (MEDIA_MAX_BYTES): nothing more is fetched.")
            self._take_away()
            yield done
            if not done and not follow:
                return
            if not done:
                stop.wait(IDLE_SECONDS)

    def _take_away(self) -> None:
        """Finish takedowns of large contracts, and delete files; a bucket that is down does not end the worker."""
        try:
            uses().finish_takedowns()
            delete_doomed()
        except DatabaseError:
            raise
        except Exception:
            log.exception("Files could not be deleted; they are left to the next round")


def _used() -> str:
    used, limit = usage()
    return f"Cached files take {filesizeformat(used)}" + (f" of {filesizeformat(limit)}." if limit else ".")


def _told(counts: Counter[str]) -> str:
    """Return how many images there are in each state."""
    return ", ".join(f"{count:,} {state}" for state, count in sorted(counts.items()))
