"""What both operations do over HTTP: one query in, one page of records out, as JSON or in the browsable API."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponseRedirect
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.db.reading import one_cursor
from core.rest.browsable import OperationRenderer
from core.rest.facets import Shown
from core.rest.facts import Cost, costs, current
from core.rest.filters import PAGE_FORMAT, QueryFilterBackend, QueryFilterSet
from core.rest.freshness import freshness_headers
from core.rest.parameters import OF_THE_PAGE, has_marker, without_blanks
from core.rest.records import Record, Records
from core.rest.rendering import PageRenderer
from core.rest.servers import of_one_server
from core.rest.states import State


class OperationViewSet(GenericViewSet[Any]):
    """Base of the two operations. Each of DRF's seams does its own work.

    The filter backend folds the query string into a query object (``query_class``, ``filterset_class``), the paginator
    makes row ids of that, :meth:`records` records of those; ``serializer_class`` declares them. ``operation_id`` and
    ``example`` (a page) are for the OpenAPI document. ``orders`` are titles by the name in
    ``sortBy``. People see what :meth:`show` makes of a page, drawn by ``items_template``.
    """

    http_method_names = ["get", "head", "options"]
    renderer_classes = [PageRenderer, OperationRenderer]
    filter_backends = [QueryFilterBackend]
    query_class: type[Any]
    filterset_class: type[QueryFilterSet]
    filterset: QueryFilterSet
    operation_id: str
    example: dict[str, Any]
    orders: Mapping[str, str]
    items_template: str
    shown: Shown

    def get_queryset(self) -> Any:
        """Return the query object for everything, asked at this moment."""
        return self.query_class(now=int(time.time()))

    @abstractmethod
    def records(self, query: Any, row_ids: Sequence[int]) -> Records:
        """Return the records of a page of a query."""

    @abstractmethod
    def show(self, state: State, query: Any, row_ids: Sequence[int], records: Sequence[Record]) -> Shown:
        """Return what the browsable API shows of a page, read in the page's snapshot."""

    def without_answer(self, state: State, faults: Mapping[str, Sequence[str]]) -> Shown:
        """Return what it shows beside the faults of a query that was refused."""
        return Shown()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a method that there is not before its format is looked at: that is the graver fault."""
        current().operation = self.operation_id
        if (request.method or "").lower() not in self.http_method_names:
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)

    @of_one_server
    def list(self, request: Request) -> Response | HttpResponseRedirect:
        """Answer a query. All of it reads one snapshot of the database, at one moment."""
        query_string = request.META.get("QUERY_STRING", "")
        if request.accepted_renderer.format == PAGE_FORMAT:
            if has_marker(query_string):
                return _redirect(request.path, without_blanks(query_string))
            costs(Cost.MODERATE)
        query: Any = self.filter_queryset(self.get_queryset())
        with one_cursor():
            row_ids: Any = self.paginate_queryset(query)
            found = self.records(query, row_ids)
            freshness = freshness_headers(query.subject)
            if request.accepted_renderer.format == PAGE_FORMAT:
                state = State(request.path, self.filterset.parameters)
                state.of_the_page = {name: request.GET[name] for name in OF_THE_PAGE if name in request.GET}
                self.shown = self.show(state, query, row_ids, found.records)
        # As the serializer, which only declares them, has them.
        response = self.get_paginated_response(found.records)
        for name, value in freshness.items():
            response[name] = value
        if found.first_end is not None:
            # Read by the middleware that writes Cache-Control.
            response.max_age_limit = found.first_end - query.now  # type: ignore[attr-defined]
        return response


def _redirect(path: str, query_string: str) -> HttpResponseRedirect:
    """Return the redirect of a submitted filter form to the address without its marker and blank controls."""
    return HttpResponseRedirect(f"{path}?{query_string}" if query_string else path)
