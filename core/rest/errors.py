"""One body for every error of the API: `{"type": …, "errors": [{"code", "detail", "attr"}]}`.

Inside DRF views the exception handler of drf-standardized-errors writes it, with the additions below. Whatever Django
itself refuses (an unknown address, a bad host, a failing middleware) gets the same body from ErrorBodyMiddleware, also
with DEBUG on: an API client is never answered in HTML.
"""

import json
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from drf_standardized_errors.handler import ExceptionHandler
from rest_framework import exceptions
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.response import Response

from core.logs import request_id
from core.rest.middleware import Middleware

RETRY_SECONDS = 5
CODES = {
    400: "invalid",
    401: "not_authenticated",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "content_too_large",
    414: "uri_too_long",
    429: "throttled",
    431: "headers_too_large",
    501: "not_implemented",
    503: "service_unavailable",
    505: "version_not_supported",
}
"""The error code of a status, where no parameter is to blame; any other status has "error"."""
DETAILS = {
    400: "The request cannot be understood.",
    404: "There is nothing at this address.",
    405: "Method not allowed: GET, HEAD and OPTIONS are.",
    401: "An API key is needed: Authorization: Bearer <key>, or X-API-Key: <key>.",
    414: "The request line is longer than 8,190 bytes. Ask for fewer values at a time.",
    431: "The headers of the request are too large.",
    501: "The method or the transfer coding of the request is not known here.",
    505: "HTTP/1.0 and HTTP/1.1 are spoken here.",
    503: "The service cannot answer at the moment. Try again later.",
}


class ServiceUnavailable(exceptions.APIException):
    """503 with `Retry-After`: the database, or a resolver that was asked, does not answer. `wait` is in seconds."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_detail = DETAILS[503]
    default_code = CODES[503]

    def __init__(self, detail: str | None = None, code: str | None = None, wait: int = RETRY_SECONDS) -> None:
        super().__init__(detail, code)
        self.wait = wait  # DRF's name for what becomes Retry-After


class BadRequest(exceptions.APIException):
    """400 for a request that is refused as a whole, before any parameter is looked at."""

    status_code = HTTPStatus.BAD_REQUEST
    default_detail = DETAILS[400]
    default_code = CODES[400]


class ApiExceptionHandler(ExceptionHandler):
    """Turns what Django and the database raise into API errors; anything unforeseen is a 500 without internals."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        """A database that does not answer (or takes too long) is a 503, what Django finds suspicious a 400."""
        if isinstance(exc, OperationalError | InterfaceError):
            return ServiceUnavailable()
        if isinstance(exc, SuspiciousOperation):
            return BadRequest()
        if isinstance(exc, exceptions.Throttled):
            exc.detail = exceptions.ErrorDetail(
                over_limit(getattr(exc, "wait", None) or RETRY_SECONDS), exc.default_code
            )
        converted: Exception = super().convert_known_exceptions(exc)
        return converted

    def convert_unhandled_exceptions(self, exc: Exception) -> exceptions.APIException:
        """A fault of ours, told apart only by the request id, which is in the log beside the traceback."""
        if isinstance(exc, exceptions.APIException):
            return exc
        return exceptions.APIException(detail=failure_detail())

    def report_exception(self, exc: exceptions.APIException, response: Response) -> None:
        """Log a failure with its traceback, but for what was raised on purpose: whoever did has told the log why."""
        if not isinstance(self.exc, ServiceUnavailable):
            super().report_exception(exc, response)

    def get_response(self, exc: exceptions.APIException, data: dict[str, Any]) -> Response:
        """The error as a response that no cache keeps."""
        response: Response = super().get_response(exc, data)
        response["Cache-Control"] = "no-store"
        return response


class ErrorBodyMiddleware(Middleware):
    """Gives the standard body to the errors that did not come from a DRF view.

    Browsers keep Django's pages for addresses outside of the API.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and rewrite the body of an error where needed."""
        response = self.get_response(request)
        if response.status_code < HTTPStatus.BAD_REQUEST:
            return response
        if not isinstance(response, HttpResponse) or is_standard(response) or not wants_json(request):
            return response
        standard = error_response(response.status_code)
        told = getattr(response, "data", None)
        if isinstance(told, dict) and "errors" in told:  # by a DRF view that has pages alone
            # DRF's renderer of templates adds the status.
            standard.content = json.dumps({name: told[name] for name in ("type", "errors")}).encode()
        for name in ("Allow", "Content-Range", "Retry-After"):
            if name in response:
                standard[name] = response[name]
        return standard


def over_limit(seconds: float) -> str:
    """What a 429 of the API says: when there is more."""
    return f"The limit of requests is reached. Try again in {seconds:.0f} seconds."


def error_response(status: int, detail: str | None = None) -> HttpResponse:
    """The standard body for `status` from outside of DRF views; a 503 says when to try again."""
    response = HttpResponse(error_body(status, detail), status=status, content_type="application/json")
    response["Cache-Control"] = "no-store"
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


def error_body(status: int, detail: str | None = None) -> bytes:
    """The standard body for `status` as JSON; without a `detail`, what that status says in general."""
    default = (
        failure_detail() if status >= HTTPStatus.INTERNAL_SERVER_ERROR else HTTPStatus(status).phrase + "."
    )
    body = {
        "type": "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "client_error",
        "errors": [
            {
                "code": CODES.get(status, "error"),
                "detail": detail or DETAILS.get(status, default),
                "attr": None,
            }
        ],
    }
    return json.dumps(body).encode()


def failure_detail() -> str:
    """What a 500 says."""
    return f"The service failed to answer. Its log has the reason under request id {request_id.get()}."


def is_standard(response: HttpResponse) -> bool:
    """Whether the body is the standard one: written by a DRF view that has no page of its own, or by us."""
    renderer = getattr(response, "accepted_renderer", None)
    if renderer is not None:
        return bool(renderer.format != TemplateHTMLRenderer.format)
    return response.get("Content-Type", "").startswith("application/json")


def wants_json(request: HttpRequest) -> bool:
    """Whether an error is told in JSON: everywhere in the API, and to whoever does not ask for HTML."""
    return is_of_api(request) or "text/html" not in request.headers.get("Accept", "")


def is_of_api(request: HttpRequest) -> bool:
    """Whether the address lies where programs ask (API_PREFIXES), whether or not anything is there."""
    return request.path_info.startswith(tuple(settings.API_PREFIXES))
