"""Whether a replica of PostgreSQL is behind, and by how much at most: the proof, without a connection or a clock.

The primary is asked for its *place*, how far its log is on disk, and a replica how far it has replayed that log. All
that was committed when the primary was asked lies before the primary's place. So a replica that has replayed up to that
place shows everything that was committed at that moment: it is as fresh as the newest moment whose place it has passed.
Moments are the asking process's own, so that no two clocks have to agree. In particular:

- **Nothing is written.** The primary's place stands still, and a replica that is there is as fresh as the last
  question. (The age of the last transaction that it replayed says hours, and means nothing.)
- **It is stopped, paused, or hears nothing of the primary.** The primary's places pass it, and its moment stands still.
  (It has replayed all that it received, so that comparing these two would call it current.) Until something is
  committed on the primary, it *is* current.
- **The primary does not answer.** There are no new places, so that every replica's moment stands still, and it is no
  longer read when that is too long ago: what a primary commits that cannot be heard, nobody can tell.
- **The primary has changed.** A new one's log is another *timeline*, and places on two of them cannot be compared: the
  old ones are forgotten. A server that is ahead of the primary, asked after it, or that follows another timeline, has a
  past that the primary has not: a replica that received what was lost, or a former primary that does not know yet. On
  which timeline a replica is told only to roles that may read statistics (`pg_read_all_stats`); a former primary, which
  takes itself for one, always tells.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

QUESTION = """
SELECT pg_is_in_recovery(),
    CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')
         ELSE pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') END::bigint,
    CASE WHEN pg_is_in_recovery() THEN (SELECT received_tli FROM pg_stat_wal_receiver)
         ELSE ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int END
"""
"""What a server is asked, primary or replica; its row is a :class:`Told`."""


class Told(NamedTuple):
    """What a server says of itself: whether it replays another's log, its place in the log in bytes, its timeline."""

    is_replica: bool
    place: int | None
    timeline: int | None = None


class Proofs:
    """Places of the primary over the last ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._places: deque[tuple[float, int]] = deque()
        self._timeline = 0
        self._followed: dict[str, int] = {}
        """Timelines of servers, as last told."""

    def primary(self, asked_at: float, told: Told | None) -> None:
        """Note what the primary answered to a question that was asked at a moment; ``None``: nothing."""
        if told is not None and not told.is_replica and told.place is not None:
            timeline = told.timeline or 0
            if timeline < self._timeline:
                return  # a former one
            if timeline > self._timeline:
                self._timeline = timeline
                self._places.clear()
            self._places.append((asked_at, told.place))
        while len(self._places) > 1 and self._places[0][0] < asked_at - self._seconds:
            self._places.popleft()

    def moment(self, alias: str, told: Told | None, after: Told | None) -> float | None:
        """Return the moment of which a server's data is at least; ``None`` where nothing is proven.

        ``after`` is what the primary answers when it is asked after that server.
        """
        if told is None or told.place is None:
            return None
        if told.timeline is not None:
            self._followed[alias] = told.timeline
        if self._followed.get(alias, self._timeline) != self._timeline:
            return None
        if after is not None and after.place is not None and told.place > after.place:
            return None
        return next((at for at, place in reversed(self._places) if place <= told.place), None)
