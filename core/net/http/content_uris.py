"""URIs of content that many servers hold: IPFS, IPNS and Arweave, in all the forms in which authors write them."""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from core.net.http.cids import cid_of, same_content
from core.net.http.http_urls import HttpUrl
from core.net.http.uri_errors import BadUriError, RefusedUriError
from core.net.http.uri_paths import encoded_query, path_below

_SCHEME = re.compile(r"(ipfs|ipns|dweb|ar):[/\\\s]*", re.IGNORECASE)
_NAMESPACE = re.compile(r"/*(ipfs|ipns)/+", re.IGNORECASE)
_END_OF_ROOT = re.compile(r"[/?#]")
_DNS_NAME = re.compile(r"(?=.{4,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+", re.ASCII)
_TRANSACTION = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_FILE_BEHIND_HASH = re.compile(r"[^#?]*\.[A-Za-z0-9]{2,5}(?:\?.*)?")
_ARWEAVE = re.compile(r"(?:www\.|[a-z2-7]{52}\.)?arweave\.net")


class ContentUri(NamedTuple):
    """Content, wherever it is held: `space` is `ipfs`, `ipns` or `ar`, `root` a CID, name or transaction.

    `path` is empty or starts with a slash, is encoded and stays below the root; `query` and `fragment` have their `?`
    and `#`, or are empty.
    """

    space: str
    root: str
    path: str
    query: str
    fragment: str

    def __str__(self) -> str:
        """Return the URI without any gateway."""
        return f"{self.space}://{self.root}{self.path}{self.query}{self.fragment}"

    @property
    def place(self) -> str:
        """The path at a gateway, from the end of its base."""
        space = "" if self.space == "ar" else f"/{self.space}"
        return f"{space}/{self.root}{self.path}"

    def shares_root(self, other: ContentUri) -> bool:
        """Tell whether the other is below the same root, in whatever version and base its CID is written."""
        return self.space == other.space and same_content(self.root, other.root)


def content_uri(uri: str) -> ContentUri | None:
    """Return the content that a URI names: `ipfs:`, `ipns:`, `ar:`, a path at a gateway or a bare CID.

    `None` for a URI of another kind. Raises `BadUriError` for one of this kind that names no content, and
    `RefusedUriError` for a path that leaves its root.
    """
    scheme = _SCHEME.match(uri)
    space = scheme[1].lower() if scheme else ""
    rest = uri[scheme.end() :] if scheme else uri
    if space == "ar":
        return _arweave(rest)
    while namespace := _NAMESPACE.match(rest):
        space, rest = namespace[1].lower(), rest[namespace.end() :]
    if space == "dweb":
        raise BadUriError("its dweb: names neither ipfs nor ipns")
    if not space and cid_of(_END_OF_ROOT.split(rest, 1)[0]) is None:
        return None
    return _below(space or "ipfs", rest)


def content_at(url: HttpUrl) -> ContentUri | None:
    """Return the content that a URL of any gateway names: by path, by subdomain, or at arweave.net.

    `None` for other URLs. Raises `RefusedUriError` for one whose path leaves the content.
    """
    behind = ("" if url.query is None else f"?{url.query}") + (
        "" if url.fragment is None else f"#{url.fragment}"
    )
    root, _, rest = url.host.partition(".")
    if rest.startswith(("ipfs.", "ipns.")):
        space = rest[:4]
        name = _inlined(root) if space == "ipns" and cid_of(root) is None else root
        if _is_root(space, name):
            return _below(space, f"{name}{url.path}{behind}")
    namespace = _NAMESPACE.match(url.path)
    if namespace is not None:
        try:
            return content_uri(f"{url.path}{behind}")
        except RefusedUriError:
            raise
        except BadUriError:
            return None  # a path of that name at a server which is no gateway
    if _ARWEAVE.fullmatch(url.host) and _is_transaction(url.path[1:].partition("/")[0]):
        return _arweave(f"{url.path[1:]}{behind}")
    return None


def _below(space: str, rest: str) -> ContentUri:
    root, path, query, fragment = _split(rest)
    cid = cid_of(root)
    if cid is not None:
        return ContentUri(space, cid.text, path_below(path), query, fragment)
    if not _is_root(space, root.lower()):
        raise BadUriError("it names no CID" if space == "ipfs" else "it names no IPNS name")
    return ContentUri(space, root.lower(), path_below(path), query, fragment)


def _arweave(rest: str) -> ContentUri:
    root, path, query, fragment = _split(rest)
    if not _is_transaction(root):
        raise BadUriError("it names no Arweave transaction")
    return ContentUri("ar", root, path_below(path), query, fragment)


def _split(rest: str) -> tuple[str, str, str, str]:
    """Split root, path, query and fragment, the last two encoded.

    A `#` that has a file's extension behind it is part of a name that its author did not encode (`/Ape #7.png`).
    """
    before, hash_, fragment = rest.partition("#")
    if hash_ and "/" in before and "?" not in before and _FILE_BEHIND_HASH.fullmatch(fragment):
        before, fragment = f"{before}%23{fragment}", ""
        hash_ = ""
    before, mark, query = before.partition("?")
    root, slash, path = before.partition("/")
    return root, slash + path, mark and f"?{encoded_query(query)}", hash_ and f"#{encoded_query(fragment)}"


def _is_root(space: str, name: str) -> bool:
    return cid_of(name) is not None or (space == "ipns" and _DNS_NAME.fullmatch(name) is not None)


def _inlined(label: str) -> str:
    """Return the DNS name in one label of a subdomain gateway, where a dot is a dash and a dash two."""
    return label.replace("--", "\0").replace("-", ".").replace("\0", "-")


def _is_transaction(text: str) -> bool:
    """Tell whether this is an Arweave transaction: 32 bytes in base64url, the two bits left over being zero."""
    if not _TRANSACTION.fullmatch(text):
        return False
    return base64.urlsafe_b64encode(base64.urlsafe_b64decode(f"{text}=")).decode() == f"{text}="
