"""What can go wrong between us and a node, told without the keys that node URLs hold."""

from __future__ import annotations

import enum


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
