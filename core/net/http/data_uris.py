"""`data:` URIs (RFC 2397) as contracts write them, which is seldom as the RFC says."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import NamedTuple
from urllib.parse import quote_from_bytes

from core.net.http.charsets import as_utf_8, charset_in
from core.net.http.uri_errors import BadUriError

DEFAULT_MEDIA_TYPE = "text/plain"
"""What a `data:` URI without a type is (RFC 2397, section 2)."""

_HEAD = re.compile(r"\s*data:([^,{<]*)(,?)", re.IGNORECASE)
_NO_COMMA = re.compile(r"\s*data:([^,{<]{0,100}?;\s*base64)\s*([;:])(?=[A-Za-z0-9+/_-]{4})", re.IGNORECASE)
"""A head of base64 that ends in another mark than its comma."""
_MOST_HEADS = 4
"""Heads in a row of which the last one counts: contracts put one before what has one already."""
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+", re.IGNORECASE)
_BINARY = re.compile(r"(?:image|audio|video|font)/(?!svg|.*\+(?:xml|json)$)")
_ESCAPES = re.compile(rb"(?:%[0-9A-Fa-f]{2})+")
_ALPHABET = str.maketrans("-_", "+/", "= \t\r\n\f\v")
_MARKUP = ("{", "[", "<")
_PLAIN = "/:;=,+!$&()*?@~"
"""What may stand as it is in the text of a `data:` URI (RFC 2397, `urlchar`)."""


_STRIPPED = str.maketrans("", "", "\t\n\r")
_ENDS = "".join(map(chr, range(0x21)))


class Data(NamedTuple):
    """What a `data:` URI holds; `media_type` in lower case and without parameters."""

    media_type: str
    body: bytes


def is_data_uri(uri: str) -> bool:
    """Tell whether a text is meant as a `data:` URI."""
    return uri.lstrip()[:5].lower() == "data:"


def decode_data_uri(uri: str) -> Data:
    """Return what a `data:` URI holds.

    Base64 of either alphabet, with padding or without, percent-encoded or not, with white space; or text, in which
    `#` and `%` may stand for themselves. A document that is valid JSON only as long as its escapes are left alone
    (an image in it has escapes of its own) is left as it is; pictures, sound and fonts never are. A text that is no
    UTF-8, and no markup, which states its charset itself, becomes UTF-8 by the charset that the URI states. Raises
    `BadUriError` for what is no `data:` URI at all, has neither comma nor document, or is broken base64.
    """
    head = _HEAD.match(uri)
    if head is None:
        raise BadUriError("it is no data: URI")
    payload = uri[head.end() :]
    if not head[2] and (other := _NO_COMMA.match(uri)) is not None:
        head, payload = other, uri[other.end() :]
    for _ in range(_MOST_HEADS - 1):
        inner = _HEAD.match(payload)
        if inner is None or not head[1].rstrip().lower().endswith("base64"):
            break
        head, payload = inner, payload[inner.end() :]
    if not head[2] and not payload:
        raise BadUriError("its data: has no comma, and no document")
    kind, *parameters = (part.strip().lower() for part in head[1].split(";"))
    media_type = kind if _MEDIA_TYPE.fullmatch(kind) else DEFAULT_MEDIA_TYPE
    is_binary = _BINARY.match(media_type) is not None
    charset = "" if is_binary or "xml" in media_type else charset_in(head[1])
    # Some contracts say base64 and send the document as it is.
    if "base64" in (kind, *parameters) and not payload.lstrip().startswith(_MARKUP):
        return Data(media_type, as_utf_8(_base64(payload), charset))
    return Data(media_type, _text(payload, charset, is_binary=is_binary))


def _base64(payload: str) -> bytes:
    if "%" in payload:
        payload = _unescaped(payload.encode("utf-8", "replace")).decode("utf-8", "replace")
    digits = payload.translate(_ALPHABET)
    try:
        return base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise BadUriError("its base64 is broken") from None


def _text(payload: str, charset: str, *, is_binary: bool) -> bytes:
    raw = payload.encode("utf-8", "replace")
    if "%" not in payload:
        return raw
    decoded = as_utf_8(_unescaped(raw), charset)
    if is_binary:
        return decoded
    as_it_is = _is_utf_8(raw) and not _is_utf_8(decoded)
    if payload.lstrip()[:1] in ("{", "["):
        as_it_is = not _is_json(decoded) and _is_json(raw)
    return raw if as_it_is else decoded


def _unescaped(data: bytes) -> bytes:
    """Decode percent-escapes a run at a time: `unquote_to_bytes` takes seconds for megabytes of them."""
    return _ESCAPES.sub(lambda run: bytes.fromhex(run[0].replace(b"%", b"").decode()), data)


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def shown_data_uri(uri: str) -> str:
    """Return a `data:` URI that browsers read as :func:`decode_data_uri` does: the same one where they do already.

    A browser ends one at its first `#`, takes each `%` with two digits behind it for an escape, and wants base64 in its
    own alphabet (WHATWG Fetch, "data: URLs"). What cannot be decoded is returned as it is.
    """
    try:
        data = decode_data_uri(uri)
    except BadUriError:
        return uri
    head = _HEAD.match(uri)
    assert head is not None, "it was decoded"
    for whole in (uri, uri.replace("#", "%23")):
        if _as_browsers_read(whole, head) == data.body:
            return whole
    # Of the parameters nothing is left to say: a text is UTF-8.
    if _BINARY.match(data.media_type) or not _is_utf_8(data.body):
        return f"data:{data.media_type};base64,{base64.b64encode(data.body).decode()}"
    return f"data:{data.media_type},{quote_from_bytes(data.body, safe=_PLAIN)}"


def _as_browsers_read(uri: str, head: re.Match[str]) -> bytes | None:
    """Return what a browser takes for the body of a `data:` URI; `None` for what it does not load."""
    if not head[2]:
        return None
    payload = uri[head.end() :].strip(_ENDS).translate(_STRIPPED).partition("#")[0]
    body = _unescaped(payload.encode("utf-8", "replace"))
    if not head[1].rstrip().lower().endswith("base64"):
        return body
    digits = b"".join(body.split())
    try:
        return base64.b64decode(digits.rstrip(b"=") + b"=" * (-len(digits.rstrip(b"=")) % 4), validate=True)
    except binascii.Error:
        return None
