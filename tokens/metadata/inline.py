"""Documents and pictures that stand where their URIs should: they become `data:` URIs. Pure, linear."""

from __future__ import annotations

import base64
import binascii
import html
import re
from urllib.parse import unquote

from media.sniff import MARKUP_BYTES, SVG, media_type_of
from tokens.metadata import jsonish

_OUTER = " \t\r\n\f\v\0\ufeff\u00a0\u200b\u200c\u200d\u200e\u200f\u2060"
_JSON = "application/json"
_JSON_START = re.compile(
    r"(?:\s++|/\*(?:[^*]++|\*(?!/))*\*/|//[^\n]*+\n)*(?:\{\s*+(?:[\"'}/“”„‘’]|\w++\s*+:)|\[\s*+[\[{\"\]])",
    re.DOTALL,
)
"""How a document begins, past comments: neither a template (``{id}.json``) nor a host in brackets does."""
_JSON_STRING = re.compile(r'"(?:[^"\\]++|\\.)*"', re.DOTALL)
_ESCAPED_JSON = re.compile(r"[\[{]\s*+\\\"")
_ESCAPED = re.compile(r"(?:%(?:EF%BB%BF|20|09|0A|0D))*%(?:25)*(?:7B|5B|3C|22)", re.IGNORECASE)
_ENTITIES = re.compile(r"(?:&lt;|[\[{]\s*+&(?:quot|#0*+34|#x0*+22);)", re.IGNORECASE)
_NO_SCHEME = re.compile(
    r"(?:data[;/])?((?:application/(?:\w+\+)?json|image/[a-z+.-]+|text/plain)[^,\"<{]{0,100},|;base64,)|(base64,)",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"(?:ipfs|ar):/*(?:ipfs/)?", re.IGNORECASE)
"""A scheme of content: base64 is none."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}(?:=|%3[Dd]){0,2}", re.ASCII)
_BASE = re.compile(
    r"(?!data:)[a-z][a-z0-9+.-]*+:[^\s{<\"]{0,500}?/(?=\{\s*\"|%7b(?:%20|%0a)*%22|<svg[\s>]|<\?xml|%3csvg(?:%20|%3e))",
    re.IGNORECASE,
)
"""A base URI that a contract put before it."""
_QUOTES = ("''", '""', "``", "“”")
_MAX_CLOTHES = 4
_PACKED = re.compile(
    rb"\s*(?:data:(?:application/json|image/|text/plain|[;,])|\"\s*[\[{]|%(?:7B|5B|3C))", re.I
)
"""How a `data:` URI, a string or escapes begin that were put into base64 as a whole."""


def data_uri_of(text: str) -> str | None:
    """Return the ``data:`` URI of a JSON document or an image that stands in a text itself; ``None`` for another text.

    It may be in quotes, percent-encoded, in base64, behind a base URI or without its own ``data:``, one in the other.
    """
    for _ in range(_MAX_CLOTHES):
        text = text.strip(_OUTER)
        kind = _kind(text)
        if kind:
            return f"data:{kind};base64,{base64.b64encode(text.encode('utf-8', 'replace')).decode()}"
        headless = _NO_SCHEME.match(text)
        if headless:
            return f"data:{headless[1] or ';base64,'}{text[headless.end() :]}"
        digits = _CONTENT.sub("", text, count=1)
        kind = _kind_in_base64(digits)
        if kind:
            return f"data:{kind};base64,{digits}"
        bare = _undressed(text)
        if bare is None:
            return None
        text = bare
    return None


def _kind(text: str) -> str:
    if _ESCAPED_JSON.match(text):
        return ""
    if _JSON_START.match(text):
        return _JSON
    is_svg = text[:1] == "<" and media_type_of(text[:MARKUP_BYTES].encode("utf-8", "replace")) == SVG
    return SVG if is_svg else ""


def _kind_in_base64(text: str, levels: int = 2) -> str:
    """Return what a text is that is base64; a hash and an address are that too, but of nothing that is told here."""
    if _BASE64.fullmatch(text) is None:
        return ""
    head = text[:400].partition("=")[0].partition("%")[0].translate(str.maketrans("-_", "+/"))
    try:
        start = base64.b64decode(head[: len(head) // 4 * 4], validate=True)
    except binascii.Error:
        return ""
    found = media_type_of(start)
    if found.startswith("image/"):
        return found
    start = start.removeprefix(b"\xef\xbb\xbf")
    if _PACKED.match(start) or (levels and _kind_in_base64(start.decode("latin-1"), levels - 1)):
        return "text/plain"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _JSON if _JSON_START.match(start.decode("utf-16", "replace")) else ""
    is_json = _JSON_START.match(start.decode("utf-8", "replace")) and b"\xef\xbf\xbd" not in start
    return _JSON if is_json and _is_text(start) else ""


def _is_text(start: bytes) -> bool:
    """Tell whether bytes begin a UTF-8 text; the last character may be cut."""
    try:
        start[:-3].decode()
    except UnicodeDecodeError as error:
        return error.start > len(start) - 8
    return True


def _undressed(text: str) -> str | None:
    """Return a text without what is outermost around it, ``None`` for one that has nothing around it."""
    string = text if text[:1] == '"' else f'"{text}"' if _ESCAPED_JSON.match(text) else ""
    if _JSON_STRING.fullmatch(string):
        inner = jsonish.read(string)
        if isinstance(inner, str):
            return inner
    if len(text) > 1 and text[0] + text[-1] in _QUOTES:
        return text[1:-1]
    if _ESCAPED.match(text):
        return unquote(text)
    if _ENTITIES.match(text):
        return html.unescape(text)
    base = _BASE.match(text)
    return None if base is None else text[base.end() :]
