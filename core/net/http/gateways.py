"""The operator's gateways to IPFS and Arweave: what they are asked for, and which of them first."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from urllib.parse import urlsplit

from core.net.http.content_uris import ContentUri, content_uri
from core.net.http.http_headers import basic_authorization
from core.net.http.http_urls import HttpUrl, http_url
from core.net.http.secrets import redacted
from core.net.http.uri_errors import BadUriError

COOL_DOWN = 60.0
"""Seconds for which a gateway that is down is asked last."""
_STRIKES = 3
"""Failures in a row after which it is down: one that hangs may only fail to find what nobody has."""


class Gateway:
    """A gateway by its base URL, which may hold a key (as user, in its path or query): `name` alone may be shown.

    It is asked for content below its base and for nothing else. Raises `ValueError` for what is no http(s) URL.
    """

    def __init__(self, base: str) -> None:
        self.name = redacted(base)
        parts = urlsplit(base.strip())
        self._base = http_url(base.strip())._replace(userinfo="", fragment=None)
        self._prefix = self._base.path.rstrip("/").removesuffix("/ipfs")  # both ways to write it are in use
        self.headers: dict[str, str] = {}
        if parts.username is not None:
            self.headers["Authorization"] = basic_authorization(parts.username, parts.password or "")

    @property
    def host(self) -> str:
        return self._base.host

    def url_of(self, content: ContentUri) -> HttpUrl:
        """Return where the gateway has some content."""
        queries = [query for query in (self._base.query, content.query.removeprefix("?")) if query]
        return self._base._replace(path=f"{self._prefix}{content.place}", query="&".join(queries) or None)

    def content_of(self, url: HttpUrl, like: ContentUri) -> ContentUri | None:
        """Return what a URL names at this very gateway, if it shares the root of `like`; else `None`."""
        at_base = (url.scheme, url.host, url.port) == (self._base.scheme, self._base.host, self._base.port)
        if not at_base or not url.path.startswith(f"{self._prefix}/"):
            return None
        place = url.path.removeprefix(self._prefix)
        try:
            found = content_uri(f"ar:{place}" if like.space == "ar" else place)
        except BadUriError:
            return None
        return found if found is not None and found.shares_root(like) else None


class Gateways:
    """Gateways in the operator's order, those that are down last. May be used from several threads."""

    def __init__(self, bases: Sequence[str]) -> None:
        self._all = [Gateway(base) for base in bases]
        self._strikes: dict[Gateway, int] = {}
        self._down_until: dict[Gateway, float] = {}
        self._lock = threading.Lock()

    def in_order(self, now: float) -> list[Gateway]:
        """Return them all in the order in which to ask them at `now`, in seconds of the caller's clock."""
        with self._lock:
            return sorted(self._all, key=lambda gateway: self._down_until.get(gateway, now) > now)

    def answered(self, gateway: Gateway) -> None:
        """Take note that a gateway works."""
        with self._lock:
            self._strikes.pop(gateway, None)
            self._down_until.pop(gateway, None)

    def failed(self, gateway: Gateway, now: float, *, surely: bool, retry_after: float | None) -> None:
        """Take note that a gateway gave no answer; `surely` when it was the gateway's fault and not the content's."""
        with self._lock:
            strikes = self._strikes.get(gateway, 0) + (_STRIKES if surely else 1)
            self._strikes[gateway] = strikes
            if strikes >= _STRIKES:
                self._down_until[gateway] = now + min(max(retry_after or 0.0, COOL_DOWN), 10 * COOL_DOWN)
