"""The headers of the answers, in the OpenAPI document: one component a header, and the 304 that they make possible."""

from __future__ import annotations

from typing import Any

from core.rest.headers import EXPOSED_HEADERS
from core.rest.pagination import DEPTH_CAP


def header(description: str, example: Any, *, always: bool = True, **schema: Any) -> dict[str, Any]:
    """Return an OpenAPI header object; ``always`` tells that an answer which lists it has it."""
    return {
        "description": description,
        "required": always,
        "schema": {"type": "string", **schema},
        "example": example,
    }


HEADERS = {
    "ETag": header(
        "Strong validator of this representation (each content coding has its own). Send it back in If-None-Match.",
        '"6f1ed002ab5595859014ebf0951522d9"',
    ),
    "CacheControl": header(
        "no-cache (keep, but ask each time), or, where the operator allows it, for how many seconds the answer may be "
        "reused, never longer than until an ask in it ends.",
        "no-cache",
    ),
    "NoStore": header("An error is never kept.", "no-store", pattern="^no-store"),
    "Vary": header("The request headers that the representation depends on.", "Accept, Accept-Encoding"),
    "ContentEncoding": header(
        "gzip, when the client takes it and the body is worth it; else absent.",
        "gzip",
        always=False,
        const="gzip",
    ),
    "RequestId": header(
        "The request's id: X-Request-ID as sent, when it is 1 to 64 letters, digits, _, . or -, else made. The "
        "service's log has it too.",
        "5f1c9d7e8a0b4c6d9e2f1a3b5c7d9e0f",
        pattern="^[A-Za-z0-9_.-]{1,64}$",
    ),
    "ResultLimit": header(
        f"{DEPTH_CAP} when the walk was cut at the {DEPTH_CAP:,}th item (sortBy lowestAsk or highestAsk); else absent.",
        str(DEPTH_CAP),
        always=False,
        const=str(DEPTH_CAP),
    ),
    "IndexedBlock": header(
        "When the query concerns exactly one chain (by chain, or since its contract lives on one alone) and that chain "
        "is indexed from a node: the number of the last block whose transfers are in the data. Else absent.",
        "21500000",
        always=False,
        pattern="^[0-9]+$",
    ),
    "IndexedAt": header(
        "The time of that block in Unix seconds, where it is known.",
        "1735000000",
        always=False,
        pattern="^[0-9]+$",
    ),
    "AsksAt": header(
        "When the query concerns exactly one contract and asks of it are read from order books outside of the chain: "
        "when their last whole reading began, in Unix seconds; of several books, of the one read longest ago. Else "
        "absent.",
        "1735000000",
        always=False,
        pattern="^[0-9]+$",
    ),
    "AllowOrigin": header("Scripts of every origin may read the answer.", "*", const="*"),
    "ExposeHeaders": header("The headers that they may read.", EXPOSED_HEADERS),
    "Allow": header("The methods that there are.", "GET, HEAD, OPTIONS"),
    "Challenge": header("How to send an API key.", 'Bearer realm="NFT API"', pattern="^Bearer "),
    "LimitUnits": header(
        "Where the operator limits requests: units that may be taken in one window of time. Most requests take one, "
        "expensive ones more. Else absent.",
        "600",
        always=False,
        pattern="^[0-9]+$",
    ),
    "LimitRemaining": header(
        "Likewise: units that are left in this window.", "599", always=False, pattern="^[0-9]+$"
    ),
    "LimitReset": header(
        "Likewise: seconds until the next window, with all units, begins.",
        "60",
        always=False,
        pattern="^[0-9]+$",
    ),
    "RetryAfter": header("Seconds to wait before asking again.", "5", pattern="^[0-9]+$"),
}
"""Header components by name."""

_EVERYWHERE = {
    "X-Request-ID": "RequestId",
    "Access-Control-Allow-Origin": "AllowOrigin",
    "Access-Control-Expose-Headers": "ExposeHeaders",
    "RateLimit-Limit": "LimitUnits",
    "RateLimit-Remaining": "LimitRemaining",
    "RateLimit-Reset": "LimitReset",
}
_REVALIDATED = {
    "ETag": "ETag",
    "Cache-Control": "CacheControl",
    "Vary": "Vary",
    "X-Indexed-Block": "IndexedBlock",
    "X-Indexed-At": "IndexedAt",
    "X-Asks-At": "AsksAt",
    **_EVERYWHERE,
}
_ADDED = {
    "200": {**_REVALIDATED, "Content-Encoding": "ContentEncoding", "X-Result-Limit": "ResultLimit"},
    "304": _REVALIDATED,
    "401": {"WWW-Authenticate": "Challenge"},
    "405": {"Allow": "Allow"},
    "429": {"Retry-After": "RetryAfter"},
    "503": {"Retry-After": "RetryAfter"},
}


def document_headers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Postprocessing hook of drf-spectacular: adds the headers of each response, and 304, to the operations."""
    result["components"]["headers"] = HEADERS
    for path in result["paths"].values():
        for verb, operation in path.items():
            if verb == "get":
                operation["responses"]["304"] = {
                    "description": "Not modified: If-None-Match names the current representation. There is no body."
                }
            operation["responses"] = dict(sorted(operation["responses"].items()))
            for status, response in operation["responses"].items():
                response["headers"] = references(_headers_of(status, verb))
    return result


def references(names: dict[str, str]) -> dict[str, Any]:
    """Return the headers of a response, each by reference to its component."""
    return {name: {"$ref": f"#/components/headers/{component}"} for name, component in names.items()}


def _headers_of(status: str, verb: str) -> dict[str, str]:
    """Return the headers of an answer with this status, by name, with their components."""
    if status < "400" and verb == "post":
        return {
            "Cache-Control": "NoStore",
            "Vary": "Vary",
            "Content-Encoding": "ContentEncoding",
            **_EVERYWHERE,
        }
    if status < "400":
        return _ADDED[status]
    return {"Cache-Control": "NoStore", **_EVERYWHERE, **_ADDED.get(status, {})}
