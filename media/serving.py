"""Serves cached images under MEDIA_URL. A name is its content's hash, so an answer never changes."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from itertools import chain
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views import View

from core.rest.errors import error_response
from core.rest.headers import is_known
from media.files import TYPES_BY_EXTENSION
from media.ranges import Part, UnsatisfiableError, part_of

log = logging.getLogger(__name__)

NAME = re.compile(rf"([0-9a-f]{{2}})/([0-9a-f]{{62}})\.({'|'.join(TYPES_BY_EXTENSION)})", re.ASCII)
"""Names that ``media.files.File`` has: nothing else in the folder can be asked for."""

FOR_EVER = "public, max-age=31536000, immutable"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # Third parties made these bytes: even opened as a page of their own they may do nothing.
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
_CHUNK = 64 * 1024


class FileView(View):
    """One file, by the name that records link to."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, name: str) -> HttpResponseBase:
        """Stream the file or a range of it; 304 to whoever holds it, 404 for any other name, 503 without the bucket."""
        named = NAME.fullmatch(name)
        if named is None:
            raise Http404
        etag = f'"{named[1]}{named[2]}"'
        if settings.MEDIA_ACCEL_PREFIX:
            response: HttpResponseBase = _accelerated(name)
        else:
            try:
                response = self._answer(request, name, etag)
            except FileNotFoundError:
                raise Http404 from None
            except ConnectionError as error:
                log.warning("The bucket of cached images does not answer: %s", error)
                return error_response(HTTPStatus.SERVICE_UNAVAILABLE)
            response["ETag"] = etag
            is_found = response.status_code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
            response["Cache-Control"] = FOR_EVER if is_found else "no-store"
        if response.status_code in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            response["Content-Type"] = TYPES_BY_EXTENSION[named[3]]
        for header, value in HEADERS.items():
            response[header] = value
        return response

    def _answer(self, request: HttpRequest, name: str, etag: str) -> HttpResponseBase:
        file = default_storage.open(name)
        if is_known(etag, request.headers.get("If-None-Match", "")):
            file.close()
            return _bodiless(HTTPStatus.NOT_MODIFIED)
        size = file.size
        try:
            part = part_of(_range_of(request, etag), size)
        except UnsatisfiableError:
            file.close()
            response = _bodiless(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
            response["Content-Range"] = f"bytes */{size}"
            return response
        return _stream(request, file, size, part)


def _accelerated(name: str) -> HttpResponse:
    """Leave the file to the proxy in front, which knows ranges and conditions (nginx: X-Accel-Redirect).

    nginx keeps of our headers only a few, but those also where the file is gone: it would have a 404 kept for a year,
    so how long a file is kept is for its location to say (docs/images.md).
    """
    response = HttpResponse()
    response["X-Accel-Redirect"] = settings.MEDIA_ACCEL_PREFIX + quote(name)
    return response


def _range_of(request: HttpRequest, etag: str) -> str:
    """Return the Range header, empty where it holds for other content only (If-Range) or for nothing.

    RFC 9110, section 14.2: it is defined for GET alone.
    """
    if request.method != "GET":
        return ""
    condition = request.headers.get("If-Range")
    return request.headers.get("Range", "") if condition in (None, etag) else ""


def _bodiless(status: HTTPStatus) -> HttpResponse:
    response = HttpResponse(status=status)
    del response["Content-Type"]
    return response


def _stream(request: HttpRequest, file: File[Any], size: int, part: Part | None) -> HttpResponseBase:
    sent = part or Part(0, size - 1)
    chunks: Iterator[bytes] = iter(())
    if request.method != "GET":
        file.close()
    else:
        chunks = _chunks(file, sent)
        chunks = chain([next(chunks, b"")], chunks)  # a bucket that fails does so before anything is promised
    response = StreamingHttpResponse(
        chunks, status=HTTPStatus.OK if part is None else HTTPStatus.PARTIAL_CONTENT
    )
    response._resource_closers.append(file.close)  # type: ignore[attr-defined] # as FileResponse does
    response["Accept-Ranges"] = "bytes"
    response["Content-Length"] = str(sent.length)
    if part is not None:
        response["Content-Range"] = f"bytes {part.first}-{part.last}/{size}"
    return response


def _chunks(file: File[Any], part: Part) -> Iterator[bytes]:
    with closing(file):
        file.seek(part.first)
        left = part.length
        while left and (chunk := file.read(min(left, _CHUNK))):
            left -= len(chunk)
            yield chunk
