"""`manage.py load_sample`: loads the bundled sample, with its images, into an empty database."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from core.stopping import stopped_by_signals
from nftsite.sample import images
from nftsite.sample.loading import NotEmptyError, load_sample

REFUSAL = "The database holds data already; the sample is loaded into an empty one only."
STOPPED = "Stopped; the next run completes it."


class Command(BaseCommand):
    """Loads the sample; run again after a kill, it completes what is missing of it."""

    help = "Load the bundled sample of 1,500 NFTs, with images, into an empty database."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the conditions."""
        parser.add_argument(
            "--if-empty",
            action="store_true",
            help="a database that holds data is no fault: leave it as it is",
        )
        parser.add_argument(
            "--if-default", action="store_true", help="do nothing when DATABASE_URL is set, here or in .env"
        )
        parser.add_argument(
            "--no-images", action="store_true", help="leave caching the images to the next run"
        )
        parser.add_argument(
            "--beside",
            type=int,
            metavar="PID",
            help="end when this process, which started this one, has ended",
        )

    def handle(
        self,
        *args: Any,
        if_empty: bool,
        if_default: bool,
        no_images: bool,
        beside: int | None,
        **options: Any,
    ) -> None:
        """Load, cache, and tell each step in a line. Exits with 1 when the database holds something else."""
        if if_default and os.environ.get("DATABASE_URL", "").strip():  # the settings have read .env into it
            return
        stop = threading.Event()
        try:
            loaded = self._load()
        except KeyboardInterrupt:
            raise CommandError(STOPPED, returncode=130) from None
        missing = 0 if no_images else images.missing()
        if not loaded and not missing and not if_empty:
            raise CommandError(REFUSAL)
        with stopped_by_signals(stop) as received:
            if missing:
                self._cache(
                    missing,
                    lambda: stop.is_set() or beside not in (None, os.getppid()),
                    sys.stderr.isatty() and beside is None,
                )
        if received == [signal.SIGINT] and beside is None:
            raise CommandError(STOPPED, returncode=130)

    def _load(self) -> bool:
        started = time.monotonic()
        try:
            counts = load_sample().counts
        except NotEmptyError:
            return False
        self._tell(f"Sample loaded: {counts['nft']:,} NFTs, {counts['transfer']:,} transfers", started)
        return True

    def _cache(self, missing: int, is_over: Callable[[], bool], has_bar: bool) -> None:
        started = time.monotonic()
        with tqdm(total=missing, desc="Images", disable=not has_bar, leave=False) as bar:
            is_whole = images.cache_images(bar.update, is_over)
        if is_whole:
            self._tell(f"Images cached: {missing:,}, each in three sizes", started)

    def _tell(self, step: str, started: float) -> None:
        self.stdout.write(f"{step} ({time.monotonic() - started:.1f} s).")
