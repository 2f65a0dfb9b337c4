"""Answers about the service itself: health, metrics, its description."""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from rest_framework.request import Request
from rest_framework.response import Response

from core.access.throttling import AllowanceThrottle
from core.db.reading import server
from core.rest.browsable import public_address
from core.rest.errors import error_response
from core.rest.facts import Cost, costs
from core.rest.servers import of_one_server
from core.rest.snapshot import snapshot
from nftsite import guide
from nftsite.metrics import exposition


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process is alive; asks nothing else, so that a broken database restarts no web process."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when requests can be answered: the database is there and has this version's tables. Else 503.

    A replica that may be read is enough: while a primary is replaced, pages are answered from the others.
    """
    try:
        applied = _applied(request)
    except Error:
        return error_response(503, "The database does not answer, or was never migrated.")
    if _migrations() - applied:
        return error_response(503, "The database lacks migrations: run `python manage.py migrate`.")
    return JsonResponse({"status": "ready"})


@of_one_server
def _applied(request: HttpRequest) -> set[tuple[str, str]]:
    # Not applied_migrations(), which lists all tables first.
    return set(MigrationRecorder(connections[server()]).migration_qs.values_list("app", "name"))


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """This version's migrations, by app and name: the code is read once, since that is most of the work."""
    return frozenset(MigrationLoader(None).graph.nodes)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """How indexing stands, in Prometheus' text format. For the operator: a proxy keeps it inside."""
    try:
        with snapshot():
            return HttpResponse(exposition(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    except (OperationalError, InterfaceError):
        return error_response(503, "The database does not answer.")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Whom to tell of weaknesses, in the form of RFC 9116; 404 where the operator names nobody (SECURITY_CONTACT)."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [f"Contact: {uri}" for uri in settings.SECURITY_CONTACT]
    # Always half a year on: what is read now is true now.
    lines.append(f"Expires: {today + timedelta(days=180):%Y-%m-%dT%H:%M:%SZ}")
    if settings.PUBLIC_BASE_URL:
        lines.append(f"Canonical: {settings.PUBLIC_BASE_URL}{request.path_info}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def without_slash(request: HttpRequest, path: str) -> HttpResponse:
    """Redirect an address with a trailing slash to the one without, the query string kept; 404 where none is."""
    try:
        resolve(f"/{path}")
    except Resolver404:
        raise Http404 from None
    address, question, query = request.get_full_path().partition("?")
    return HttpResponsePermanentRedirect(address.rstrip("/") + question + query)


class DocumentationView(SpectacularSwaggerSplitView):
    """The documentation: examples on what is loaded, and a form for every parameter, which needs scripts."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return the page, or (``?script=``) what starts its form."""
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if request.GET.get("script") is None:
            try:
                with snapshot():
                    response.data["examples"] = guide.shown_examples(public_address(request, ""))
            except (OperationalError, InterfaceError):
                response.data["examples"] = None  # the rest needs no database
        return response


@require_safe
@of_one_server
def walk_everything(request: HttpRequest) -> HttpResponse:
    """How to read all pages of a query, in three languages."""
    return render(request, "nftsite/docs_walk.html", {"snippets": guide.walk(public_address(request, ""))})


@require_safe
def every_error(request: HttpRequest) -> HttpResponse:
    """What each error looks like."""
    return render(request, "nftsite/docs_errors.html", {"errors": guide.errors()})


class SchemaView(SpectacularAPIView):
    """The OpenAPI 3.1 document, in JSON or YAML by `Accept` or `?format=`; JSON when it does not matter."""

    throttle_classes = [AllowanceThrottle]
    renderer_classes = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer2, OpenApiYamlRenderer]

    def check_throttles(self, request: Request) -> None:
        """Refuse who is over the limit; to describe the service takes it longer than a page."""
        super().check_throttles(request)
        costs(Cost.MODERATE)
