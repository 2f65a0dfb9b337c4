"""`manage.py load_sample`: loads the bundled sample, with its images, into an empty database."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from nftsite.sample.loading import NotEmptyError, draw_images, load_sample, missing_images

REFUSAL = "The database holds data already; the sample is loaded into an empty one only."


class Command(BaseCommand):
    """Loads the sample; run again after a kill, it completes what is missing of it."""

    help = "Load the bundled sample of 1,500 NFTs, with images, into an empty database."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the two conditions."""
        parser.add_argument(
            "--if-empty",
            action="store_true",
            help="a database that holds data is no fault: leave it as it is",
        )
        parser.add_argument(
            "--if-default", action="store_true", help="do nothing when DATABASE_URL is set, here or in .env"
        )

    def handle(self, *args: Any, if_empty: bool, if_default: bool, **options: Any) -> None:
        """Load, draw, and tell each step in a line. Exits with 1 when the database holds something else."""
        if if_default and os.environ.get("DATABASE_URL", "").strip():  # the settings have read .env into it
            return
        try:
            loaded = self._load()
            images = missing_images()
            if images:
                self._draw(images)
        except KeyboardInterrupt:
            raise CommandError("Stopped; the next run completes it.", returncode=130) from None
        if not loaded and not images and not if_empty:
            raise CommandError(REFUSAL)

    def _load(self) -> bool:
        started = time.monotonic()
        try:
            counts = load_sample().counts
        except NotEmptyError:
            return False
        self._tell(f"Sample loaded: {counts['nft']:,} NFTs, {counts['transfer']:,} transfers", started)
        return True

    def _draw(self, images: list[Any]) -> None:
        started = time.monotonic()
        with tqdm(total=len(images), desc="Drawing", disable=not sys.stderr.isatty(), leave=False) as bar:
            draw_images(images, bar.update)
        self._tell(f"Images drawn: {len(images):,}, each in three sizes", started)

    def _tell(self, step: str, started: float) -> None:
        self.stdout.write(f"{step} ({time.monotonic() - started:.1f} s).")
