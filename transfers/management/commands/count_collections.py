"""`manage.py count_collections`: the figures of collections that people see on their pages."""

from __future__ import annotations

import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from core.db.repeating import repeat
from transfers.figures.counting import sweep

PAUSE = 60
"""Seconds between sweeps."""


class Command(BaseCommand):
    """Counts what has changed, once or again and again; may be killed and repeated at any moment."""

    help = (
        "Count the owners, sales and rarity of the collections that have changed since they were last "
        "counted, for the pages of collections. `load` does so when it ends."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take whether to go on, and whether all are meant."""
        parser.add_argument("--follow", action="store_true", help=f"again {PAUSE} seconds after each end")
        parser.add_argument("--all", action="store_true", help="also those that have not changed")

    def handle(self, *args: Any, **options: Any) -> None:
        """Count; Ctrl-C and SIGTERM end it after the collection it is at."""
        wanted = iter([options["all"]])  # all of them the first time only

        def count(stop: threading.Event) -> None:
            done = sweep(everything=next(wanted, False), stopped=stop.is_set)
            if options["verbosity"] > 0 and (done or not options["follow"]):
                self.stdout.write(f"{done:,} collection(s) counted.")

        repeat(count, PAUSE if options["follow"] else None)
