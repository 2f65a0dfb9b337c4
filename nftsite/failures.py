"""What outside of the API becomes of exceptions: 404, 503 without a database, 400 for values that it cannot take.

The views of the API have an exception handler of their own (`rest/errors.py`), which says the same.
"""

from __future__ import annotations

import sys
import traceback
from http import HTTPStatus

from django.core.exceptions import FieldDoesNotExist, SuspiciousOperation
from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string

from core.backoffice.middleware import ADMIN_PREFIX
from core.rest.errors import DETAILS, RETRY_SECONDS, error_response, failure_detail, wants_json
from core.rest.middleware import Middleware

VALUE_FAULTS = (ValueError, TypeError, OverflowError)
"""What fields and drivers raise for a value that no column holds: a NUL, a number out of range, a word for a number."""
UNREADABLE = (MultiPartParserError, SuspiciousOperation, LookupError, ValueError)
"""What reading a form raises: cut off, too long, too many fields, in a coding that is none."""


class FailureMiddleware(Middleware):
    """Answers what views raise for such reasons, and refuses forms of the admin that cannot be read."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, unless the form cannot be read."""
        if request.method == "POST" and request.path_info.startswith(ADMIN_PREFIX):
            try:
                request.POST  # noqa: B018 - parsed now; middlewares behind this one would fail at it
            except UNREADABLE:
                return failure(request, HTTPStatus.BAD_REQUEST)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer to what a view, or the template of its answer, raised."""
        status = status_of(exception)
        return None if status is None else failure(request, status)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler400`: a host that is none of ours, a form that cannot be read."""
    return failure(request, HTTPStatus.BAD_REQUEST)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler404`."""
    return failure(request, HTTPStatus.NOT_FOUND)


def failed(request: HttpRequest) -> HttpResponse:
    """Django's `handler500`: called while the exception is handled, also for what middlewares raise."""
    fault = sys.exc_info()[1]
    status = status_of(fault) if isinstance(fault, Exception) else None
    return failure(request, status or HTTPStatus.INTERNAL_SERVER_ERROR)


def status_of(fault: Exception) -> HTTPStatus | None:
    """503 for a database that does not answer, 400 for a value that it refused; ``None`` for a fault of ours."""
    if isinstance(fault, OperationalError | InterfaceError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    if isinstance(fault, DataError) or (isinstance(fault, VALUE_FAULTS) and _is_of_the_database(fault)):
        return HTTPStatus.BAD_REQUEST
    if isinstance(fault, FieldDoesNotExist) and _modules(fault)[-2].startswith("django.contrib.admin."):
        # Django's admin asked for a field by a name from the address (`?_to_field=`).
        return HTTPStatus.BAD_REQUEST
    return None


def failure(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    """The standard body, or a page for who asks for HTML outside of the API; it needs no database."""
    if wants_json(request):
        return error_response(status)
    detail = failure_detail() if status == HTTPStatus.INTERNAL_SERVER_ERROR else DETAILS[status]
    page = HttpResponse(
        render_to_string("nftsite/failure.html", {"title": status.phrase, "detail": detail}), status=status
    )
    page["Cache-Control"] = "no-store"
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        page["Retry-After"] = str(RETRY_SECONDS)
    return page


def _is_of_the_database(fault: BaseException) -> bool:
    """Whether it was raised below Django's ORM, for a value, and not by code of ours or by a form's."""
    return _modules(fault)[-1].startswith(("django.db.", "django.utils.dateparse", "psycopg2"))


def _modules(fault: BaseException) -> list[str]:
    """The modules through which it came, that of the raising line last, two at least."""
    frames = [frame for frame, _ in traceback.walk_tb(fault.__traceback__)]
    return ["", "", *(str(frame.f_globals.get("__name__", "")) for frame in frames)]
