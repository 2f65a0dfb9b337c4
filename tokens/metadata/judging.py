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
from http import HTTPStatus
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

_ERRORS = (
    *("error", "errors", "err", "exception", "fault", "iserror", "haserror", "failed"),
    *("errormessage", "errormsg", "errordescription", "errorcode", "errcode", "errortype", "errno"),
)
_NO_ERRORS = ("false", "none", "null", "no", "ok", "0", "success", "n/a", "na", "nil", "undefined", "-")
_STATUSES = ("status", "statuscode", "httpstatus", "httpstatuscode", "httpcode", "errorcode", "errcode")
_MESSAGES = ("message", "msg", "errormessage", "errormsg", "detail", "details", "reason", "errordescription")
_SUCCESS = ("success", "ok", "succeeded")
_NO_SUCCESS = ("false", "no", "0", "fail", "failed")
_STATES = ("code", "status", "state", "result", "kind", "type")
_FAILED = re.compile(
    r"\s*(?:fail|failed|failure|no(?:t?[_ -]?o)?k|ko|(?:\w+[_ -])?error|\w*exception)\s*|"
    r"\w*(?:rate[_-]?limit|too[_-]?many[_-]?requests|throttl|not[_-]?found|unauthori[sz]ed|forbidden|access[_-]?denied|"
    r"time[d_-]{0,2}out|unavailable)\w*",
    re.IGNORECASE,
)
"""What stands for a failure in place of a status: a word, or an error's code."""
_EXCEPTION = re.compile(r"(?:[A-Z]\w*)?(?:Error|Exception)")
"""The name of an error, as languages write it."""
_PHRASES = "|".join(re.escape(status.phrase) for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST)
_STATUS_LINE = re.compile(rf"\W*(?:HTTP/[0-9.]+ |error )?[45][0-9]{{2}}\W+(?:{_PHRASES}).*", re.IGNORECASE)
_REFUSAL = re.compile(
    rf"(?=\S+[ -])(?:error:? )?(?:{_PHRASES})(?:[:;,.].{{0,80}})?|"
    r".{0,40}\b(?:rate[ -]?limit (?:exceeded|reached)|rate[ -]?limited|exceeded your quota|quota exceeded|timed out)"
    r"(?:[ :;,.].{0,80})?",
    re.IGNORECASE,
)
_FAILING = re.compile(
    rf"(?:{_PHRASES})|.{{0,40}}\b(?:rate[ -]?limit(?:s|ing)?|throttled|access denied)\b.{{0,80}}|"
    r"(?:internal |unknown |unexpected |server )?error|fail(?:ed|ure)?",
    re.IGNORECASE,
)
"""Messages of servers that refuse a request, and those that are such a message only where a message stands."""
_PROBLEM_TYPE = re.compile(r"about:blank|//(?:tools|www|datatracker)\.(?:ietf|rfc-editor)\.org/|//httpstatus")
"""What RFC 9457 has for the type of a problem, and frameworks that follow it."""
_REVEALED = ("revealed", "isrevealed")
_HIDDEN = ("hidden", "ishidden", "unrevealed", "isunrevealed")
_STATUS = re.compile(r"\s*[45][0-9]{2}(?:\.0*)?\s*", re.ASCII)
_NOT_REVEALED = re.compile(
    r"reveal|coming soon|hidden|mystery|stay tuned|too early|"
    r"not (?:yet |been )*(?:available|ready|generated|published|released|uploaded|live|open)\b|"
    r"not (?:yet |been )*(?:available|ready|minted) yet|not (?:yet )?(?:started|begun)\b",
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
    texts = [text for name in ("name", "description") if (text := fields.get(name))]
    return bool(texts) and not all(map(_is_refusal, texts)) and not any(map(_is_error, places))


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
    if any(map(_is_failure, place.values(*_ERRORS))) or any(map(_is_no_success, place.values(*_SUCCESS))):
        return True
    if any(map(_is_failed_status, place.values(*_STATUSES))):
        return True
    if any(map(_is_failed_inner, place.objects("status", "meta"))):
        return True
    if any(isinstance(kind, str) and _PROBLEM_TYPE.search(kind[:_TEXT]) for kind in place.values("type")):
        return True
    if any(map(_is_failing, place.values(*_MESSAGES))):
        return True
    has_message = place.has(*_MESSAGES, "stack", "trace")
    if has_message and any(map(_is_exception, place.values("name", "title"))):
        return True
    # What is called something may well have a code or a state.
    is_told_so = has_message or not place.has("name")
    return is_told_so and any(map(_is_failed_state, place.values(*_STATES)))


def _is_failed_inner(place: Place) -> bool:
    return any(map(_is_failed_status, place.values("code", *_STATUSES))) or any(
        map(_is_failure, place.values(*_ERRORS))
    )


def _is_failed_state(value: Any) -> bool:
    """Tell whether a value says that something failed: a status, a word or an error's code."""
    return _is_failed_status(value) or (
        isinstance(value, str) and _FAILED.fullmatch(value[:_TEXT]) is not None
    )


def _is_exception(value: Any) -> bool:
    text = value.strip()[:_TEXT] if isinstance(value, str) else ""
    return _EXCEPTION.fullmatch(text) is not None or _is_refusal(text)


def _is_refusal(text: str) -> bool:
    """Tell whether a text is a server's answer to a request that it refuses, wherever it stands."""
    told = text.strip()[:_TEXT].rstrip(".! ")
    return (_REFUSAL.fullmatch(told) or _STATUS_LINE.fullmatch(told)) is not None


def _is_failing(message: Any) -> bool:
    """Tell whether a message is that of a server which does not do what it was asked for."""
    if not isinstance(message, str):
        return False
    return _is_refusal(message) or _FAILING.fullmatch(message.strip()[:_TEXT].rstrip(".! ")) is not None


def _is_failure(value: Any) -> bool:
    return value.strip().lower() not in ("", *_NO_ERRORS) if isinstance(value, str) else bool(value)


def _is_no_success(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _NO_SUCCESS
    return isinstance(value, int | float) and not value


def _is_failed_status(value: Any) -> bool:
    """Tell whether a value is an HTTP status of failure (RFC 9110, 15.5 and 15.6), be it with its phrase."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    text = value[:_TEXT] if isinstance(value, str) else str(value)[:20]
    return (_STATUS.fullmatch(text) or _STATUS_LINE.fullmatch(text)) is not None


def _says_not_revealed(text: str) -> bool:
    return _NOT_REVEALED.search(text[:_TEXT]) is not None


def _is_flagged(document: Any) -> bool:
    """Tell whether an object, or one within it, has a flag that says so."""
    if not isinstance(document, dict):
        return False
    places = [Place(one) for one in (document, *islice(document.values(), _VALUES)) if isinstance(one, dict)]
    return any(map(_is_no_success, (value for place in places for value in place.values(*_REVEALED)))) or any(
        value is True for place in places for value in place.values(*_HIDDEN)
    )


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
