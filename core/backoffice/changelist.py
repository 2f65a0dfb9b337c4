"""Lists as walks of indexes: each list that a table offers names the index order that it is read in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst

SHOW = "show"
"""Query parameter that names one of a table's lists."""


@dataclass(frozen=True)
class Walk:
    """A list: the rows that fulfil ``where``, in an ``order`` that an index has them in.

    ``title`` is what the list is called behind the table's name; ``{}`` in it stands for what it is narrowed to, which
    each row has at ``named`` (empty: at the parameter's own name), read with the row.
    """

    order: tuple[str, ...]
    title: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    named: str = ""


class ShowFilter(SimpleListFilter):
    """The lists of a table in the sidebar. The change list itself narrows the rows."""

    title = "list"
    parameter_name = SHOW

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Name and title of each list."""
        return [(name, walk.title) for name, walk in model_admin.lists.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """All rows: see :meth:`TableChangeList.get_queryset`."""
        return queryset

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Links that replace what the list was narrowed by, since no index serves two such conditions."""
        yield {
            "selected": not changelist.filter_params,
            "query_string": changelist.get_query_string(remove=[""]),
            "display": "All",
        }
        for name, title in self.lookup_choices:
            yield {
                "selected": self.value() == name,
                "query_string": changelist.get_query_string({SHOW: name}, [""]),
                "display": capfirst(str(title)),
            }


class TableChangeList(ChangeList):
    """A change list that reads only what an index can serve: one narrowing at a time, in the order of its walk."""

    walk: Walk
    narrowed: tuple[str, str] | None = None
    """The parameter that the list is narrowed by, and its value."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        self.title = capfirst(str(self.opts.verbose_name_plural))
        if self.walk.title:
            self.title += ": " + self.walk.title.format(self._narrowed_to())

    def _narrowed_to(self) -> str:
        """Return what the list is narrowed to, as its first row says without a query; else the bare value."""
        if self.narrowed is None:
            return ""
        name, value = self.narrowed
        row = next(iter(self.result_list), None)  # the page's rows, which are read once
        return value if row is None else str(attrgetter(self.walk.named or name)(row))

    def get_filters(self, request: HttpRequest) -> Any:
        """Find the walk that the address names; refuses two narrowings at once, and unknown lists."""
        filters = super().get_filters(request)
        admin: Any = self.model_admin
        links = {name: values for name, values in self.filter_params.items() if name in admin.links}
        shown = self.filter_params.get(SHOW, [])
        if len(links) + len(shown) > 1 or any(len(values) > 1 for values in links.values()):
            messages.warning(request, "A list can be narrowed by one thing at a time.")
            raise IncorrectLookupParameters
        if shown and shown[0] not in admin.lists:
            raise IncorrectLookupParameters
        if shown:
            self.walk = admin.lists[shown[0]]
        elif links:
            ((name, (value,)),) = links.items()
            self.walk, self.narrowed = admin.links[name], (name, value)
        else:
            self.walk = admin.everything
        return filters

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """The walk's own order; columns cannot be sorted by."""
        return list(self.walk.order)

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """The rows of the walk."""
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        return rows.filter(**self.walk.where) if self.walk.where else rows
