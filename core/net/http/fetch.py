"""Fetches documents from wherever strangers say: guarded against what URLs may lead to and servers may do."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import urljoin

from urllib3.util import make_headers

from core.net.http.content_uris import ContentUri, content_uri
from core.net.http.data_uris import decode_data_uri, is_data_uri
from core.net.http.fetch_errors import FetchError, FetchKind
from core.net.http.gateways import Gateway, Gateways
from core.net.http.guarded_addresses import is_public
from core.net.http.http_get import Answer, NoConnectionError, get, tls_context
from core.net.http.http_headers import USER_AGENT
from core.net.http.http_urls import HttpUrl, http_url, is_http
from core.net.http.lookups import Lookups, Resolve, is_address, system_addresses
from core.net.http.uris import BadUriError, RefusedUriError, canonical
from core.net.http.urllib3_logs import keep_urls_out

__all__ = ["FetchError", "FetchKind", "Fetched", "Fetcher"]

MAX_REDIRECTS = 3
_ADDRESSES_TRIED = 3
_LONGEST_ESCAPE = 3
"""Characters of a `data:` URI for one byte."""
_LONGEST_HEAD = 1_000
_LOCAL_NAMES = ("localhost", "local", "internal", "home.arpa", "onion", "test", "invalid")
"""Names that belong to no public server (RFC 6761, 6762, 7686, 8375 and ICANN's .internal)."""

_MISSING = frozenset({401, 402, 403, 404})
"""Object stores say 403 for what is not there, to whoever may not list it."""
_GONE = frozenset({410, 451})
_BUSY = frozenset({202, 408, 425, 429})
"""Arweave's gateways accept (202) what is not in a block yet."""
_DOWN = frozenset({429, 502, 503})
_HOPEFUL = [FetchKind.UNREACHABLE, FetchKind.MISSING, FetchKind.GONE, FetchKind.REFUSED, FetchKind.UNUSABLE]
"""Of what several gateways say, the first in this order counts: another try may help."""


class Fetched(NamedTuple):
    """A document. `url` is where it was found in the end, without any gateway; `media_type` as the server says."""

    url: str
    body: bytes
    media_type: str


class Fetcher:
    """Fetches http(s), `ipfs:`, `ipns:`, `ar:` and `data:` URIs. May be used from several threads.

    A URL is only followed to public addresses and the ports 80 and 443, looked up once and connected to as looked up,
    and so is each of at most three redirects. The operator's gateways may be anywhere, but are only asked for content;
    they stand in for each other. `timeout` is in seconds, for everything from the look-up to the last byte; `max_body`
    in bytes, packed and unpacked: an answer with more is refused, or with `is_cut` read so far and left. `context`
    tells whose certificates count (default: the system's authorities), `clock` returns seconds that only grow. Raises
    `ValueError` for a gateway that is no http(s) URL.
    """

    def __init__(
        self,
        *,
        ipfs_gateways: Sequence[str],
        arweave_gateways: Sequence[str],
        timeout: float = 30.0,
        max_body: int = 4 * 1024 * 1024,
        is_cut: bool = False,
        resolve: Resolve = system_addresses,
        is_allowed: Callable[[str], bool] = is_public,
        ports: frozenset[int] = frozenset({80, 443}),
        context: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        keep_urls_out()
        self._ipfs = Gateways(ipfs_gateways)
        self._arweave = Gateways(arweave_gateways)
        self._timeout = timeout
        self._max_body = max_body
        self._is_cut = is_cut
        self._lookups = Lookups(resolve)
        self._is_allowed = is_allowed
        self._ports = ports
        self._clock = clock
        self._context = context or tls_context()
        packings: dict[str, str] = make_headers(accept_encoding=True)
        self._headers = {"User-Agent": USER_AGENT, "Accept": "*/*", **packings}

    def fetch(self, uri: str) -> Fetched:
        """Return what a URI names. Raises `FetchError`, and nothing else."""
        until = self._clock() + self._timeout
        try:
            found = canonical(uri)
            if is_data_uri(found):
                return self._data(found)
        except BadUriError as error:
            kind = FetchKind.REFUSED if isinstance(error, RefusedUriError) else FetchKind.UNUSABLE
            raise FetchError(f"the URI is not followed: {error}", kind) from None
        if is_http(found):
            answer, url = self._follow(http_url(found), until)
            return Fetched(str(url), answer.body, answer.media_type)
        content = content_uri(found)
        assert content is not None, "canonical() returns http, data and content URIs"
        return self._content(content, until)

    def _data(self, uri: str) -> Fetched:
        """Decode a URI that is its own document; one too long is not even decoded."""
        if len(uri) <= _LONGEST_ESCAPE * self._max_body + _LONGEST_HEAD:
            media_type, body = decode_data_uri(uri)
            if len(body) <= self._max_body:
                return Fetched(uri, body, media_type)
        raise FetchError(f"the data: URI has more than {self._max_body:,} bytes", FetchKind.TOO_LARGE)

    def _content(self, content: ContentUri, until: float) -> Fetched:
        """Ask one gateway after the other, each but the last for half of the time that is left."""
        gateways = self._arweave if content.space == "ar" else self._ipfs
        order = gateways.in_order(self._clock())
        faults: list[FetchError] = []
        for place, gateway in enumerate(order, start=1):
            now = self._clock()
            share = until if place == len(order) else now + (until - now) / 2
            try:
                answer, _ = self._follow(gateway.url_of(content), share, (gateway, content))
            except FetchError as fault:
                if fault.kind is FetchKind.TOO_LARGE:
                    raise
                faults.append(fault)
                self._note(gateways, gateway, fault)
                continue
            gateways.answered(gateway)
            return Fetched(str(content), answer.body, answer.media_type)
        if not faults:
            raise FetchError(f"no gateway for {content.space}: is configured", FetchKind.UNREACHABLE)
        raise min(faults, key=lambda fault: _HOPEFUL.index(fault.kind))

    def _note(self, gateways: Gateways, gateway: Gateway, fault: FetchError) -> None:
        if fault.kind is FetchKind.UNREACHABLE:
            surely = isinstance(fault, NoConnectionError | _DownError)
            gateways.failed(gateway, self._clock(), surely=surely, retry_after=fault.retry_after)
        elif fault.kind is FetchKind.MISSING:
            gateways.answered(gateway)

    def _follow(
        self, url: HttpUrl, until: float, within: tuple[Gateway, ContentUri] | None = None
    ) -> tuple[Answer, HttpUrl]:
        """Get a URL and what it redirects to; `within` says that it is a gateway's, and for what."""
        trusted = within is not None
        for _ in range(MAX_REDIRECTS + 1):
            name = f"{url.scheme}://{url.authority}"
            headers = {**self._headers, **(within[0].headers if within and trusted else {})}
            addresses = self._addresses(url, until) if trusted else self._vetted(url, until)
            answer = self._get(url, addresses, headers, until)
            if answer.location is None:
                _check_status(name, answer)
                return answer, url
            url, trusted = _redirected(url, answer.location, within)
        raise FetchError(f"{name}: more than {MAX_REDIRECTS} redirects", FetchKind.REFUSED)

    def _vetted(self, url: HttpUrl, until: float) -> list[str]:
        """Return the addresses of a stranger's URL. Raises `FetchError` unless all of them and all else is allowed."""
        name = f"{url.scheme}://{url.authority}"
        if url.userinfo:
            raise FetchError(f"{name}: a URL with a user or password", FetchKind.REFUSED)
        if url.port not in self._ports:
            raise FetchError(f"{name}: a port that is not asked", FetchKind.REFUSED)
        if not is_address(url.host) and ("." not in url.host or _is_local(url.host)):
            raise FetchError(f"{name}: a local name", FetchKind.REFUSED)
        addresses = self._addresses(url, until)
        if not all(map(self._is_allowed, addresses)):
            raise FetchError(f"{name}: not a public address", FetchKind.REFUSED)
        return addresses

    def _addresses(self, url: HttpUrl, until: float) -> list[str]:
        name = f"{url.scheme}://{url.authority}"
        try:
            addresses = self._lookups.addresses(url.host, until - self._clock())
        except TimeoutError:
            raise FetchError(f"{name}: the name was not looked up in time", FetchKind.UNREACHABLE) from None
        except (OSError, UnicodeError):
            raise NoConnectionError(f"{name}: the name has no address", FetchKind.UNREACHABLE) from None
        if not addresses:
            raise NoConnectionError(f"{name}: the name has no address", FetchKind.UNREACHABLE)
        return addresses

    def _get(self, url: HttpUrl, addresses: list[str], headers: dict[str, str], until: float) -> Answer:
        """Get a URL from the first of its addresses at which something listens."""
        fault = FetchError(f"{url.scheme}://{url.authority}: no connection in time", FetchKind.UNREACHABLE)
        for address in addresses[:_ADDRESSES_TRIED]:
            left = until - self._clock()
            if left <= 0:
                break
            try:
                return get(
                    url,
                    address,
                    headers=headers,
                    seconds=left,
                    max_body=self._max_body,
                    is_cut=self._is_cut,
                    context=self._context,
                )
            except NoConnectionError as error:
                fault = error
        raise fault


class _DownError(FetchError):
    """A server that says itself that it cannot answer now."""


def _check_status(name: str, answer: Answer) -> None:
    """Raise `FetchError` unless the status is 200."""
    status, wait = answer.status, answer.retry_after
    reason = f"{name}: status {status}"
    if status == 200:
        return
    if status in _DOWN:
        raise _DownError(reason, FetchKind.UNREACHABLE, wait)
    if status in _BUSY or status >= 500:
        raise FetchError(reason, FetchKind.UNREACHABLE, wait)
    if status in _MISSING:
        raise FetchError(reason, FetchKind.MISSING, wait)
    raise FetchError(reason, FetchKind.GONE if status in _GONE else FetchKind.UNUSABLE)


def _redirected(
    url: HttpUrl, location: str, within: tuple[Gateway, ContentUri] | None
) -> tuple[HttpUrl, bool]:
    """Return where a redirect leads, and whether to a gateway's own place for the same content.

    What leads anywhere else, be it at the gateway's host, is a stranger's URL.
    """
    name = f"{url.scheme}://{url.authority}"
    try:
        # http.client reads headers as Latin-1; servers write UTF-8.
        text = location.encode("latin-1").decode("utf-8", "replace").strip()
        target = urljoin(str(url), text)
        if not is_http(target):
            raise FetchError(f"{name}: a redirect to another scheme", FetchKind.REFUSED)
        following = http_url(target)
    except ValueError:
        raise FetchError(f"{name}: a redirect to no URL", FetchKind.UNUSABLE) from None
    if within is not None:
        gateway, content = within
        found = gateway.content_of(following, content)
        if found is not None:
            return gateway.url_of(found._replace(query=content.query)), True
    return following, False


def _is_local(host: str) -> bool:
    return any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
