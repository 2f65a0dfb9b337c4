"""Cursors: opaque, URL-safe, signed without a time stamp, bound to the query they came from."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from django.core.signing import BadSignature, Signer

FOREIGN = (
    "This cursor belongs to another query. Repeat the filters and the sortBy of the request that gave it; "
    "only limit and includeLastTransfer may change between pages."
)
"""What is said of a cursor that came with other filters, another order or another operation."""

_VERSION = 1
_SALT = "nftsite.rest.cursors"  # as it was when the first cursors were given out, which stay valid

PositionPart = str | int | float
Position = tuple[PositionPart, ...]
"""Where a walk stands: the sort key of the last item served and what makes it unique."""


class CursorInvalid(ValueError):  # noqa: N818 - the name is that of the error's code
    """The text is no cursor that this service made."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the walk of one query.

    ``fingerprint`` is the digest of the normalised filters; ``served`` counts the items before this place.
    """

    operation: str
    order: str
    fingerprint: str
    served: int
    position: Position


def encode(cursor: Cursor) -> str:
    """Return the cursor as text: the same place gives the same bytes."""
    parts = [_VERSION, cursor.operation, cursor.order, cursor.fingerprint, cursor.served, *cursor.position]
    payload = json.dumps(parts, separators=(",", ":"), ensure_ascii=True).encode()
    return _signer().sign(base64.urlsafe_b64encode(payload).decode().rstrip("="))


def decode(text: str) -> Cursor:
    """Return the cursor of its text. Raises :class:`CursorInvalid` when the text was not made by :func:`encode`."""
    try:
        payload = _signer().unsign(text)
        version, operation, order, fingerprint, served, *position = json.loads(
            base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        )
    except (BadSignature, binascii.Error, ValueError) as error:
        raise CursorInvalid("not a cursor of this service") from error
    if version != _VERSION:
        raise CursorInvalid("a cursor of another version")
    return Cursor(operation, order, fingerprint, served, tuple(position))


def _signer() -> Signer:
    return Signer(sep=".", salt=_SALT)
