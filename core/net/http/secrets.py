"""Takes keys out of what is shown of a URL: of nodes, gateways and price APIs, whose paths and queries may be keys."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit

URL_RULE = "a node's URL is http(s)://host[:port][/path], with user:password@ before the host if need be"
_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, line ends and lone surrogates: neither a log nor a database takes them all."""
_ANY_URL = re.compile(r"\b(?:https?|wss?)://[^\s\"'<>\\]+", re.IGNORECASE)
_SHOWN = 500
_SHORTEST_KEY = 6


def redacted(url: str) -> str:
    """Return what may be shown of a node's URL: scheme, host and port. Raises `ValueError` without the URL in it."""
    problem = False
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        # Raised below, outside of this block: its text quotes the URL, and a context would keep it.
        problem = True
    if problem or parts.scheme not in ("http", "https") or not host:
        raise ValueError(URL_RULE)
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{f':{port}' if port is not None else ''}"


class Scrubber:
    """Takes out of texts whatever of one URL may be a key: its user, password, path and query, and any URL's."""

    def __init__(self, url: str) -> None:
        self.name = redacted(url)
        parts = urlsplit(url.strip())
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        userinfo = [text for text in (parts.username, parts.password) if text]
        pieces = [*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query)), parts.query]
        long_enough = [piece for piece in pieces if len(piece) >= _SHORTEST_KEY]
        whole = [self.target] if len(self.target) > _SHORTEST_KEY else []
        secrets = {*userinfo, *long_enough, *whole}
        secrets |= {unquote(secret) for secret in secrets}
        longest_first = sorted(secrets, key=len, reverse=True)
        self._secrets = (
            re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if secrets else None
        )

    def __call__(self, text: str) -> str:
        """Return at most 500 characters of the text, without keys, and on one line; what cannot be shown is U+FFFD."""
        text = _UNSHOWN.sub("\ufffd", text)
        text = _ANY_URL.sub(_without_path, text)
        if self._secrets is not None:
            text = self._secrets.sub("…", text)
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _without_path(match: re.Match[str]) -> str:
    scheme, _, rest = match.group().partition("://")
    return f"{scheme}://{re.split(r'[/?#]', rest, maxsplit=1)[0].rpartition('@')[2]}"
