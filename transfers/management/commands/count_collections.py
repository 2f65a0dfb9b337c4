"""`manage.py count_collections`: the figures of collections that people see on their pages."""

from __future__ import annotations

import logging
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import InterfaceError, OperationalError, connection

from core.stopping import stopped_by_signals
from transfers.figures.counting import sweep

logger = logging.getLogger(__name__)
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
        stop, everything = threading.Event(), options["all"]
        with stopped_by_signals(stop):
            while not stop.is_set():
                try:
                    done = sweep(everything=everything, stopped=stop.is_set)
                    if options["verbosity"] > 0 and (done or not options["follow"]):
                        self.stdout.write(f"{done:,} collection(s) counted.")
                except (OperationalError, InterfaceError) as fault:
                    if not options["follow"]:
                        raise
                    logger.warning("The database does not answer: %s", fault)
                    connection.close()
                if not options["follow"]:
                    return
                everything = False
                stop.wait(PAUSE)
