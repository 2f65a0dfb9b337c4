"""The `pageKey` of a page: a signed place in the walk of one query, as the service's own cursors are."""

from __future__ import annotations

from rest_framework.exceptions import ErrorDetail, ValidationError

from compat.filters import Asked
from core.rest.cursors import Cursor, Position, encode


def start_of(method: str, chain: str, asked: Asked) -> Position | None:
    """Return where a page starts: behind this place; ``None``: at the beginning.

    Raises ``ValidationError`` (``cursor_mismatch``) for a key of another method, chain or query.
    """
    key = asked.page_key
    if key is None:
        return None
    if (key.operation, key.order, key.fingerprint) != (method, chain, asked.fingerprint()):
        text = "This pageKey belongs to another query: repeat the parameters of the request that gave it."
        raise ValidationError({"pageKey": [ErrorDetail(text, code="cursor_mismatch")]})
    return key.position


def key_of(method: str, chain: str, asked: Asked, position: Position) -> str:
    """Return the key of the page behind a place."""
    return encode(Cursor(method, chain, asked.fingerprint(), 0, position))
