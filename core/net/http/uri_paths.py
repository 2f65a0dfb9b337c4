"""Paths of URIs: percent-encoded exactly once, and never leaving what they are below."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, unquote, unquote_to_bytes

from core.net.http.uri_errors import RefusedUriError

_PATH_CHARACTERS = "A-Za-z0-9._~!$&'()*+,;=:@/-"
_TO_ENCODE_IN_PATH = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^%{_PATH_CHARACTERS}]")
_TO_ENCODE_IN_QUERY = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^%?{_PATH_CHARACTERS}]")
_PLAIN = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?")
_SEGMENT_SAFE = "!$&'()*+,;=:@~"
_SEPARATORS = re.compile(r"[/\\]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ROUNDS = 4
"""How often a name may turn out to be encoded again; no author does that, and a gateway might decode as often."""


def encoded_path(path: str) -> str:
    """Percent-encode what a path may not hold (RFC 3986, 3.3), as UTF-8; what is encoded already stays as it is."""
    return _TO_ENCODE_IN_PATH.sub(_encoded, path)


def encoded_query(query: str) -> str:
    """Percent-encode what a query or fragment may not hold (RFC 3986, 3.4); what is encoded already stays."""
    return _TO_ENCODE_IN_QUERY.sub(_encoded, query)


def resolved_path(path: str) -> str:
    """Return an absolute path without dot segments, also percent-encoded ones, as browsers do (WHATWG URL, 4.4)."""
    if "." not in path and "%2" not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for place, segment in enumerate(segments):
        plain = segment.lower().replace("%2e", ".")
        if plain == ".." and len(kept) > 1:
            kept.pop()
        if plain not in (".", ".."):
            kept.append(segment)
        elif place == len(segments) - 1:
            kept.append("")
    return "/".join(kept)


def path_below(path: str) -> str:
    """Return the path of something below a root: resolved, encoded once, with its trailing slash if it has one.

    However a server behind it decodes or resolves the path once more, it stays below the root. Empty segments
    are left out, as gateways do. Raises `RefusedUriError` for a path that leaves the root, or would when decoded again.
    """
    if _PLAIN.fullmatch(path):
        return path
    decoded = unquote_to_bytes(path).decode("utf-8", "surrogateescape")
    kept: list[str] = []
    for segment in decoded.split("/"):
        if segment == "..":
            if not kept:
                raise RefusedUriError("its path leaves what it is below")
            kept.pop()
        elif segment not in ("", "."):
            _check_name(segment)
            kept.append(quote(segment, safe=_SEGMENT_SAFE, errors="surrogateescape"))
    directory = decoded.endswith(("/", "/.", "/..")) or (bool(decoded) and not kept)
    return "".join(f"/{segment}" for segment in kept) + ("/" if directory else "")


def _check_name(segment: str) -> None:
    """Refuse a name that becomes a dot segment when decoded again, split at backslashes, cut at `;` or folded."""
    name = segment
    for _ in range(_ROUNDS):
        decoded = unquote(name)
        if decoded == name:
            break
        name = decoded
    else:
        raise RefusedUriError("its path is encoded over and over")
    name = unicodedata.normalize("NFKC", name)
    if _CONTROL.search(name):
        raise RefusedUriError("its path holds control characters")
    if any(piece.partition(";")[0].strip() in (".", "..") for piece in _SEPARATORS.split(name)):
        raise RefusedUriError("its path would leave what it is below")


def _encoded(match: re.Match[str]) -> str:
    return quote(match.group(), safe="")
