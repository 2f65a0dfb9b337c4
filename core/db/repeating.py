"""Commands that do their work once, or again and again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection

from core.stopping import stopped_by_signals

logger = logging.getLogger(__name__)


def repeat(work: Callable[[threading.Event], object], pause: float | None) -> None:
    """Do work once, or again ``pause`` seconds after each end, until Ctrl-C or SIGTERM sets the event that it gets.

    A database that does not answer ends what is done once; else it is waited for.
    """
    stop = threading.Event()
    with stopped_by_signals(stop):
        while not stop.is_set():
            try:
                work(stop)
            except (OperationalError, InterfaceError) as fault:
                if pause is None:
                    raise
                logger.warning("The database does not answer: %s", fault)
                connection.close()
            if pause is None:
                return
            stop.wait(pause)
