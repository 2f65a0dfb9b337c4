"""URIs of metadata and media: one form to store them in, another to show them in. Pure text, nothing is looked up."""

from __future__ import annotations

import re

from nftsite.net.content_uris import content_at, content_uri
from nftsite.net.data_uris import is_data_uri
from nftsite.net.http_urls import http_url, is_http
from nftsite.net.uri_errors import BadUriError, RefusedUriError

__all__ = [
    "LONGEST_URI",
    "BadUriError",
    "RefusedUriError",
    "canonical",
    "public_url",
    "token_id_places",
    "with_token_id",
]

LONGEST_URI = 8_192
"""Characters of a URI that is no `data:`; servers refuse longer ones too."""

_NEVER_MEANT = re.compile(r"[\t\r\n]")
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
_OUTER = " \t\r\n\f\v\0\ufeff"
_ANY_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TOKEN_ID = re.compile(r"\{id\}|%7[bB]id%7[dD]")
_HOST_OF_A_GATEWAY = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?=/ip[fn]s/)", re.IGNORECASE)
_AT_A_GATEWAY = re.compile(r"/ip[fn]s/|\.ip[fn]s\.|arweave\.net", re.IGNORECASE)


def canonical(uri: str) -> str:
    """Return a URI as it is stored.

    IPFS and Arweave content loses its gateway (`ipfs://CID/path?query`, `ipns://name/path`, `ar://transaction/path`),
    an http URL has its host in ASCII and its path encoded exactly once, a `data:` URI stays as it is. Raises
    `BadUriError` for what cannot be fetched, `RefusedUriError` for another scheme or a path that leaves its CID.
    """
    text = uri.strip(_OUTER)
    if is_data_uri(text):
        return text
    text = _cleaned(text)
    # A gateway's URL behind ipfs:// is what some contracts make of a base URI and a whole one.
    inner = re.sub(r"^ipfs:/*(?=https?:)", "", text, flags=re.IGNORECASE)
    found = _canonical_http(inner) if is_http(inner) else _canonical_content(text)
    if len(found) > LONGEST_URI:
        raise BadUriError(f"it is longer than {LONGEST_URI:,} characters")
    return found


def public_url(uri: str, ipfs_gateway: str, ar_gateway: str) -> str:
    """Return the URL at which a browser reaches what a stored URI names.

    IPFS and Arweave content gets the gateway, whatever gateway the stored URI has itself, which may have been switched
    off since; all else stays as it is, and so does content where the gateway is empty. Gateways are base URLs without
    a slash at their end.
    """
    if is_data_uri(uri) or (is_http(uri) and not _AT_A_GATEWAY.search(uri)):
        return uri
    try:
        text = _cleaned(uri.strip(_OUTER))
        host = _HOST_OF_A_GATEWAY.match(text)
        # Most gateways' URLs need no more than their path read: pages hold ninety of them.
        if host is None and is_http(text):
            content = content_at(http_url(text))
        else:
            content = content_uri(text[host.end() :] if host else text)
    except BadUriError:
        return uri
    gateway = ar_gateway if content and content.space == "ar" else ipfs_gateway
    if content is None or not gateway:
        return uri
    return f"{gateway}{content.place}{content.query}{content.fragment}"


def with_token_id(uri: str, token_id: int) -> str:
    """Put a token's id for every `{id}` of a URI: 64 lower-case hexadecimal digits (ERC-1155, Metadata).

    A `0x` before it stays. `token_id` is below 2^256.
    """
    digits = f"{token_id:064x}"
    return _TOKEN_ID.sub(digits, uri)


def token_id_places(text: str) -> int:
    """Return in how many places `with_token_id` puts a token's id."""
    return sum(1 for _ in _TOKEN_ID.finditer(text))


def _cleaned(text: str) -> str:
    """Return a URI without the white space that none has within. Raises `BadUriError` for what no URI can be."""
    text = _NEVER_MEANT.sub("", text)
    if not text:
        raise BadUriError("it is empty")
    if len(text) > LONGEST_URI:
        raise BadUriError(f"it is longer than {LONGEST_URI:,} characters")
    if not text.isascii() and _HALF_A_CHARACTER.search(text):
        raise BadUriError("it holds half of a character")
    return text


def _canonical_http(text: str) -> str:
    url = http_url(text)
    return str(content_at(url) or url)


def _canonical_content(text: str) -> str:
    content = content_uri(text)
    if content is not None:
        return str(content)
    if _ANY_SCHEME.match(text):
        raise RefusedUriError("its scheme is not one that is fetched")
    raise BadUriError("it is no URI")
