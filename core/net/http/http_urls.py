"""http and https URLs as authors write them, taken apart: host in ASCII, path and query encoded exactly once."""

from __future__ import annotations

import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from core.net.http.uri_errors import BadUriError
from core.net.http.uri_paths import encoded_path, encoded_query, resolved_path

DEFAULT_PORTS = {"http": 80, "https": 443}
_HTTP = re.compile(r"(https?):[/\\]*", re.IGNORECASE)
_LONGEST_HOST = 253
_NAME = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
_NUMERIC = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")


class HttpUrl(NamedTuple):
    """A URL. `host` is a name in lower case or an address without brackets; `path` starts with a slash.

    `userinfo` and `query` stand without their `@` and `?`; `query` is `None` where there is none.
    """

    scheme: str
    userinfo: str
    host: str
    port: int
    path: str
    query: str | None
    fragment: str | None

    @property
    def authority(self) -> str:
        """Host and, if it is not the scheme's own, port: the value of a Host header (RFC 9110, 7.2)."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return shown if self.port == DEFAULT_PORTS[self.scheme] else f"{shown}:{self.port}"

    @property
    def target(self) -> str:
        """Path and query, as a request line has them."""
        return self.path + ("" if self.query is None else f"?{self.query}")

    def __str__(self) -> str:
        """Return the whole URL."""
        at = f"{self.userinfo}@" if self.userinfo else ""
        behind = "" if self.fragment is None else f"#{self.fragment}"
        return f"{self.scheme}://{at}{self.authority}{self.target}{behind}"


def is_http(uri: str) -> bool:
    """Tell whether a text starts like an http or https URL."""
    return _HTTP.match(uri) is not None


def http_url(text: str) -> HttpUrl:
    """Take an http or https URL apart. Raises `BadUriError` for what is none."""
    head = _HTTP.match(text)
    if head is None:
        raise BadUriError("it is no http or https URL")
    scheme = head[1].lower()
    authority, path, query, fragment = _parts(text[head.end() :])
    if "\\" in authority:
        raise BadUriError("its host is followed by a backslash")
    userinfo, at, place = authority.rpartition("@")
    try:
        # urlsplit alone reads host and port; brackets and the characters of a host are checked there.
        parts = urlsplit(f"//{place}")
        found, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadUriError("its host or port is malformed") from None
    if parts.netloc != place or port == 0:
        raise BadUriError("its host or port is malformed")
    return HttpUrl(
        scheme,
        encoded_query(userinfo) if at else "",
        ascii_host(found, bracketed=place.startswith("[")),
        port or DEFAULT_PORTS[scheme],
        resolved_path(encoded_path(path)) or "/",
        None if query is None else encoded_query(query),
        None if fragment is None else encoded_query(fragment),
    )


def ascii_host(host: str, *, bracketed: bool = False) -> str:
    """Return a host as it is looked up: an address in its usual form, or an ASCII name in lower case.

    Names are mapped as by IDNA, which also turns full-width digits and ideographic full stops into plain ones; a dot
    at the end is dropped. A host that ends in a number is an IPv4 address, in any of the spellings that `inet_aton`
    knows (WHATWG URL, 3.5). Raises `BadUriError` for what can be no host.
    """
    if bracketed:
        try:
            return socket.inet_ntop(socket.AF_INET6, socket.inet_pton(socket.AF_INET6, host))
        except OSError:
            raise BadUriError("its host is no IPv6 address") from None
    if len(host) > _LONGEST_HOST:
        raise BadUriError("its host is no name")
    try:
        name = host.encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        raise BadUriError("its host is no name") from None
    if len(name) > _LONGEST_HOST or not _NAME.fullmatch(name):
        raise BadUriError("its host is no name")
    if _NUMERIC.fullmatch(name.rpartition(".")[2]):
        try:
            return socket.inet_ntoa(socket.inet_aton(name))
        except OSError:
            raise BadUriError("its host is no IPv4 address") from None
    return name


def _parts(rest: str) -> tuple[str, str, str | None, str | None]:
    """Split what follows the slashes of a URL: authority, path, query, fragment (RFC 3986, appendix B)."""
    rest, hash_, fragment = rest.partition("#")
    rest, mark, query = rest.partition("?")
    authority, slash, path = rest.partition("/")
    return authority, slash + path, query if mark else None, fragment if hash_ else None
