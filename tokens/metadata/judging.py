"""What counts as metadata, and why something does not: decided here alone, for documents from wherever. Pure.

A document has to name, show, describe or list something (traits). A failure that arrives as a good answer does not: an
error's message, a page for browsers, an object of nothing but blanks. What says that its NFT is not revealed yet is
told apart, since it is no failure.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from typing import Any

from tokens.metadata.places import Place


class Lack(StrEnum):
    """Why a body is no metadata; the value is what operators read."""

    EMPTY = "The document is empty."
    HTML = "It is an HTML page, not metadata."
    OTHER = "It is something else, such as a text, a number or a list of several objects."
    BROKEN = "It is not JSON."
    MEDIUM = "It is a medium, and its own address leads nowhere."
    ERROR = "It is an error's message, not metadata."
    UNREVEALED = "It says that the NFT is not revealed yet."
    NOTHING = "It names, shows, describes and lists nothing."


class UnusableDocumentError(ValueError):
    """Why a body tells nothing about an NFT, as a sentence for operators; ``lack`` is the kind of it."""

    def __init__(self, lack: Lack, reason: str = "") -> None:
        super().__init__(reason or lack.value)
        self.lack = lack


_SHOWING = ("imageUrl", "mediaUrl", "traits")

_ERRORS = ("error", "errors", "err", "exception")
_NO_ERRORS = ("false", "none", "null", "no", "ok", "0", "success")
_STATUSES = ("status", "statuscode", "httpstatus", "httpstatuscode", "httpcode", "errorcode", "errcode")
_MESSAGES = ("message", "msg", "errormessage", "errormsg", "detail", "details", "reason", "errordescription")
_SUCCESS = ("success", "ok", "succeeded")
_FAILED = re.compile(r"\s*(?:fail|failed|failure|\w*error|\w*exception)\s*", re.IGNORECASE)
_PROBLEM_TYPE = re.compile(r"about:blank|//(?:tools|www|datatracker)\.(?:ietf|rfc-editor)\.org/|//httpstatus")
"""What RFC 9457 has for the type of a problem, and frameworks that follow it."""
_REVEALED = ("revealed", "isrevealed")
_STATUS = re.compile(r"\s*[45][0-9]{2}(?![0-9.])", re.ASCII)
_NOT_REVEALED = re.compile(
    r"reveal|coming soon|hidden|mystery|stay tuned|too early|"
    r"not (?:yet |been )*(?:available|ready|generated|published|released|uploaded|live|open)\b|"
    r"not (?:yet |been )*(?:available|ready|minted) yet",
    re.IGNORECASE,
)
_VALUES = 300
_TEXT = 1_000
"""JSON values of a document, and characters of each, in which a message is looked for."""


def is_metadata(fields: Mapping[str, Any], places: Iterable[Place]) -> bool:
    """Tell whether what was read of a document is metadata; see :func:`tokens.metadata.normalise.normalise`.

    ``places``: the objects that it was read from, and the one around them. An error may have a name and a description
    of its own (``NotFoundError``; RFC 9457's ``title``), but it shows and lists nothing.
    """
    if any(fields.get(name) for name in _SHOWING):
        return True
    return bool(fields) and not any(map(_is_error, places))


def lack_of(document: Any) -> Lack:
    """Return why a JSON value that is no metadata is none."""
    if any(map(_says_not_revealed, _texts(document))) or _is_flagged(document):
        return Lack.UNREVEALED
    if not isinstance(document, dict):
        return Lack.OTHER
    place = Place(document)
    return Lack.ERROR if _is_error(place) or place.has(*_ERRORS, *_MESSAGES) else Lack.NOTHING


def _is_error(place: Place) -> bool:
    """Tell whether an object says of itself that something failed."""
    if any(map(_is_failure, place.values(*_ERRORS))):
        return True
    if any(value is False or value == "false" for value in place.values(*_SUCCESS)):
        return True
    if any(map(_is_failed_status, place.values(*_STATUSES))):
        return True
    if any(isinstance(kind, str) and _PROBLEM_TYPE.search(kind[:_TEXT]) for kind in place.values("type")):
        return True
    states = place.values("code", "status", "state", "result", "name", "title")
    return place.has(*_MESSAGES, "stack") and any(map(_is_failed_state, states))


def _is_failed_state(value: Any) -> bool:
    """Tell whether a value beside a message says that something failed: a status, a word, or an exception's name."""
    return _is_failed_status(value) or (
        isinstance(value, str) and _FAILED.fullmatch(value[:_TEXT]) is not None
    )


def _is_failure(value: Any) -> bool:
    return value.strip().lower() not in ("", *_NO_ERRORS) if isinstance(value, str) else bool(value)


def _is_failed_status(value: Any) -> bool:
    """Tell whether a value is an HTTP status of failure (RFC 9110, 15.5 and 15.6), be it with its phrase."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    return _STATUS.match(value[:20] if isinstance(value, str) else str(value)[:20]) is not None


def _says_not_revealed(text: str) -> bool:
    return _NOT_REVEALED.search(text[:_TEXT]) is not None


def _is_flagged(document: Any) -> bool:
    return isinstance(document, dict) and any(value is False for value in Place(document).values(*_REVEALED))


def _texts(document: Any) -> Iterator[str]:
    """Yield the texts within a JSON value, the outer ones first, as far as they are looked at."""
    waiting = deque([document])
    for _ in range(_VALUES):
        if not waiting:
            return
        value = waiting.popleft()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            waiting += islice(value.values() if isinstance(value, dict) else value, _VALUES)
