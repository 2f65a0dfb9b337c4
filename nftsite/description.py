"""What the OpenAPI document says of the service as a whole: its semantics, where it is, and its health pages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import get_script_prefix, reverse

from compat import openapi as compat
from compat.openapi import MethodGenerator
from core.rest.document import references

VERSION = "1.0.0"
DESCRIPTION = """\
Which NFTs there are, and where they have been. Read only. Two operations: **NFTs by Token** and
**Transfers by Token**. Each returns a page of records in `data`.

**Queries.** All filters given must hold. Lists are comma separated, may also be repeated, and the two forms mix; an
entry that itself holds a comma is written in double quotes, as in CSV, a double quote inside doubled
(`traits="Mouth-Bored, Pierced",Fur-Brown`). A list that is *given but empty* (`tokenId=`) gives an empty page; a scalar
given blank (`chain=`) counts as not given; a bare flag (`?excludeMarkedNfts`) is true. EVM addresses, chains,
marketplaces, currencies and `sortBy` are read in any letter case; traits and base58 addresses as they are. An unknown
parameter is an error, never ignored. A query string may have up to about 7,000 bytes; what is longer than the server's
limit is refused with 414 before it reaches the API.

**Pages.** `limit` is 30 at most. `nextCursor` leads to the next page and is absent on the last one. A cursor does not
expire; it belongs to the operation, the filters and the order it came from, while `limit` and `includeLastTransfer` may
change. An item whose place in the order does not change during a walk appears in it exactly once. In the orders by asks
a walk ends at the 10,000th item, and then says so in the header `X-Result-Limit`.

**Records.** A field that is not known is absent, never `null`. Quantities up to 2^256 − 1 (`tokenId`, `amount`,
`value`) are exact decimal strings; amounts of money are in the currency's smallest unit (wei), asks and price bounds in
whole units (ETH). Times are Unix seconds. EVM addresses and hashes are in lower case. One contract address can live on
several chains, so every record names its `chain`; on a mint-identified chain (`solana`) the token id is the mint,
`blockNumber` the slot and `transactionHash` the signature.

**Errors.** One body for all of them: `type`, and `errors`, each with `code` for programs, `detail` for people and
`attr`, the parameter to blame. All faults of a query are reported at once. `X-Request-ID` names the request in the
service's log.

**HTTP.** `GET` and `HEAD`, and `OPTIONS` for preflights; every origin may read the answers. Answers carry a strong
`ETag`: send it in `If-None-Match` to get a 304 while nothing has changed. When a query concerns exactly one chain and
that chain is indexed from a node, `X-Indexed-Block` and `X-Indexed-At` say up to which block, and of when (Unix
seconds), the data reaches; when it concerns one contract whose asks are read from order books, `X-Asks-At` says when
their last whole reading began. A 304 carries them too.

**Limits.** No key is needed unless the operator asks for one; one that he has made for you is sent as `Authorization:
Bearer <key>` or as `X-API-Key: <key>`. Where he limits requests, every answer says how: `RateLimit-Limit` units may be
taken in a window of time, `RateLimit-Remaining` are left, and in `RateLimit-Reset` seconds the next window begins. A
page takes 1 unit; one drawn for people, this document, or an ENS name that has to be asked of a node 5, and a page that
may pass thousands of entries of long lists 20. What is more is refused with 429 and `Retry-After`."""

TAGS = [
    {"name": "nfts", "description": "NFTs with their metadata, owners, asks and last transfer."},
    {"name": "transfers", "description": "What moved, between whom, and for how much."},
    {"name": "health", "description": "For whoever runs the service."},
]
_REQUEST_ID = references({"X-Request-ID": "RequestId"})
_NOT_KEPT = references({"Cache-Control": "NoStore"})
_ALLOW = references({"Allow": "Allow"})
_RETRY = references({"Retry-After": "RetryAfter"})


def describe_service(result: dict[str, Any], *, generator: Any, **_: Any) -> dict[str, Any]:
    """Postprocessing hook of drf-spectacular: adds what belongs to no operation."""
    result["info"] = {
        "title": "NFT token and transfer query service",
        "version": VERSION,
        "description": DESCRIPTION,
        "license": {"name": "MIT", "identifier": "MIT"},
    }
    # Relative: clients reach the API where they got this document.
    result["servers"] = [{"url": settings.PUBLIC_BASE_URL or get_script_prefix().rstrip("/") or "/"}]
    if isinstance(generator, MethodGenerator):  # a document of its own
        result["info"] |= {"title": compat.TITLE, "description": compat.DESCRIPTION}
        return result
    result["tags"] = TAGS
    result["paths"] |= _health_pages()
    return result


def _health_pages() -> dict[str, Any]:
    prefix = get_script_prefix().rstrip("/")
    alive, ready = (reverse(name).removeprefix(prefix) for name in ("healthz", "readyz"))
    return {
        alive: _page("healthz", "Liveness", "Whether the process is alive; asks nothing else.", "ok"),
        ready: _page(
            "readyz",
            "Readiness",
            "Whether requests can be answered: the database is there and has this version's tables.",
            "ready",
            {"503": _error("OtherErrors", "No: the database does not answer, or lacks migrations.", _RETRY)},
        ),
    }


def _page(name: str, summary: str, text: str, status: str, others: dict[str, Any] | None = None) -> Any:
    """Return the path item of a health page, which answers `{"status": …}`."""
    schema = {
        "type": "object",
        "properties": {"status": {"type": "string", "const": status, "description": "Always this word."}},
        "required": ["status"],
    }
    answer = {
        "description": "Yes.",
        "headers": _REQUEST_ID,
        "content": {"application/json": {"schema": schema, "example": {"status": status}}},
    }
    get = {
        "operationId": name,
        "summary": summary,
        "description": text,
        "tags": ["health"],
        "responses": {
            "200": answer,
            "400": _error("ParameterErrors", "The Host is not one of this service."),
            "405": _error("OtherErrors", "The method is not GET or HEAD.", _ALLOW),
            "500": _error("OtherErrors", "The service failed; its log has the request's id."),
            **(others or {}),
        },
    }
    return {"get": get}


def _error(schema: str, description: str, headers: dict[str, Any] | None = None) -> dict[str, Any]:
    body = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
    return {
        "description": description,
        "headers": {**_REQUEST_ID, **_NOT_KEPT, **(headers or {})},
        "content": {"application/json": body},
    }
