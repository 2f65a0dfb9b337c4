"""What nodes mean by their error messages: JSON-RPC has few codes, and providers share them out differently."""

from __future__ import annotations

import re

from core.net.rpc.errors import Kind, RpcError


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_EXECUTED = _words(
    r"revert",
    r"execution aborted",
    r"invalid opcode",
    r"out of ?gas",
    r"vm exception",
    r"evm error",
    r"stack (?:under|over)flow",
)
"""The contract's doing. Its text is the contract's too, so it is looked for first: it may say "rate limit"."""

_BATCH = _words(
    r"batch.{0,60}(?:too|limit|size|large|exceed|max|more than|support|disabled|allowed)",
    r"(?:too|max|limit|exceed|support).{0,40}batch",
)
_NO_METHOD = _words(
    r"method.{0,80}(?:not (?:found|supported|available|exist|enabled|allowed|whitelisted)|unsupported|disabled)",
    r"unsupported method",
)
_LAGGING = _words(
    r"header (?:for hash )?(?:was )?not found", r"block (?:#?\w+ )?(?:is |was )?not (?:found|yet|available)",
    r"unknown block", r"missing trie node", r"could not find block", r"blocks? .{0,60}cannot be found",
    r"block height is \d+ but requested", r"height \d+ must be less than or equal to the current",
    r"beyond current head", r"after last accepted block", r"unfinali[sz]ed data", r"not yet imported",
    r"\bstate\b.{0,60}(?:not available|unavailable|pruned)",
)  # fmt: skip
_RATE = _words(
    r"\brate.?limit\w*(?: (?:is )?(?:exceeded|exhausted|reached))?", r"(?:call|request) rate\b.{0,20}",
    r"too many requests", r"compute units", r"requests? per\b", r"throughput", r"throttl\w*",
    r"exceeded .{0,60}capacity", r"request limit(?: (?:exceeded|reached))?", r"\bquota\b.{0,20}", r"\bcredits\b",
    r"(?:daily|monthly)\b.{0,20}(?:limit|count|capacity)(?: limit)?(?: (?:exceeded|reached))?", r"slow down",
)  # fmt: skip
_RATE_CODES = frozenset({429, -32007, -32029, -32090})
_ADDRESSES = _words(
    r"max addresses", r"too many address", r"(?:number|many) of addresses", r"addresses? limit"
)
_TOO_LARGE = _words(r"response (?:is |size )?(?:too (?:large|big)|exceed|should not)")
_RANGE = _words(
    r"block.?range", r"range (?:is )?(?:too|limit)", r"\brange\b.{0,40}(?:exceed|larger|bigger|limit)",
    r"limited to .{0,20}(?:range|blocks)", r"too (?:large|wide|big)", r"too many (?!requests|address)",
    r"(?:returned|has|matche[sd]) more than", r"more than [\d,]+ ?k? (?:results|logs|blocks)", r"response size",
    r"max(?:imum)?\b.{0,20}(?:block|result|range|log)", r"limit exceeded", r"exceeds? (?:the )?limit",
    r"matched by query", r"time.?out", r"timed out", r"deadline exceeded",
)  # fmt: skip
_BLOCKED = _words(
    r"api.?key", r"unauthori[sz]ed", r"forbidden", r"authenticat", r"project id", r"specify an address",
    r"\barchive\b", r"\bplan\b",
)  # fmt: skip
_PASSING = _words(
    r"internal (?:server )?error", r"server error", r"upstream", r"temporar", r"try again", r"retry", r"time.?out",
    r"timed out", r"deadline exceeded", r"unavailable", r"overload", r"\bbusy\b", r"connection", r"gateway", r"backend",
    r"in progress", r"not (?:yet )?(?:ready|synced|initiali[sz]ed|started)", r"\bsyncing\b", r"\bshutting down\b",
    r"maintenance", r"not yet indexed", r"starting up", r"\bcancell?ed\b",
)  # fmt: skip
_LIMIT_EXCEEDED = -32005
"""EIP-1474: "Request exceeds defined limit", of whichever kind."""

_NO_SUCH_METHOD = frozenset({-32601, -32004})
"""JSON-RPC 2.0, section 5.1, and EIP-1474."""


def is_of_contract(error: RpcError) -> bool:
    """Tell whether an error of eth_call says that the contract failed, by a revert or by running out of gas."""
    return error.kind is Kind.FINAL and _is_of_contract(error.code, error.message)


