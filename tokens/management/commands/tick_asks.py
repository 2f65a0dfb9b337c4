"""`manage.py tick_asks`: have the order of asks follow the prices that change with time."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from core.db.repeating import repeat
from tokens.store import ticks


class Command(BaseCommand):
    """Brings stored prices to the moment, once or again and again; may be killed at any moment."""

    help = (
        "Bring the stored prices of asks whose price changes with time to this moment, so that orders by asks follow. "
        "`index --follow` does so itself; this is for a database that no indexer keeps."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--follow", action="store_true", help=f"again every {ticks.EVERY} seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        """Tick; Ctrl-C and SIGTERM end it."""

        def tick(_: object) -> None:
            changed = ticks.tick(int(time.time()))
            if changed and options["verbosity"] > 0:
                self.stdout.write(f"{changed:,} ask(s) have another price.")

        repeat(tick, ticks.EVERY if options["follow"] else None)
