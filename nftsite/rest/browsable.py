"""The browsable API: the same answers for people, below the filter form, page by page. Needs no scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from rest_framework.renderers import BrowsableAPIRenderer
from rest_framework.utils.encoders import JSONEncoder


class OperationRenderer(BrowsableAPIRenderer):
    """Draws an operation's answer, or its errors, below the form of its filter set."""

    template = "nftsite/operation.html"

    def get_content(
        self,
        renderer: Any,
        data: Any,
        accepted_media_type: str | None,
        renderer_context: Mapping[str, Any],
    ) -> str:
        """Return the body as JSON to read: indented, with characters of all scripts as they are."""
        text = json.dumps(data, cls=JSONEncoder, indent=2, ensure_ascii=False)
        return text.encode("utf-8", "replace").decode()  # lone surrogates of third-party texts

    def get_context(
        self, data: Any, accepted_media_type: str | None, renderer_context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the context of the template: DRF's, the filter form and the address of the next page."""
        context: dict[str, Any] = super().get_context(data, accepted_media_type, renderer_context)
        view, request = context["view"], context["request"]
        filterset = getattr(view, "filterset", None) or view.filterset_class()
        cursor = data.get("nextCursor") if isinstance(data, dict) else None
        return context | {
            "form": filterset.form,
            "next_url": cursor and next_url(request, cursor),
            "json_url": _with(request, format="json"),
        }

    def get_filter_form(self, data: Any, view: Any, request: Any) -> None:
        """Draw none of DRF's, whose dialog needs scripts: the template has the form itself."""


def next_url(request: HttpRequest, cursor: str) -> str:
    """Return the address of the page behind a cursor."""
    return _with(request, cursor=cursor)


def _with(request: HttpRequest, **parameters: str) -> str:
    query = request.GET.copy()
    for name, value in parameters.items():
        query[name] = value
    return f"{request.path}?{query.urlencode()}"
