"""What cannot be taken yet, since a later line of the file may bring what it lacks: on disk, however much it is."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

_AT_ONCE = 500


class Entry(NamedTuple):
    """Something of a line that waits: under which key, the line's number, why it is bad if nothing comes, and what.

    ``counts_as``: the kind of record of which the line is one more once it is taken, if it has not been counted.
    """

    key: str
    number: int
    reason: str
    what: Any
    counts_as: str = ""


class Parked:
    """Entries by key. Whoever uses it is the only one at a time, in whatever thread."""

    def __init__(self) -> None:
        self._table: sqlite3.Connection | None = None

    def put(self, entry: Entry) -> None:
        if self._table is None:
            # SQLite keeps a database without a name on disk once it is large, and deletes it itself.
            self._table = sqlite3.connect("", check_same_thread=False, isolation_level=None)
            self._table.execute(
                "CREATE TABLE parked (key TEXT, number INTEGER, reason TEXT, what BLOB, counts_as TEXT)"
            )
            self._table.execute("CREATE INDEX by_key ON parked (key)")
        self._table.execute(
            "INSERT INTO parked VALUES (?, ?, ?, ?, ?)", entry._replace(what=pickle.dumps(entry.what))
        )

    def take(self, keys: Iterable[str]) -> list[Entry]:
        """Return the entries of some keys, and keep them no longer; in the order of their lines."""
        if self._table is None:
            return []
        wanted, found = sorted(set(keys)), []
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            among = f"key IN ({', '.join('?' * len(part))})"
            rows = self._table.execute(f"SELECT * FROM parked WHERE {among}", part).fetchall()  # noqa: S608
            if rows:
                self._table.execute(f"DELETE FROM parked WHERE {among}", part)  # noqa: S608
            # What is unpickled is what `put` has pickled.
            found += [Entry(a, b, c, pickle.loads(what), e) for a, b, c, what, e in rows]  # noqa: S301
        return sorted(found, key=lambda entry: entry.number)

    def rest(self) -> Iterable[tuple[int, str]]:
        """Yield number and reason of what is left, in the order of lines."""
        if self._table is not None:
            yield from self._table.execute(
                "SELECT DISTINCT number, reason FROM parked ORDER BY number, rowid"
            )

    def close(self) -> None:
        """Forget all."""
        if self._table is not None:
            self._table.close()
            self._table = None
