"""The operators' site: its wording, and pages that are no tables. What it shows is registered by each app's `admin`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from axes.handlers.proxy import AxesProxyHandler
from django.apps import apps as all_apps
from django.conf import settings
from django.contrib.admin import AdminSite, site
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse

from core.backoffice.logins import BusyError
from core.rest.errors import error_response, wants_json


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site that is no table: `/admin/<name>/`, for who has Django's ``permission``.

    ``context`` is read for its ``template``.
    """

    name: str
    title: str
    permission: str
    template: str
    context: Callable[[], dict[str, Any]]


class Line(NamedTuple):
    """What an operator is told on the first page: of what, how it stands, whether it waits for somebody to act, and a
    link that does, or leads to where one does."""

    what: str
    stands: str
    needs: bool = False
    act: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the first page, for who has Django's ``permission``; left out when it has no lines."""

    title: str
    permission: str
    lines: Callable[[], Sequence[Line]]


class BackofficeSite(AdminSite):
    """Django's admin site under this service's name."""

    site_header = "NFT query service: operations"
    site_title = "NFT operations"
    index_title = "What is stored, and what operators decide about it"
    site_url = "/"
    enable_nav_sidebar = True

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        self.pages: list[Page] = []
        self.sections: list[Section] = []

    def get_urls(self) -> list[Any]:
        """The pages, then the tables."""
        pages = [
            path(f"{page.name}/", self.admin_view(partial(self.show, page=page)), name=page.name)
            for page in self.pages
        ]
        return [*pages, *super().get_urls()]

    def show(self, request: HttpRequest, page: Page) -> TemplateResponse:
        """A page that is no table."""
        if not _may_see(request, page):
            raise PermissionDenied
        context = {**self.each_context(request), "title": page.title, **page.context()}
        return TemplateResponse(request, page.template, context)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The first page: part by part how it stands, first those that need an operator; then the tables."""
        seen = [(part.title, part.lines()) for part in self.sections if _may_see(request, part)]
        seen.sort(key=lambda part: not any(line.needs for line in part[1]))
        shown = {
            "sections": [(title, lines) for title, lines in seen if lines],
            "needs": sum(line.needs for _, lines in seen for line in lines),
        }
        return super().index(request, {**shown, **(extra_context or {})})

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The login; 429 with `Retry-After` for an address with too many failures, 503 while a password is checked."""
        try:
            # Asked first, so that a guess from a locked address costs one query and no more.
            if request.method == "POST" and not AxesProxyHandler.is_allowed(request):
                return self._locked(request)
            response: HttpResponse = super().login(request, extra_context)
        except BusyError:
            why = "Somebody else is logging in at this moment. Try again in a second."
            return self._refused(request, HTTPStatus.SERVICE_UNAVAILABLE, why, 1)
        return self._locked(request) if getattr(request, "axes_locked_out", False) else response

    def _locked(self, request: HttpRequest) -> HttpResponse:
        minutes = int(settings.AXES_COOLOFF_TIME.total_seconds()) // 60
        why = (
            f"Too many failed logins from this address: {settings.AXES_FAILURE_LIMIT}. "
            f"It may try again {minutes} minutes after the last of them."
        )
        return self._refused(request, HTTPStatus.TOO_MANY_REQUESTS, why, minutes * 60)

    def _refused(self, request: HttpRequest, status: HTTPStatus, why: str, wait: int) -> HttpResponse:
        if wants_json(request):
            answer = error_response(status, why)
            answer["Retry-After"] = str(wait)
            return answer
        context = {**self.each_context(request), "title": "Log in", "why": why}
        return TemplateResponse(
            request, "backoffice/locked.html", context, status=status, headers={"Retry-After": str(wait)}
        )

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The apps with their tables, in the order of the settings; before them the pages, as if they were an app."""
        order = list(all_apps.app_configs)
        apps = sorted(super().get_app_list(request, app_label), key=lambda app: order.index(app["app_label"]))
        seen = [page for page in self.pages if _may_see(request, page)] if app_label is None else []
        if not seen:
            return apps
        pages = [
            {
                "name": page.title,
                "object_name": page.name,
                "admin_url": self.address_of(page),
                "add_url": None,
                "view_only": True,
            }
            for page in seen
        ]
        return [
            {"name": "Service", "app_label": "pages", "app_url": self.address_of(seen[0]), "models": pages},
            *apps,
        ]

    def address_of(self, page: Page) -> str:
        """Where a page is."""
        return reverse(f"{self.name}:{page.name}")


def add_page(page: Page) -> None:
    """Add a page to the site; to be called where tables are registered, in an app's `admin`."""
    pages: list[Page] = site.pages  # type: ignore[attr-defined]  # the default site is ours (apps.py)
    pages.append(page)


def add_section(title: str, permission: str, lines: Callable[[], Sequence[Line]]) -> None:
    """Add a part to the first page of the site; to be called likewise."""
    sections: list[Section] = site.sections  # type: ignore[attr-defined]
    sections.append(Section(title, permission, lines))


def _may_see(request: HttpRequest, page: Page | Section) -> bool:
    user: Any = request.user
    return bool(user.has_perm(page.permission))
