"""What HTTP adds around an answer: request ids and the access log, CORS, and one middleware for ETag, gzip and caching.

All of it is generic; nothing here knows an operation.
"""

import hashlib
import logging
import re
import time
import uuid
from http import HTTPStatus
from urllib.parse import quote

from django.conf import settings
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from isal import igzip

from core.logs import NO_REQUEST, request_id
from core.rest import facts, numbers
from core.rest.errors import error_response, is_of_api
from core.rest.middleware import Middleware

access_log = logging.getLogger("access")

REQUEST_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
EXPOSED_HEADERS = (
    "ETag, X-Request-ID, X-Result-Limit, X-Indexed-Block, X-Indexed-At, X-Asks-At, "
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate"
)
ALLOWED_METHODS = "GET, HEAD, OPTIONS"
ALLOWED_HEADERS = "Accept, Authorization, Cache-Control, Content-Type, If-None-Match, X-API-Key, X-Request-ID"
PREFLIGHT_SECONDS = 86_400

LONGEST_HEADER = 8_190
"""Bytes of a header that is taken apart, as many as gunicorn reads of one; several of one name are one header."""
TAKEN_APART = (
    *("HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING", "HTTP_ACCEPT_LANGUAGE", "HTTP_COOKIE", "HTTP_FORWARDED"),
    *("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_NONE_MATCH", "HTTP_RANGE", "HTTP_X_FORWARDED_FOR"),
)
"""Headers, by their names in WSGI, whose parsing costs time that grows with their length, or with its square."""

BODILESS = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}
GZIP_MINIMUM = 500
"""Bytes below which compressing costs more than it saves."""
GZIP_LEVEL = 2
"""Of ISA-L: smaller than zlib's level 1 at a quarter of its time. Levels are 0 to 3."""


class RequestLogMiddleware(Middleware):
    """Names every request and writes one log line about it.

    `X-Request-ID` is taken from the request when it is 1 to 64 letters, digits, `_`, `.` or `-`, else made; it goes out
    with the answer and into every log line written meanwhile. The query string is not logged.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer under the request's id."""
        given = request.headers.get("X-Request-ID", "")
        identifier = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        request_id.set(identifier)  # until the request is finished: Django logs errors after all middlewares
        known = facts.begin()
        started = time.perf_counter()
        response = self.get_response(request)
        response["X-Request-ID"] = identifier
        seconds = time.perf_counter() - started
        known.operation = known.operation or _place_of(request)
        numbers.count(known, response.status_code, seconds)
        line = {
            "method": request.method,
            "path": quote(request.path),
            "status": response.status_code,
            "ms": round(seconds * 1000, 1),
            **known.logged(),
        }
        access_log.info("%(method)s %(path)s %(status)s %(ms)s ms", line, extra=line)
        return response


def _place_of(request: HttpRequest) -> str:
    """Return the name of the address that answered what is no operation; all pages of the admin have one."""
    match = request.resolver_match
    if match is None:
        return "other"  # nothing is there, or the request got no further than a middleware
    return match.namespaces[0] if match.namespaces else match.url_name or "other"


@receiver(request_finished)
def forget_request(**_: object) -> None:
    """What the thread logs between two requests belongs to neither."""
    request_id.set(NO_REQUEST)
    facts.end()


class BodyLengthMiddleware(Middleware):
    """States the length of every body, and sends none in answer to HEAD: views answer that as they answer GET."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with a Content-Length wherever there may be one."""
        response = self.get_response(request)
        if isinstance(response, HttpResponse) and response.status_code not in BODILESS:
            response["Content-Length"] = str(len(response.content))
            if request.method == "HEAD":
                response.content = b""
        return response