def _is_of_contract(code: int, text: str) -> bool:
    return code == 3 or _EXECUTED.search(text) is not None


def kind_of(method: str, code: int, text: str) -> Kind:
    """Tell what follows from a node's error; `text` is its message with whatever stands in its data."""
    if method in ("eth_call", "eth_estimateGas") and _is_of_contract(code, text):
        return Kind.FINAL
    if code in _NO_SUCH_METHOD or _NO_METHOD.search(text):
        return Kind.ELSEWHERE
    for kind, words in ((Kind.BATCH, _BATCH), (Kind.LAGGING, _LAGGING), (Kind.ADDRESSES, _ADDRESSES)):
        if words.search(text):
            return kind
    limited = _limit(method, code, text)
    if limited is not None:
        return limited
    if _BLOCKED.search(text):
        return Kind.ELSEWHERE
    return Kind.TRANSIENT if code == -32603 or _PASSING.search(text) else Kind.FINAL


def _limit(method: str, code: int, text: str) -> Kind | None:
    """Which limit the error speaks of, if any. What is said of the rate is cut out before ranges are looked for."""
    if _TOO_LARGE.search(text):
        return Kind.TOO_MANY
    rate = code in _RATE_CODES or _RATE.search(text) is not None
    if method != "eth_getLogs":
        return Kind.RATE if rate or code == _LIMIT_EXCEEDED else None
    rest = _RATE.sub(" ", text)
    if _RANGE.search(rest):
        # A bare "limit exceeded" is what some nodes say of either.
        bare = re.fullmatch(r"\W*(?:request )?limit exceeded\W*", rest, re.IGNORECASE) is not None
        return Kind.LIMIT if rate or bare else Kind.TOO_MANY
    if rate:
        return Kind.RATE
    return Kind.LIMIT if code == _LIMIT_EXCEEDED else None


_SUGGESTED_HEX = re.compile(r"\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]", re.IGNORECASE)
_SUGGESTED_DECIMAL = re.compile(r"with the range (\d+)\s*-\s*(\d+)", re.IGNORECASE)
_STATED = re.compile(
    r"(?:limited to(?: an?)?|up to(?: an?)?|max(?:imum)? (?:allowed )?(?:block )?range(?: is| of)?\s?[:=]?"
    r"|range limit(?: of)?:?|exceeds? (?:the )?limit of)\s*(\d[\d,]*)\s?(k\b)?",
    re.IGNORECASE,
)
_BATCH_OF = re.compile(r"batch\D{0,40}?(\d{1,4})\b", re.IGNORECASE)
_NO_BATCHES = re.compile(r"not (?:supported|allowed|enabled)|unsupported|disabled", re.IGNORECASE)


def smaller_ranges(message: str, first: int, last: int) -> list[tuple[int, int]]:
    """Return the ranges to ask for instead of first … last, which was refused with this message; `first` < `last`.

    By the node's own suggestion or its stated number of blocks where they make sense, else halves.
    """
    for pattern, base in ((_SUGGESTED_HEX, 16), (_SUGGESTED_DECIMAL, 10)):
        suggested = pattern.search(message)
        if suggested is not None:
            start, end = int(suggested[1], base), int(suggested[2], base)
            # Some nodes suggest the very range that they have just refused.
            if start == first <= end < last:
                return [(first, end), (end + 1, last)]
    stated = stated_blocks(message)
    if stated is not None and 1 <= stated <= last - first:
        return [(start, min(start + stated - 1, last)) for start in range(first, last + 1, stated)]
    middle = (first + last) // 2
    return [(first, middle), (middle + 1, last)]


def stated_blocks(message: str) -> int | None:
    """Return the number of blocks that a node says a range may have, None when it does not say."""
    found = [
        int(number.replace(",", "")) * (1000 if thousand else 1)
        for number, thousand in _STATED.findall(message)
    ]
    return min(found, default=None)


def smaller_batch(message: str, size: int) -> int:
    """Return how many calls to send to a node that refused a batch of `size` of them with this message."""
    stated = _BATCH_OF.search(message)
    if stated is not None and 1 <= int(stated[1]) < size:
        return int(stated[1])
    return 1 if _NO_BATCHES.search(message) else max(1, size // 2)
