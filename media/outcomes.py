"""What an attempt at an image comes to: its state, and when to try again. Pure."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from core.db.leases import pause
from core.net.http.fetch import FetchError, FetchKind
from media.models import CachedImage
from media.vetting import Verdict

State = CachedImage.State

FIRST_PAUSE = 60.0
"""Seconds after the first failure to reach a server."""
FIRST_PAUSE_MISSING = 600.0
"""Seconds after the first time that a server has no such image: it may come yet."""
LONGEST_PAUSE = 86_400.0
MOST_ATTEMPTS = 12
"""In a row, over about a week; then it is given up until an operator or changed metadata asks for it."""


class Outcome(NamedTuple):
    """State, the reason as a sentence for operators, and how long to wait (``None``: for good)."""

    state: State
    fault: str
    wait: timedelta | None


def of_fetch(error: FetchError, attempts: int, luck: float) -> Outcome:
    """Return the outcome of a failed fetch; ``attempts`` counts this one, ``luck`` is from 0 to 1."""
    reason = str(error)
    first = {FetchKind.UNREACHABLE: FIRST_PAUSE, FetchKind.MISSING: FIRST_PAUSE_MISSING}.get(error.kind)
    if first is None:
        return Outcome(State.FAILED, reason, None)
    if attempts >= MOST_ATTEMPTS:
        return Outcome(State.FAILED, f"Given up after {attempts} attempts. {reason}", None)
    wait = pause(attempts, first=first, times=4, longest=LONGEST_PAUSE, luck=luck)
    if error.retry_after is not None:
        wait = max(wait, timedelta(seconds=min(error.retry_after, LONGEST_PAUSE)))
    return Outcome(State.UNREACHABLE, reason, wait)


def of_defect(error: Exception, luck: float) -> Outcome:
    """Return the outcome of a failure of ours (a full disk, a bucket that is down), which says nothing of the image."""
    return Outcome(State.PENDING, f"The service failed at it: {error!r}", timedelta(seconds=300 * (1 + luck)))


def of_deaths(attempts: int) -> Outcome:
    """Return the outcome of an image that was begun so often and never ended: its workers died."""
    return Outcome(State.FAILED, f"{attempts - 1} workers ended while they were at it.", None)


def of_type(media_type: str) -> tuple[Outcome, Verdict | None]:
    """Return the outcome for an animation, whose first bytes are all that was looked at: its type ("": unknown)."""
    if not media_type:
        return Outcome(State.FAILED, "Its first bytes are of no type that is known.", None), None
    return Outcome(State.READY, "", None), Verdict(media_type)


def of_verdict(verdict: Verdict) -> Outcome:
    """Return the outcome of bytes: recognised video and sound is all that can be had of them, and the rest is an image.

    What is none is final: the same bytes would be none again.
    """
    if verdict.renditions is not None or verdict.media_type.startswith(("video/", "audio/")):
        return Outcome(State.READY, "", None)
    return Outcome(State.FAILED, verdict.fault, None)
