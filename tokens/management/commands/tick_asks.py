"""`manage.py tick_asks`: have the order of asks follow the prices that change with time."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import InterfaceError, OperationalError, connection

from core.stopping import stopped_by_signals
from tokens.store import ticks

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Brings stored prices to the moment, once or again and again; may be killed at any moment."""

    help = (
        "Bring the stored prices of asks whose price changes with time to this moment, so that orders by asks follow. "
        "`index --follow` does so itself; this is for a database that no indexer keeps."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take whether to go on."""
        parser.add_argument("--follow", action="store_true", help=f"again every {ticks.EVERY} seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        """Tick; Ctrl-C and SIGTERM end it."""
        stop = threading.Event()
        with stopped_by_signals(stop):
            while not stop.is_set():
                try:
                    self._tick(quiet=options["verbosity"] == 0)
                except (OperationalError, InterfaceError) as fault:
                    if not options["follow"]:
                        raise
                    logger.warning("The database does not answer: %s", fault)
                    connection.close()
                if not options["follow"]:
                    return
                stop.wait(ticks.EVERY)

    def _tick(self, *, quiet: bool) -> None:
        changed = ticks.tick(int(time.time()))
        if changed and not quiet:
            self.stdout.write(f"{changed:,} ask(s) have another price.")
