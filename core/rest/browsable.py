"""The browsable API: the same answers for people, below the filter form, page by page. Needs no scripts."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.forms import Form
from django.http import HttpRequest
from django.template.loader import render_to_string
from rest_framework.renderers import BrowsableAPIRenderer

from core.rest.cards import Card, pretty

UNANSWERED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS)
_OF_THE_PAGE = ("includeLastTransfer", "sortBy", "limit", "cursor")


class OperationRenderer(BrowsableAPIRenderer):
    """Draws an operation's answer, or its errors, below the form of its filter set."""

    template = "nftsite/operation.html"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the page; to who may not ask, one that costs next to nothing: his requests are to cost nobody."""
        status = (renderer_context or {})["response"].status_code
        if status in UNANSWERED:
            told = {"title": HTTPStatus(status).phrase, "detail": data["errors"][0]["detail"]}
            return render_to_string("nftsite/failure.html", told)
        return super().render(data, accepted_media_type, renderer_context)

    def get_content(
        self,
        renderer: Any,
        data: Any,
        accepted_media_type: str | None,
        renderer_context: Mapping[str, Any],
    ) -> str:
        """Return the body as JSON to read."""
        return pretty(data)

    def get_context(
        self, data: Any, accepted_media_type: str | None, renderer_context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the context of the template: DRF's, the filter form, cards, and the addresses of other pages."""
        context: dict[str, Any] = super().get_context(data, accepted_media_type, renderer_context)
        view, request = context["view"], context["request"]
        filterset = getattr(view, "filterset", None) or view.filterset_class()
        page = data if isinstance(data, dict) and "data" in data else {}
        cursor = page.get("nextCursor")
        cards: list[Card] = [view.card(record) for record in page.get("data", ())]
        return context | {
            "prose": view.get_view_description(),
            "form": _in_reading_order(filterset.form),
            "is_page": "data" in page,
            "cards": cards,
            "next_url": cursor and with_parameters(request, cursor=cursor),
            "first_url": with_parameters(request, cursor=None) if "cursor" in request.GET else None,
            "json_url": with_parameters(request, format="json"),
        }

    def get_filter_form(self, data: Any, view: Any, request: Any) -> None:
        """Draw none of DRF's, whose dialog needs scripts: the template has the form itself."""


def _in_reading_order(form: Form) -> Form:
    """Put what selects first, and how the page is made last."""
    form.order_fields([name for name in form.fields if name not in _OF_THE_PAGE])
    return form


def with_parameters(request: HttpRequest, **parameters: str | None) -> str:
    """Return the address of the request with some parameters changed; ``None`` leaves one out."""
    query = request.GET.copy()
    for name, value in parameters.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return f"{request.path}?{query.urlencode()}" if query else request.path
