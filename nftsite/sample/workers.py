"""Draws images in processes of their own. Those import this module, so it knows no models: Django is not set up."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from media.renditions import Renditions, render
from nftsite.sample.drawing import image_of

FEW = 40
"""Up to so many images are drawn in this process; more are worth the start of others."""


def drawn(urls: list[str]) -> Iterator[Renditions]:
    """Yield the images at some of the sample's addresses, in all sizes and in that order."""
    if len(urls) <= FEW:
        yield from map(_draw, urls)
        return
    # Fresh processes, which hold no connection to the database of this one.
    context = multiprocessing.get_context("spawn")
    workers = min(os.cpu_count() or 1, 4)
    try:
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_with_parent)
    except (OSError, ImportError, NotImplementedError):  # no semaphores here: a jail, some containers
        yield from map(_draw, urls)
        return
    with pool:
        try:
            yield from pool.map(_draw, urls, chunksize=10)
        finally:  # also when the caller stops half way
            pool.shutdown(wait=False, cancel_futures=True)


def _draw(url: str) -> Renditions:
    return render(image_of(url))


def _leave_with_parent() -> None:
    """Leave Ctrl-C to the parent, and end when it does: one that was killed tells nobody."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
