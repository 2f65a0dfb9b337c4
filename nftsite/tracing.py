"""Traces of requests by OpenTelemetry, imported where OTEL_EXPORTER_OTLP_ENDPOINT names who collects them.

A span a request, by OpenTelemetry's own instrumentation of WSGI, with what the log line says too. They are sent by a
thread of each web process; a collector that is away costs spans, and no page. Its other variables (OTEL_…) mean what
its documentation says.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from core.rest.facts import current

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

SERVICE = "nft-api"
"""What the service is called in traces, unless OTEL_SERVICE_NAME says otherwise."""
UNTRACED = {*settings.PROBES, "/metrics"}
"""Paths that are asked for every few seconds."""


def traced(application: WSGIApplication) -> WSGIApplication:
    """Return an application whose requests are traced. Raises ImproperlyConfigured where a package is missing."""
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.wsgi import OpenTelemetryMiddleware
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as fault:
        raise ImproperlyConfigured(
            f"OTEL_EXPORTER_OTLP_ENDPOINT is set, but {fault.name} cannot be imported. "
            "Run pip install -r requirements-otel.txt, or unset it."
        ) from None
    os.environ.setdefault("OTEL_SERVICE_NAME", SERVICE)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    inner: WSGIApplication = OpenTelemetryMiddleware(
        application, request_hook=_without_query, response_hook=_described
    )

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("PATH_INFO") in UNTRACED:
            return application(environ, start_response)
        if not environ.get("SERVER_PORT", "").isdecimal():
            environ["SERVER_PORT"] = ""  # of a Unix socket it is what the client's Host says
        return inner(environ, start_response)

    return answer


def _without_query(span: Any, environ: WSGIEnvironment) -> None:
    """Leave the query string out of the span, as it is left out of the log."""
    kept = getattr(span, "attributes", None) or {}
    for name in ("http.target", "http.url", "url.query"):
        if name in kept:
            span.set_attribute(name, str(kept[name]).partition("?")[0] if name != "url.query" else "")


def _described(span: Any, environ: WSGIEnvironment, status: str, headers: list[tuple[str, str]]) -> None:
    """Name a span by what was asked for, and add what the log line says of it."""
    facts = current().logged()
    span.update_name(f"{environ['REQUEST_METHOD']} {facts['operation']}")
    for name, value in (facts | {"request_id": dict(headers).get("X-Request-ID", "")}).items():
        span.set_attribute(f"nft.{name}", value)
