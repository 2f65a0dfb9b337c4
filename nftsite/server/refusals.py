"""What is answered to what never reaches Django: the body of every other error, as bytes of HTTP/1.1."""

from __future__ import annotations

import logging
from http import HTTPStatus

from gunicorn.http import errors

_STATUS: dict[type[BaseException], int] = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.UnsupportedTransferCoding: 501,
    errors.InvalidHTTPVersion: 505,
    errors.ExpectationFailed: 417,
    errors.ForbiddenProxyRequest: 403,
}
"""Statuses of what gunicorn raises; every other fault of a request is 400."""

_DETAIL = {
    414: "The address is too long.",
    431: "The headers are too long.",
    501: "Only plain bodies are taken, with a Content-Length.",
    505: "Only HTTP/1.0 and HTTP/1.1 are spoken.",
}

_logger = logging.getLogger(__name__)


def refusal(status: int, detail: str | None = None) -> bytes:
    """Return a whole answer with the standard body, after which the connection is closed."""
    from nftsite.rest.errors import error_response  # gunicorn loads its worker before Django has its settings

    response = error_response(status, detail)
    lines = [f"HTTP/1.1 {int(status)} {HTTPStatus(status).phrase}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in response.items()]
    lines.append(f"Content-Length: {len(response.content)}")
    return "\r\n".join([*lines, "\r\n"]).encode() + response.content


def refusal_of(exc: BaseException) -> bytes:
    """Return the answer to what gunicorn could not parse, or to a failure outside of Django's handling of errors.

    The log tells a failure with its traceback, and of a request its kind of fault alone: a query is not logged.
    """
    ours = isinstance(exc, errors.InvalidResponseHeader | errors.InvalidResponseHeaderName)
    if ours or not isinstance(exc, errors.ParseException):
        _logger.error("A request failed outside of Django.", exc_info=exc)
        return refusal(HTTPStatus.INTERNAL_SERVER_ERROR)
    status = next((code for kind, code in _STATUS.items() if isinstance(exc, kind)), 400)
    _logger.info("A request was refused with %s: %s", status, type(exc).__name__)
    return refusal(status, _DETAIL.get(status))
