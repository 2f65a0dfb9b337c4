"""What both operations do over HTTP: one query in, one page of records out, as JSON or in the browsable API."""

from __future__ import annotations

import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.http import HttpResponseRedirect
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.rest.browsable import OperationRenderer
from core.rest.cards import Card
from core.rest.filters import QueryFilterSet
from core.rest.freshness import Subject, freshness_headers
from core.rest.pagination import DEPTH_CAP, Page
from core.rest.parameters import has_marker, without_blanks
from core.rest.records import Record
from core.rest.snapshot import snapshot

F = TypeVar("F", bound=QueryFilterSet)


@dataclass(frozen=True, slots=True)
class Answer:
    """A page with its records, and what the query concerned.

    ``first_end`` is when something in the records is known to change (Unix seconds).
    """

    page: Page
    records: list[Record]
    subject: Subject
    first_end: int | None = None


class OperationView(APIView, Generic[F]):
    """Base of the two operations. Subclasses say how a query is read (``filterset_class``) and answered."""

    http_method_names = ["get", "head", "options"]
    renderer_classes = [JSONRenderer, OperationRenderer]
    filterset_class: type[F]
    filterset: F

    @abstractmethod
    def answer(self, filterset: F, now: int) -> Answer:
        """Return the page that a query asks for at ``now`` (Unix seconds).

        Raises ``ValidationError`` with every fault of the query.
        """

    @abstractmethod
    def card(self, record: Record) -> Card:
        """Return what the browsable API shows of a record."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a method that there is not before its format is looked at: that is the graver fault."""
        if (request.method or "").lower() not in self.http_method_names:
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)

    @snapshot()
    def get(self, request: Request) -> Response | HttpResponseRedirect:
        """Answer a query. All of it reads one snapshot of the database, at one moment."""
        query_string = request.META.get("QUERY_STRING", "")
        if request.accepted_renderer.format == OperationRenderer.format and has_marker(query_string):
            return _redirect(request.path, without_blanks(query_string))
        now = int(time.time())
        self.filterset = self.filterset_class(query_string, request=request)
        answer = self.answer(self.filterset, now)
        return _response(answer, now, freshness_headers(answer.subject))


def _response(answer: Answer, now: int, headers: dict[str, str]) -> Response:
    body: dict[str, Any] = {"data": answer.records}
    if answer.page.next_cursor is not None:
        body["nextCursor"] = answer.page.next_cursor
    response = Response(body, headers=headers)
    if answer.page.cut:
        response["X-Result-Limit"] = str(DEPTH_CAP)
    if answer.first_end is not None:
        # Read by the middleware that writes Cache-Control.
        response.max_age_limit = answer.first_end - now  # type: ignore[attr-defined]
    return response


def _redirect(path: str, query_string: str) -> HttpResponseRedirect:
    """Return the redirect of a submitted filter form to the address without its marker and blank controls."""
    return HttpResponseRedirect(f"{path}?{query_string}" if query_string else path)
