"""What an attempt to read an NFT's metadata found, and when it is tried again. Pure.

================ ================================================ ==========================================
state            because                                          tried again
================ ================================================ ==========================================
READY            the document was read                            after ``METADATA_MAX_AGE_DAYS``
UNREVEALED       the URI is empty, nothing is there yet (404), or  after 10 minutes, then 20, … to a day; after
                 what is there says so                            two weeks of days, 2 days, then 4, … to
                                                                  ``METADATA_MAX_AGE_DAYS``
UNUSABLE         what came is no metadata (an error's message, a  after 1 minute, then 2, … to a day; after two
                 page for browsers), or was refused               weeks as above
ABSENT           the contract knows no such token                 on request, or when it is transferred
UNREACHABLE      a server or gateway does not answer              after 1 minute, then 2, … to a day; after
                                                                  24 attempts, about 14 days, it is GONE
UNREACHABLE      a server was not asked, as it did not answer     when it may be asked; it is no attempt
                 others a moment ago
UNREACHABLE      the operator's own node does not, or is missing  after 1 minute, then 2, … to an hour, always
GONE             the service itself failed at it (see its log)    after ``METADATA_MAX_AGE_DAYS``
GONE             410, too large, an unusable URI, no tokenURI     on request
================ ================================================ ==========================================
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.db.leases import pause
from core.db.texts import storable
from core.net.http.fetch import FetchError, FetchKind
from tokens.metadata.judging import Lack, UnusableDocumentError
from tokens.models import MetadataFetch

State = MetadataFetch.State

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
FIRST_WAIT = {State.UNREACHABLE: MINUTE, State.UNUSABLE: MINUTE, State.UNREVEALED: 10 * MINUTE}
"""Seconds before the second attempt; before each further one twice as long, up to a day."""

DAILY_ATTEMPTS = {State.UNREVEALED: 22, State.UNUSABLE: 24}
"""After which it is tried less than daily: eight or eleven attempts within a day and a half, then one a day, come to
two weeks."""

LAST_ATTEMPT = 24
"""Of a server that does not answer: eleven attempts within a day and a half, then one a day, come to 14 days."""

FIRST_DAILY = 12
"""Attempt after which the next one is a day later, whatever the state."""

FIRST_HOURLY = 7
"""Attempt after which the operator's own node is asked every hour: more are not counted, as nobody gives up."""

MAX_FAULT = 500
"""Characters kept of a reason: some of it is a stranger's."""

_STATES = {
    FetchKind.UNREACHABLE: State.UNREACHABLE,
    FetchKind.MISSING: State.UNREVEALED,
    FetchKind.GONE: State.GONE,
    FetchKind.REFUSED: State.UNUSABLE,
    FetchKind.TOO_LARGE: State.GONE,
    FetchKind.UNUSABLE: State.UNUSABLE,
}
"""One odd answer makes the failures that are UNUSABLE: a redirect too many, an address that is not public, HTTP 400."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an attempt found, and why it found no document.

    ``retry_after``: seconds for which the other side asked to be left alone. ``is_ours``: what failed is the
    operator's own, a node or a setting, so that nothing is known of the token and nobody gives up. ``was_asked``: not
    so of a server that was passed over. ``may_pass``: it is GONE by what was fetched, or by a fault of the service, and
    another day may tell else.
    """

    state: State
    reason: str = ""
    retry_after: float | None = None
    is_ours: bool = False
    was_asked: bool = True
    may_pass: bool = False


@dataclass(frozen=True, slots=True)
class Next:
    """What the row of an NFT says after an attempt (see ``MetadataFetch``)."""

    state: State
    fault: str
    attempts: int
    next_attempt_at: datetime | None


READ = Verdict(State.READY)


def of_error(error: FetchError) -> Verdict:
    """Return what a failed fetch means. A document that is not there (404) may be put there when it is revealed."""
    return Verdict(_STATES[error.kind], error.reason, error.retry_after)


def no_metadata(fault: UnusableDocumentError) -> Verdict:
    """Return the verdict on a document that was fetched and is no metadata."""
    return Verdict(State.UNREVEALED if fault.lack is Lack.UNREVEALED else State.UNUSABLE, str(fault))


def passed_over(place: str, seconds: float) -> Verdict:
    """Return the verdict on a document whose place is left alone for some seconds yet."""
    return Verdict(State.UNREACHABLE, f"{place} did not answer a moment ago.", seconds, was_asked=False)


def unusable(reason: str) -> Verdict:
    """Return the verdict on a URI of no use."""
    return Verdict(State.GONE, reason)


def broken(doing: str, fault: Exception) -> Verdict:
    """Return the verdict on what the service itself failed at, be it by what strangers wrote; ``doing`` says how."""
    return Verdict(State.GONE, f"{doing} ({type(fault).__name__}); the log says more.", may_pass=True)


def after(verdict: Verdict, attempts: int, now: datetime, max_age_days: int, share: float) -> Next:
    """Return how the row of an NFT goes on.

    ``attempts`` in a row, this one included, have not ended in a document. ``max_age_days``: when what was read is
    read again; 0: never. ``share``, drawn from 0 to 1, keeps those apart that failed or were read together: waits
    are 75 to 125 % of what they are said to be, ages 90 to 110 %.
    """
    state, fault = verdict.state, storable(verdict.reason[:MAX_FAULT])
    aged = now + timedelta(days=max_age_days * (0.9 + 0.2 * share)) if max_age_days else None
    if state == State.READY:
        return Next(state, "", 0, aged)
    if not verdict.was_asked:
        attempts -= 1
    elif verdict.is_ours:
        attempts = min(attempts, FIRST_HOURLY)
    elif state == State.UNREACHABLE and attempts >= LAST_ATTEMPT:
        state, fault = State.GONE, f"Given up after {attempts} attempts, the last: {fault}"[:MAX_FAULT]
    if state not in FIRST_WAIT:
        return Next(state, fault, attempts, aged if verdict.may_pass else None)
    asked_for = timedelta(seconds=min(verdict.retry_after or 0.0, DAY))
    return Next(state, fault, attempts, now + max(_wait(verdict, attempts, max_age_days, share), asked_for))


def _wait(verdict: Verdict, attempts: int, max_age_days: int, share: float) -> timedelta:
    if not verdict.was_asked:
        return pause(1, first=MINUTE, times=2, longest=MINUTE, luck=share)
    beyond = attempts - DAILY_ATTEMPTS.get(verdict.state, attempts)
    if beyond > 0:
        longest = DAY * max(max_age_days, 1)
        return pause(beyond, first=2 * DAY, times=2, longest=longest, luck=share)
    longest = HOUR if verdict.is_ours else DAY
    return pause(attempts, first=FIRST_WAIT[verdict.state], times=2, longest=longest, luck=share)
