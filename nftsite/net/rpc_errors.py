"""What can go wrong between us and a node, told without the keys that node URLs hold."""

from __future__ import annotations

import enum
import re
from urllib.parse import parse_qsl, unquote, urlsplit

URL_RULE = "a node's URL is http(s)://host[:port][/path], with user:password@ before the host if need be"
_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, line ends and lone surrogates: neither a log nor a database takes them all."""
_ANY_URL = re.compile(r"\b(?:https?|wss?)://[^\s\"'<>\\]+", re.IGNORECASE)
_SHOWN = 500
_SHORTEST_KEY = 6


class Kind(enum.Enum):
    """What follows from an error."""

    FINAL = "the node's last word on this call"
    RATE = "too many requests: the same call later"
    LAGGING = "the node does not know a block or state that it should have: later, or elsewhere"
    TRANSIENT = "a failure that may pass: later, or elsewhere"
    TIMEOUT = "no answer in time: later, elsewhere, or for less"
    ELSEWHERE = "this node never will, another might: wrong key, method not offered"
    TOO_MANY = "the answer or the range is too large: ask for less"
    LIMIT = "a limit that does not say which: ask for less, then later"
    ADDRESSES = "too many addresses in a filter"
    BATCH = "too many calls in a batch, or no batches at all"


class NodeError(Exception):
    """Any failure to read from a node. `kind` says what follows, `retry_after` in how many seconds, if told."""

    def __init__(self, text: str, kind: Kind, *, retry_after: float | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.retry_after = retry_after


class RpcError(NodeError):
    """The node answered a call with an error: `code` and `message` as it put them (scrubbed, 500 characters).

    `code` is the HTTP status where the node said no by that alone. `data` is the hexadecimal data of a
    revert, else None.
    """

    def __init__(
        self, name: str, code: int, message: str, *, kind: Kind = Kind.FINAL, data: str | None = None
    ) -> None:
        super().__init__(f"{name}: {message} (code {code})", kind)
        self.name = name
        self.code = code
        self.message = message
        self.data = data


class LaggingNodeError(RpcError):
    """The node does not know the block or its state: it lags, has pruned it, or the block was reorganised away."""

    def __init__(self, name: str, code: int, message: str) -> None:
        super().__init__(name, code, message, kind=Kind.LAGGING)


class TransportError(NodeError):
    """One request got no answer: no connection, cut off, too late, or an HTTP status that says to wait."""


class NodeUnavailableError(NodeError):
    """No node gave an answer, all attempts used. Nothing is known about the call: try again later."""

    def __init__(self, text: str) -> None:
        super().__init__(text, Kind.TRANSIENT)


class BadAnswerError(NodeUnavailableError):
    """A node answered with something that is not an answer to what was asked."""


class WrongChainError(NodeError):
    """A node serves another chain than it should."""

    def __init__(self, name: str, *, found: int, expected: int) -> None:
        super().__init__(f"{name} serves chain {found}, expected chain {expected}", Kind.FINAL)
        self.found = found
        self.expected = expected


class TooManyResultsError(NodeError):
    """The node refuses even the logs of the one block `block`, for one address at a time."""

    def __init__(self, block: int, reason: str) -> None:
        super().__init__(f"block {block} alone has too many logs for the node: {reason}", Kind.TOO_MANY)
        self.block = block


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
