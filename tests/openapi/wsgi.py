"""The service by WSGI, as schemathesis calls it."""

from __future__ import annotations

from typing import Any

from django.core.handlers.wsgi import WSGIHandler


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """The service by WSGI; not compressed, since schemathesis takes the bytes as they come."""
    environ.pop("HTTP_ACCEPT_ENCODING", None)
    return WSGIHandler()(environ, start_response)