class CorsMiddleware(Middleware):
    """Opens the API and the cached images to scripts of any origin: public, read only, and without cookies."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a preflight at once; let everything else pass and allow it to be read."""
        if not is_of_api(request) and not request.path_info.startswith(settings.MEDIA_URL):
            return self.get_response(request)
        response: HttpResponseBase
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response = HttpResponse(status=HTTPStatus.NO_CONTENT)
            response["Access-Control-Allow-Methods"] = ALLOWED_METHODS
            response["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
            response["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
        else:
            response = self.get_response(request)
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return response


class HostMiddleware(CommonMiddleware):
    """Django's, which refuses hosts that are none of ours; probes may name whatever address they reach us at."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Refuse a host, but for probes, whose answers have no address in them."""
        return None if request.path_info in settings.PROBES else super().process_request(request)


class HeaderLengthMiddleware(Middleware):
    """Refuses headers that would cost more to read than the answer, also behind servers that allow them."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with 431 where a header is too long."""
        for name in TAKEN_APART:
            if len(request.META.get(name, "")) > LONGEST_HEADER:
                shown = name.removeprefix("HTTP_").replace("_", "-").title()
                told = f"The header {shown} is too long: {LONGEST_HEADER:,} bytes are allowed."
                return error_response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, told)
        return self.get_response(request)


class RepresentationMiddleware(Middleware):
    """Strong ETag, 304, gzip and Cache-Control of successful answers of the API and its pages; to POST gzip alone.

    Django's own middlewares cannot do this together: its gzip adds random bytes, so that two equal answers differ and
    their tag has to be weak. Ours compresses the same body to the same bytes, and each coding has a tag of its own.
    Compression tells nothing here that an attacker could not read himself: no answer holds a secret.

    A view may set `max_age_limit` (seconds) on its response when something in it is known to change by then.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and complete a 200 of the API or a page beside it."""
        response = self.get_response(request)
        if (
            response.status_code != HTTPStatus.OK
            or request.method not in {"GET", "HEAD", "POST"}
            or not (is_of_api(request) or is_page(request))
            or not isinstance(response, HttpResponse)
        ):
            return response
        if request.method == "POST":
            response["Cache-Control"] = "no-store"
        elif "Cache-Control" not in response:
            response["Cache-Control"] = cache_control(getattr(response, "max_age_limit", None))
        patch_vary_headers(response, ["Accept", "Accept-Encoding"])
        body = response.content
        compress = len(body) >= GZIP_MINIMUM and accepts_gzip(request.headers.get("Accept-Encoding", ""))
        if request.method != "POST":  # whose answer has no address that it could be kept under
            tag = hashlib.blake2b(body, digest_size=16).hexdigest()
            response["ETag"] = f'"{tag}-gzip"' if compress else f'"{tag}"'
            if is_known(response["ETag"], request.headers.get("If-None-Match", "")):
                return not_modified(response)
        if compress:
            response.content = igzip.compress(body, GZIP_LEVEL, mtime=0)
            response["Content-Encoding"] = "gzip"
        return response


def is_page(request: HttpRequest) -> bool:
    """Whether a request is for a page for people beside the API: its answers, told in another way."""
    return request.path_info == "/" or request.path_info.startswith(tuple(settings.PAGE_PREFIXES))


def cache_control(limit: float | None) -> str:
    """`no-cache` (keep, but ask each time), or the configured age, at most `limit` seconds.

    Where only keys are answered, no cache that others use may keep it.
    """
    age = settings.API_MAX_AGE if limit is None else int(min(settings.API_MAX_AGE, limit))
    if settings.API_KEYS == "required":
        return f"private, max-age={age}" if age > 0 else "private, no-cache"
    return f"public, max-age={age}" if age > 0 else "no-cache"


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether the client takes gzip: named (or meant by `*`) with a weight above 0."""
    weights: dict[str, float] = {}
    for entry in accept_encoding.lower().split(","):
        coding, _, parameter = entry.partition(";")
        weight = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d*)?)\s*", parameter, re.ASCII)
        weights[coding.strip()] = float(weight[1]) if weight else 1.0
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def is_known(etag: str, if_none_match: str) -> bool:
    """Whether the client holds this representation; by weak comparison, since proxies weaken tags (RFC 9110)."""
    held = parse_etags(if_none_match)
    return held == ["*"] or etag in (tag.removeprefix("W/") for tag in held)


def not_modified(response: HttpResponse) -> HttpResponse:
    """The 304 in place of a 200: the same headers without those that describe a body."""
    response.status_code = HTTPStatus.NOT_MODIFIED
    response.content = b""
    for name in ("Content-Type", "Content-Length", "Content-Encoding"):
        if name in response:
            del response[name]
    return response
