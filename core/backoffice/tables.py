"""Bases of all our model admins: pages whose cost does not grow with the table."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import ShowFacets
from django.db import OperationalError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.text import capfirst

from core.backoffice import html
from core.backoffice.changelist import ShowFilter, TableChangeList, Walk
from core.backoffice.paging import EstimatingPaginator
from core.db.writing import writing

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin

NEWEST = Walk(order=("-pk",))


class TableAdmin(_ModelAdmin):
    """Browsable and read-only: rows come from ingestion, operators act on them through actions.

    The docstring of each table is written for operators: it is shown above its list. ``everything`` is the walk of the
    whole table; ``links`` are narrowings by a parameter (``?nft=7``), ``lists`` those of the sidebar. ``searchable``
    says what can be searched for, and :meth:`find` does.
    """

    everything: ClassVar[Walk] = NEWEST
    links: ClassVar[Mapping[str, Walk]] = {}
    lists: ClassVar[Mapping[str, Walk]] = {}
    searchable: ClassVar[str] = ""
    list_deferred: ClassVar[tuple[str, ...]] = ()
    """Wide columns that a list does not show."""
    explanation_title = ""
    """Of what a row's page explains; empty: nothing."""

    paginator = EstimatingPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 0
    list_filter: ClassVar[Any] = (ShowFilter,)
    sortable_by: ClassVar[Any] = ()
    actions_on_bottom = False
    change_list_template = "backoffice/change_list.html"
    change_form_template = "backoffice/change_form.html"

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """The order of the whole table, also where rows are offered for choice."""
        return self.everything.order

    def get_changelist(self, request: HttpRequest, **_: Any) -> Any:
        return TableChangeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only declared narrowings."""
        return lookup in self.links or lookup == ShowFilter.parameter_name

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """Non-empty where there is something to search for, so that the box is shown."""
        return ("pk",) if self.searchable else ()

    @property
    def search_help_text(self) -> str:  # type: ignore[override]
        """What the box takes."""
        return f"Exact matches only: {self.searchable}." if self.searchable else ""

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Return the rows that a text names, found by an index; ``None`` if it can name none here."""
        return None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find by :meth:`find` alone; what it does not understand is answered with what it would."""
        text = search_term.strip()
        if not text:
            return queryset, False
        found = self.find(request, queryset, text) if len(text) <= MOST_TERM and "\x00" not in text else None
        if found is None:
            messages.warning(request, f"This cannot be searched for here. What can: {self.searchable}.")
            return queryset.none(), False
        return found, False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, below what it is and when it is needed."""
        context = {"about": inspect.getdoc(type(self)), **(extra_context or {})}
        return told_when_busy(request, lambda: super(TableAdmin, self).changelist_view(request, context))

    def explanation_of(self, row: Any) -> Any:
        """What stands on a row's page below ``explanation_title``."""
        return []

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """All rows; a list leaves wide columns in the database."""
        rows = super().get_queryset(request)
        match = request.resolver_match
        is_list = match is not None and (match.url_name or "").endswith("_changelist")
        return rows.defer(*self.list_deferred) if is_list and self.list_deferred else rows

    def title_of(self, row: Any) -> str:
        """What a row's page is called."""
        return str(row)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows come from ingestion."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows come from ingestion."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleting would load all that hangs on a row, and ingestion would bring it back."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may view or change the table by Django's permissions."""
        return super().has_view_permission(request, obj) or self.has_operate_permission(request)

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may use the actions: by Django's permission to change the table."""
        user: Any = request.user
        return bool(user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}"))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Call the page what the row is called, and add its explanation, and the actions as buttons."""
        row = kwargs.get("obj")
        if row is not None:
            context |= {"title": self.title_of(row), "subtitle": capfirst(str(self.opts.verbose_name))}
        if self.explanation_title:
            explanation = [] if row is None else self.explanation_of(row)
            context |= {"explanation_title": self.explanation_title, "explanation": explanation}
        context["row_actions"] = [
            (name, text) for name, text in self.get_action_choices(request, []) if not kwargs.get("add")
        ]
        return super().render_change_form(request, context, *args, **kwargs)


class EditableTableAdmin(TableAdmin):
    """A small table that operators may add to and change. Forms are saved under the writers' lock."""

    fixed: ClassVar[tuple[str, ...]] = ()
    """Fields that cannot change once the row exists, because other rows hold copies of them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """By Django's permissions."""
        return admin.ModelAdmin.has_add_permission(self, request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """By Django's permissions."""
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """What is fixed can be stated only once."""
        return (*super().get_readonly_fields(request, obj), *(self.fixed if obj is not None else ()))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """The form; saving excludes other writers."""

        def answer() -> Any:
            parent: Any = super(EditableTableAdmin, self)
            if request.method != "POST":
                return parent.changeform_view(request, object_id, form_url, extra_context)
            with writing():
                return parent.changeform_view(request, object_id, form_url, extra_context)

        return told_when_busy(request, answer)


def lists_by(parameter: str, row_id: int) -> str:
    """Return links to every list that can be narrowed to a row (``nft``: all that belongs to an NFT)."""
    links = [
        html.list_link(model, str(model._meta.verbose_name_plural), **{parameter: row_id})
        for model, table in admin.site._registry.items()
        if isinstance(table, TableAdmin) and parameter in table.links
    ]
    return html.together(*links)


def told_when_busy(request: HttpRequest, answer: Callable[[], Any]) -> Any:
    """Answer, and tell the operator when a load keeps the database from being written to."""
    if request.method != "POST":
        return answer()
    try:
        return answer()
    except OperationalError:
        messages.error(request, BUSY)
        response: HttpResponse = HttpResponseRedirect(request.get_full_path())
        return response


MOST_TERM = 2_100
"""Characters of a search; an image's URL is the longest."""
BUSY = "The database was busy, probably with a load, and nothing was changed. Try again in a moment."
