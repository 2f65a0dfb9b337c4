"""Why a document could not be had."""

from __future__ import annotations

import enum


class FetchKind(enum.Enum):
    """What follows from a failure."""

    UNREACHABLE = "nobody answers now: later"
    MISSING = "the server says that it is not there: perhaps later"
    GONE = "the server says that it will not be there again"
    REFUSED = "it is not asked for: a forbidden scheme, address, port or redirect"
    TOO_LARGE = "it has more bytes than are taken"
    UNUSABLE = "the URI or the answer cannot be made out"


class FetchError(Exception):
    """A URI that gave no document. `reason` is for operators, and shows no more of a URL than scheme, host and port.

    `retry_after` is in seconds, where a server said when to come again.
    """

    def __init__(self, reason: str, kind: FetchKind, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.retry_after = retry_after
