"""URIs of metadata and media: one form to store them in, another to show them in. Pure text, nothing is looked up."""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import unquote

from core.net.http.content_uris import content_at, content_uri
from core.net.http.data_uris import is_data_uri, shown_data_uri
from core.net.http.http_urls import http_url, is_http
from core.net.http.uri_errors import BadUriError, RefusedUriError

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
_OUTER = " \t\r\n\f\v\0\ufeff\u00a0\u200b\u200c\u200d\u200e\u200f\u2060"
_ANY_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TOKEN_ID = re.compile(r"\{id\}|%7[bB]id%7[dD]")
_HOST_OF_A_GATEWAY = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?=/ip[fn]s/)", re.IGNORECASE)
_QUOTES = {
    '"': '"”',
    "'": "'’",
    "`": "`",
    "“": '”"',
    "„": "“”",
    "‘": "’",
    "‚": "‘’",
    "«": "»",
    "»": "«",
    "‹": "›",
    "「": "」",
    "『": "』",
    "＂": "＂",
    "＇": "＇",
    "<": ">",
}
"""What stands around URIs that went through a template or a word processor: closing marks by the opening one."""
_WRITTEN_QUOTES = re.compile(
    r"(?P<mark>\\+[\"']|(?:%5c)*%2[27]|&(?:quot|apos|#0*3[49]|#x0*2[27]);)(?P<within>.*)(?P=mark)|"
    r"&lt;(?P<angled>.*)&gt;|%e2%80%9[cd](?P<curled>.*)%e2%80%9[cd]",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED_ROOT = re.compile(r"((?:ipfs|ipns|ar):/*)([\"'])(.*)\2", re.IGNORECASE | re.DOTALL)
_LEFT_QUOTE = re.compile(r"[\"“”`],?$")
"""A closing mark whose opening one is missing, or stands before a base URI; apostrophes end names too."""
_ENCODED = re.compile(r"(?:(?:https?|ipfs|ipns|ar)%3a(?:%2f|/){1,3}|data%3a)", re.IGNORECASE)
"""How a URI begins that was percent-encoded as a whole."""
_MOST_QUOTES = 4
_WHOLE = re.compile(
    r"(?:https?|ipfs|ipns|(?<![a-z0-9])ar):/{2,}(?=[^/\s])|(?<=/)(?:https?|ipfs|ipns|ar):/(?=[^/\s])|"
    r"(?<=/)(?:https?|ipfs|ipns|ar)%3a(?:%2f|/){1,2}|(?<=[/:])ip[fn]s:(?=Qm|ba[fg]|k51)|data:(?:[a-z]+/[a-z0-9.+-]+)?[;,]",
    re.IGNORECASE,
)
"""How a URI begins that stands behind another one's beginning."""
_PROXY = re.compile(
    r"//(?:web\.)?archive\.[a-z]+/|//(?:wsrv\.nl|images\.weserv\.nl|r\.jina\.ai)/|//[^/]*(?:cors|proxy|imagekit)[^/]*/|"
    r"/(?:fetch|plain|unsafe|insecure|proxy|cdn-cgi/image|resize[rd]?|thumb(?:nail|or)?s?|fit-in|oembed)/|"
    r"/(?:[0-9]+x[0-9]*|[whqcf]_[a-z0-9_,]+|[a-z]{1,7}[=:][a-z0-9=:,_-]+)/",
    re.IGNORECASE,
)
"""Servers that are asked for others' pages and pictures by their whole URLs."""
_CONTENT_BASE = re.compile(r"(?:^ip[fn]s:/*|^ar:/*|/ip[fn]s/|arweave\.net/)$", re.IGNORECASE)
_HIDDEN_HOST = re.compile(
    r"(?:^(?:ipfs:)?/*|^[^?#]*?/ipfs/)(?:https?/{1,2})?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?=/ip[fn]s/)",
    re.IGNORECASE,
)
"""What ends in a gateway's host where its scheme is missing, or is the content's."""
_HIDDEN_ARWEAVE = re.compile(
    r"^(?:(?:ar|ipfs):)?/*(?:www\.)?arweave\.net/(?=[\w-]{43}(?![\w-]))", re.IGNORECASE
)
_AT_A_GATEWAY = re.compile(r"/ip[fn]s/|\.ip[fn]s\.|arweave\.net", re.IGNORECASE)


def canonical(uri: str) -> str:
    """Return a URI as it is stored.

    IPFS and Arweave content loses its gateway (`ipfs://CID/path?query`, `ipns://name/path`, `ar://transaction/path`),
    an http URL has its host in ASCII and its path encoded exactly once, a `data:` URI stays as it is. Quotes around it
    go, and so does the base URI that some contracts and authors put before a whole one. Raises
    `BadUriError` for what cannot be fetched, `RefusedUriError` for another scheme or a path that leaves its CID.
    """
    text = _unquoted(uri.strip(_OUTER))
    if is_data_uri(text):
        return text
    inner = _behind_a_base(text)
    if inner:
        with suppress(BadUriError):
            return canonical(inner)
    text = _HIDDEN_ARWEAVE.sub("ar://", _HIDDEN_HOST.sub("", _cleaned(text), count=1))
    found = _canonical_http(text) if is_http(text) else _canonical_content(text)
    if len(found) > LONGEST_URI:
        raise BadUriError(f"it is longer than {LONGEST_URI:,} characters")
    return found


def public_url(uri: str, ipfs_gateway: str, ar_gateway: str) -> str:
    """Return the URL at which a browser reaches what a stored URI names.

    IPFS and Arweave content gets the gateway, whatever gateway the stored URI has itself, which may have been switched
    off since; a `data:` URI is written so that browsers read it whole; all else stays as it is, and so does content
    where the gateway is empty. Gateways are base URLs without a slash at their end.
    """
    if is_data_uri(uri):
        return shown_data_uri(uri)
    if is_http(uri) and not _AT_A_GATEWAY.search(uri):
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


def _unquoted(text: str) -> str:
    """Return a URI without the quotes around it, of whatever kind."""
    for _ in range(_MOST_QUOTES):
        written = _WRITTEN_QUOTES.fullmatch(text)
        if written is not None:
            within = next(part for part in written.group("within", "angled", "curled") if part is not None)
            text = within.strip(_OUTER)
        elif len(text) > 1 and text[-1] in _QUOTES.get(text[0], ""):
            text = text[1:-1].strip(_OUTER)
        elif (root := _QUOTED_ROOT.fullmatch(text)) is not None:
            text = root[1] + root[3]
        else:
            break
    left = None if is_data_uri(text) else _LEFT_QUOTE.search(text)
    if left is not None and text.count(left[0][0]) % 2:
        text = text[: left.start()]
    return unquote(text) if _ENCODED.match(text) else text


def _behind_a_base(text: str) -> str:
    """Return the whole URI behind another one's beginning, the last one of several; empty for none.

    In a query or fragment it is an argument, and what a proxy is asked for belongs to its URL.
    """
    at, is_encoded = 0, False
    for found in _WHOLE.finditer(text, 1, LONGEST_URI):
        base = text[: found.start()]
        if "?" in base or "#" in base:
            break
        encoded = "%" in found[0]
        is_web = found[0][:4].lower() == "http"
        if is_web and (_PROXY.search(base) or (encoded and not _CONTENT_BASE.search(base))):
            break
        if found[0][:5].lower() == "data:":
            return text[found.start() :]
        at, is_encoded = found.start(), encoded
    if not at or len(text) > LONGEST_URI:
        return ""
    if at > 1 and text[-1] in _QUOTES.get(text[at - 1], ""):
        return text[at - 1 :]
    return unquote(text[at:]) if is_encoded else text[at:]


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
