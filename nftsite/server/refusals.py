"""What gunicorn answers by itself, before Django sees a request: the body of every error, and no query string in logs.

gunicorn would answer in HTML, quote the request line in its log, and refuse addresses with letters that are not ASCII,
which people type (`curl '…?traits=Hat-Béret'`). Each worker calls `prepare`.
"""

from __future__ import annotations

import re
import uuid
from functools import partial
from http import HTTPStatus
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser

from core.logs import request_id
from core.rest.errors import DETAILS, RETRY_SECONDS, error_body
from core.rest.headers import EXPOSED_HEADERS

RAW = re.compile(rb"[\x80-\xff]")
STATUSES: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    # What the application sent: our own fault.
    (errors.InvalidResponseHeader, HTTPStatus.INTERNAL_SERVER_ERROR),
    (errors.InvalidResponseHeaderName, HTTPStatus.INTERNAL_SERVER_ERROR),
    (errors.ConfigurationProblem, HTTPStatus.INTERNAL_SERVER_ERROR),
    (errors.LimitRequestLine, HTTPStatus.REQUEST_URI_TOO_LONG),
    (errors.LimitRequestHeaders, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    (errors.UnsupportedTransferCoding, HTTPStatus.NOT_IMPLEMENTED),
    (errors.ExpectationFailed, HTTPStatus.EXPECTATION_FAILED),
    (errors.ForbiddenProxyRequest, HTTPStatus.FORBIDDEN),
    (errors.InvalidHTTPVersion, HTTPStatus.HTTP_VERSION_NOT_SUPPORTED),
    (errors.InvalidRequestMethod, HTTPStatus.NOT_IMPLEMENTED),
    (errors.ParseException, HTTPStatus.BAD_REQUEST),
)
"""The first class that an exception is of says the status; whatever is none of them is a 500."""


class Utf8Request(Request):  # type: ignore[misc]  # gunicorn has no types
    """A request whose target may hold raw bytes, as UTF-8 that was typed: they count as percent-encoded."""

    def parse_request_line(self, line_bytes: bytes) -> None:
        method, space, rest = line_bytes.partition(b" ")
        super().parse_request_line(method + space + RAW.sub(lambda found: b"%%%02X" % found[0][0], rest))


def prepare(worker: Any) -> None:
    """Have a worker read such requests, and refuse others with our body."""
    RequestParser.mesg_class = Utf8Request
    worker.handle_error = partial(handle_error, worker)


def handle_error(worker: Any, req: Any, client: Any, addr: Any, exc: Exception) -> None:
    """Answer in place of the worker's own method: ``client`` is the socket, ``addr`` its peer."""
    identifier = uuid.uuid4().hex
    token = request_id.set(identifier)
    try:
        status = status_of(exc)
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            worker.log.exception("A request failed outside of the application: %s", getattr(req, "path", "?"))
        else:
            peer = addr[0] if isinstance(addr, tuple) else "a socket"
            worker.log.warning("Refused a request of %s with %d: %s", peer, status, type(exc).__name__)
        util.write_nonblock(client, answer(status, identifier))
    except OSError:
        worker.log.debug("The client was gone before it was refused.")
    finally:
        request_id.reset(token)


def status_of(exc: Exception) -> HTTPStatus:
    """The status that a fault of reading a request is answered with."""
    return next(
        (status for kind, status in STATUSES if isinstance(exc, kind)), HTTPStatus.INTERNAL_SERVER_ERROR
    )


def answer(status: HTTPStatus, identifier: str, detail: str | None = None) -> bytes:
    """The whole answer as it goes out, after which the connection ends."""
    body = error_body(status, detail or DETAILS.get(status))
    head = {
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Request-ID": identifier,
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    }
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        head["Retry-After"] = str(RETRY_SECONDS)
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in head.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body
