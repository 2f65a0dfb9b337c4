"""The browsable API: the same answers for people, results first, filters beside them. Needs no scripts."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.forms import BoundField
from django.template.loader import render_to_string
from rest_framework.renderers import BrowsableAPIRenderer

from core.rest.cards import pretty
from core.rest.facets import Shown
from core.rest.fields import ListField
from core.rest.filters import PAGE_FORMAT
from core.rest.states import Link, State

UNANSWERED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS)
_SELDOM = ("excludedTraits", "excludedTokenIds", "includeLastTransfer", "sortBy", "limit", "cursor")
"""What stands last in the form, folded away."""
_NO_CHIP = ("cursor", "sortBy")
"""What is shown as set by links of its own: those to other pages and orders."""
RAW = 6_000
"""Characters of raw data that stand in the page by themselves; beyond it, only when they are asked for."""


class OperationRenderer(BrowsableAPIRenderer):
    """Draws an operation's answer, or its errors, beside the form of its filter set."""

    format = PAGE_FORMAT
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
        self, renderer: Any, data: Any, accepted_media_type: str | None, renderer_context: Mapping[str, Any]
    ) -> str:
        """Return the body as JSON to read."""
        return pretty(data)

    def get_context(
        self, data: Any, accepted_media_type: str | None, renderer_context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the context of the template: DRF's, what is shown, what is set, and the addresses of other pages."""
        context: dict[str, Any] = super().get_context(data, accepted_media_type, renderer_context)
        view, request = context["view"], context["request"]
        filterset = getattr(view, "filterset", None) or view.filterset_class()
        state = State(request.path, filterset.parameters)
        is_page = isinstance(data, dict) and "data" in data
        faults = _faults(data)
        shown: Shown = getattr(view, "shown", None) or view.without_answer(state, faults)
        cursor = data.get("nextCursor") if is_page else None
        fields = _fields(filterset, faults, shown)
        titles = {name: one.title for name, one in filterset.base_filters.items() if name not in _NO_CHIP}
        lists = [
            name for name, one in filterset.base_filters.items() if issubclass(one.field_class, ListField)
        ]
        return context | {
            "lead": view.get_view_description().strip().partition("\n\n"),
            "form": filterset.form,
            "fields": [field for field in fields if field.name not in _SELDOM],
            "seldom": [field for field in fields if field.name in _SELDOM],
            "seldom_faults": any(name in faults for name in _SELDOM),
            "faults": faults,
            "is_page": is_page,
            "shown": shown,
            "chips": state.chips(titles, lists, shown.names),
            "orders": _orders(view, state),
            "next_url": cursor and state.address({"cursor": cursor}),
            "first_url": state.address({"cursor": None}) if state.is_given("cursor") else None,
            "json_url": state.address(of_the_page={"format": "json"}),
            "curl": f"curl {shlex.quote(public_address(request, state.address()))}",
            "raw": context["content"] if len(context["content"]) <= RAW or "_raw" in request.GET else None,
            "raw_url": state.address(of_the_page={"_raw": "1"}, anchor="raw"),
            "raw_size": f"{max(len(context['content']) // 1000, 1)} kB",
            "options": pretty(view.metadata_class().determine_metadata(request, view)),
        }

    def get_filter_form(self, data: Any, view: Any, request: Any) -> None:
        """Draw none of DRF's, whose dialog needs scripts: the template has the form itself."""


def _faults(data: Any) -> dict[str, list[str]]:
    """Return what is wrong with a query, by parameter; what concerns none of them stands under a blank name."""
    found: dict[str, list[str]] = defaultdict(list)
    for error in data.get("errors", ()) if isinstance(data, dict) else ():
        found[error["attr"] or ""].append(error["detail"])
    return dict(found)


def _fields(filterset: Any, faults: Mapping[str, list[str]], shown: Shown) -> list[BoundField]:
    """Return the controls of the form, each with the faults of its parameter, what selects first."""
    form = filterset.form
    fields = [form[name] for name in form.fields if not form[name].is_hidden]
    for field in fields:
        field.faults = faults.get(field.name, ())
        field.is_required = field.field.required
        field.field.required = (
            False  # a form that lacks it is sent all the same: the answer says so at the field
        )
        widget = field.field.widget
        widget.attrs["aria-describedby"] = f"id_{field.name}_brief"
        if field.faults:
            widget.attrs |= {
                "aria-describedby": f"id_{field.name}_brief id_{field.name}_fault",
                "aria-invalid": "true",
            }
        if hasattr(widget, "usual"):
            widget.usual = shown.currency
    seldom = {name: place for place, name in enumerate(_SELDOM)}
    first = ("contractAddress", "chain", "tokenId", "traits", "priceFilter")
    places = {name: place - len(first) for place, name in enumerate(first)}
    return sorted(fields, key=lambda field: places.get(field.name, seldom.get(field.name, -1) + 1))


def _orders(view: Any, state: State) -> list[Link]:
    """Return the links to the other orders, and the one that is shown."""
    order = state.value("sortBy").lower()
    order = "" if order not in {name.lower() for name in view.orders} else order
    return [
        Link(title, state.address({"sortBy": name or None}), here=name.lower() == order)
        for name, title in view.orders.items()
    ]


def public_address(request: Any, path: str) -> str:
    """Return where others reach a path of the service: under `PUBLIC_BASE_URL`, else under the host that was asked.

    A blank path gives scheme and host, before which paths with the service's prefix can be written.
    """
    public = settings.PUBLIC_BASE_URL
    if not public:
        return f"{request.scheme}://{request.get_host()}{path}"
    parts = urlsplit(public)  # its own path is the prefix that paths have already
    return f"{parts.scheme}://{parts.netloc}{path}"
