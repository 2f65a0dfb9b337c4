"""Filters, the base filter set of both operations and its backend; the filters' fields are the only validator.

One declared filter a parameter, whose attribute name is the parameter's name in the query. Filters do not narrow a
QuerySet: each folds its value into an immutable *query object* by one verb of it, and whoever answers the query reads
that.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.functional import cached_property
from django_filters import Filter
from django_filters.rest_framework import DjangoFilterBackend, FilterSet
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.renderers import BrowsableAPIRenderer

from core.rest import parameters
from core.rest.fields import ParameterField, Postponed

PAGE_FORMAT = BrowsableAPIRenderer.format
"""The format of the browsable API."""


class QueryFilter(Filter):
    """A parameter: its form field, and the verb that folds its value into a query object.

    ``verb(query, value)`` returns the changed query. ``prose``, ``title``, ``brief`` and ``example`` stand in for the
    field's own where several parameters share it. Further keyword arguments go to the form field.
    """

    def __init__(
        self,
        field_class: type[ParameterField],
        verb: Callable[[Any, Any], Any],
        *,
        prose: str | None = None,
        title: str | None = None,
        brief: str | None = None,
        example: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(help_text=prose or field_class.prose, **kwargs)
        self.field_class = field_class
        self.verb = verb
        self.title = title or field_class.title
        self.brief = brief or field_class.brief
        self.example = example or field_class.example

    def filter(self, qs: Any, value: Any) -> Any:
        """Fold a value into a query. Only ``None`` is "not given": an empty list matches nothing."""
        return qs if value is None else self.verb(qs, value)


class MarkerInput(forms.HiddenInput):
    """The hidden marker by which the view knows that the filter form sent the query, whatever the query held before."""

    def format_value(self, value: Any) -> str:
        return "1"


class MarkedForm(forms.Form):
    """Base of the forms that filter sets make: adds the hidden marker of the browsable API."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[parameters.FORM_MARKER] = forms.Field(required=False, widget=MarkerInput)


class QueryFilterSet(FilterSet):
    """Validates one query and folds its filters into a query object; subclasses declare the filters.

    ``data`` is the raw query string (WSGI's, or its bytes) or what :func:`parameters.split` made of it; ``queryset``
    the query object to start from.
    """

    class Meta:
        form = MarkedForm

    def __init__(
        self,
        data: MultiValueDict[str, str] | bytes | str | None = None,
        queryset: Any = None,
        *,
        request: Any = None,
        prefix: str | None = None,
    ) -> None:
        # Not FilterSet's own, which wants the model of a QuerySet; the attributes are the same.
        self.is_bound = data is not None
        self.parameters = (
            parameters.split(data) if isinstance(data, bytes | str) else data or MultiValueDict()
        )
        self.data: Any = self.parameters
        self.queryset = queryset
        self.request = request
        self.form_prefix = prefix
        self._values: dict[str, Any] = {}

    @cached_property
    def filters(self) -> OrderedDict[str, Any]:  # type: ignore[override]  # made only where a form is drawn
        """Copies of the declared filters with fields for this query: what the form is drawn of.

        No query is answered by them, since to make all fields takes a millisecond.
        """
        filters: OrderedDict[str, Any] = OrderedDict(
            (name, copy.copy(declared)) for name, declared in self.base_filters.items()
        )
        for declared in filters.values():
            vars(declared).pop("_field", None)  # the kept one, which answers queries
            declared.label = declared.title
            declared.field.brief = declared.brief
            self.prepare(declared.field)
        return filters

    def prepare(self, field: forms.Field) -> None:
        """Give a field what it needs of this query."""

    @cached_property
    def faults(self) -> dict[str, list[ErrorDetail]]:
        """Every fault of the query by parameter: unknown names first, then those of the values."""
        found, is_postponed = self._judged()
        if is_postponed and not found:
            self.look_up()
            found, _ = self._judged()
        return found

    def look_up(self) -> None:
        """Fetch what fields have postponed: called once, and only for a query that has no fault so far.

        Afterwards no field may postpone again.
        """
        raise NotImplementedError

    def _judged(self) -> tuple[dict[str, list[ErrorDetail]], bool]:
        """The faults by parameter, and whether there is a value that has been postponed."""
        found, is_postponed = parameters.unknown(self.parameters, self.base_filters), False
        for name, declared in self.base_filters.items():
            sent = self.parameters.getlist(name)
            if not sent and not declared.extra["required"]:
                continue
            field = copy.copy(declared.field)
            self.prepare(field)
            try:
                self._values[name] = field.clean(sent or None)
            except forms.ValidationError as error:
                faults = [one for one in error.error_list if not isinstance(one, Postponed)]
                is_postponed |= len(faults) < len(error.error_list)
                if faults:
                    # The messages quote what was sent, so they are never %-formats.
                    found[name] = [
                        ErrorDetail(str(one.message), code=one.code or "invalid") for one in faults
                    ]
        return found, is_postponed

    def is_valid(self) -> bool:
        """Tell whether the query has no fault."""
        return self.is_bound and not self.faults

    @property
    def qs(self) -> Any:
        """The query object, with every given parameter folded in. Raises ``ValidationError`` with every fault."""
        if self.faults:
            raise ValidationError(self.faults)
        return self.filter_queryset(self.queryset)

    def filter_queryset(self, queryset: Any) -> Any:
        """Fold every given parameter into a query."""
        for name, value in self._values.items():
            queryset = self.base_filters[name].filter(queryset, value)
        return queryset


class QueryFilterBackend(DjangoFilterBackend):
    """django-filter's, for the raw query string. The view keeps the filter set, whose form the browsable API shows."""

    def get_filterset_kwargs(self, request: Any, queryset: Any, view: Any) -> dict[str, Any]:
        """Return what the filter set is made of; what a page alone takes is no filter where a page is asked for."""
        data: Any = request.META.get("QUERY_STRING", "")
        if request.accepted_renderer.format == PAGE_FORMAT:
            data = parameters.split(data)
            for name in parameters.OF_THE_PAGE:
                data.pop(name, None)
        return {"data": data, "queryset": queryset, "request": request}

    def filter_queryset(self, request: Any, queryset: Any, view: Any) -> Any:
        """Return the folded query object. Raises ``ValidationError`` with every fault of the query."""
        view.filterset = self.get_filterset(request, queryset, view)
        return view.filterset.qs
