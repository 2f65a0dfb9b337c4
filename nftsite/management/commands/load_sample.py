"""`manage.py load_sample`: loads the bundled sample into an empty database, and caches its images."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.stopping import stopped_by_signals
from nftsite.sample.images import cache_images
from nftsite.sample.loading import NotEmptyError, load_sample
from transfers.figures.counting import sweep

REFUSAL = "The database holds data already; the sample is loaded into an empty one only."


class Command(BaseCommand):
    """Loads the sample, or caches its images. Either may be killed and run again."""

    help = "Load the bundled sample of 300 NFTs into an empty database."
    requires_system_checks = []  # as with `migrate`: the service itself does not start where one fails

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what comes before it, the conditions, and whether the images are meant."""
        parser.add_argument("--migrate", action="store_true", help="migrate the database before, in any case")
        parser.add_argument(
            "--if-empty",
            action="store_true",
            help="a database that holds data is no fault: leave it as it is",
        )
        parser.add_argument(
            "--if-default", action="store_true", help="load nothing when DATABASE_URL is set, here or in .env"
        )
        parser.add_argument(
            "--images",
            action="store_true",
            help="cache the images of the sample that was loaded, and load nothing",
        )

    def handle(
        self, *args: Any, migrate: bool, if_empty: bool, if_default: bool, images: bool, **options: Any
    ) -> None:
        """Do so, and tell in a line what was done. Exits with 1 when the database holds something else."""
        if migrate:
            call_command("migrate", verbosity=0)
        if if_default and os.environ.get("DATABASE_URL", "").strip():  # the settings have read .env into it
            return
        started = time.monotonic()
        try:
            told = self._cache() if images else self._load()
        except NotEmptyError:
            if if_empty:
                return
            raise CommandError(REFUSAL) from None
        if told:
            self.stdout.write(f"{told} ({time.monotonic() - started:.1f} s).")

    def _load(self) -> str:
        counts = load_sample().counts
        sweep()
        return f"Sample loaded: {counts['nft']:,} NFTs, {counts['transfer']:,} transfers"

    def _cache(self) -> str:
        stop = threading.Event()
        with stopped_by_signals(stop):
            count = cache_images(stop)
        if count:
            sweep(everything=True)  # collections have pictures now
        return f"Images cached: {count:,}, each in three sizes" if count else ""
