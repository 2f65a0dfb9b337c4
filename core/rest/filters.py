"""Filters and the base filter set of both operations: one declared filter a parameter; its form is the only validator.

A filter's attribute name is the parameter's name in the query. Filters do not narrow a QuerySet: each folds its value
into an immutable selection by one verb of it, and whoever answers the query reads the selection.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.functional import cached_property
from django_filters import Filter
from django_filters.rest_framework import FilterSet
from rest_framework.exceptions import ErrorDetail, ValidationError

from core.rest import parameters
from core.rest.fields import ParameterField, Postponed

S = TypeVar("S")


class QueryFilter(Filter, Generic[S]):
    """A parameter: its form field, the verb that folds its value into a selection, and its OpenAPI schema.

    ``verb(selection, value)`` returns the changed selection; without one the parameter selects nothing (``limit``,
    ``cursor``, ``sortBy``…). ``help_text`` states the rule, without markup since both the form and the document show
    it; ``example`` is one value as the query has it, ``schema`` the JSON Schema of the parameter. Further
    keyword arguments go to the form field.
    """

    def __init__(
        self,
        field_class: type[ParameterField],
        verb: Callable[[S, Any], S] | None = None,
        *,
        help_text: str,
        schema: dict[str, Any],
        example: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(help_text=help_text, **kwargs)
        self.field_class = field_class
        self.verb = verb
        self.schema = schema
        self.example = example

    def filter(self, qs: Any, value: Any) -> Any:
        """Fold a value into a selection. Only ``None`` is "not given": an empty list matches nothing."""
        return qs if value is None or self.verb is None else self.verb(qs, value)


class MarkerInput(forms.HiddenInput):
    """The hidden marker by which the view knows that the filter form sent the query, whatever the query held before."""

    def format_value(self, value: Any) -> str:
        """Return the marker's value."""
        return "1"


class MarkedForm(forms.Form):
    """Base of the forms that filter sets make: adds the hidden marker of the browsable API."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[parameters.FORM_MARKER] = forms.Field(required=False, widget=MarkerInput)


class QueryFilterSet(FilterSet):
    """Validates one query and folds its filters into a selection.

    ``data`` is the raw query string (WSGI's, or its bytes) or what :func:`parameters.split` made of it. Subclasses
    declare the filters and give ``queryset`` (the selection to start from) or override :meth:`start`.
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
        self.queryset = self.start() if queryset is None else queryset
        self.request = request
        self.form_prefix = prefix
        # Shallow, unlike FilterSet's own: what one request adds to a filter is its form field, made when first asked
        # for. Copying the schemas as well took a millisecond of each request.
        self.filters = OrderedDict(
            (name, copy.copy(declared)) for name, declared in self.base_filters.items()
        )
        for name, declared in self.filters.items():
            declared.label = name

    def start(self) -> Any:
        """Return the selection that the filters are folded into."""
        raise NotImplementedError

    @cached_property
    def faults(self) -> dict[str, list[ErrorDetail]]:
        """Every fault of the query by parameter: unknown names first, then those of the values."""
        found, is_postponed = self._judged()
        if is_postponed and not found:
            self.look_up()
            self.form.full_clean()
            found, _ = self._judged()
        return found

    def look_up(self) -> None:
        """Fetch what fields have postponed: called once, and only for a query that has no fault so far.

        Afterwards no field may postpone again.
        """
        raise NotImplementedError

    def _judged(self) -> tuple[dict[str, list[ErrorDetail]], bool]:
        """The faults by parameter, and whether there is a value that has been postponed."""
        found, is_postponed = parameters.unknown(self.parameters, self.filters), False
        for name, errors in self.form.errors.as_data().items():
            faults = [error for error in errors if not isinstance(error, Postponed)]
            is_postponed |= len(faults) < len(errors)
            if faults:
                # The messages quote what was sent, so they are never %-formats.
                found[name] = [
                    ErrorDetail(str(error.message), code=error.code or "invalid") for error in faults
                ]
        return found, is_postponed

    @property
    def values(self) -> dict[str, Any]:
        """The cleaned values by parameter; ``None`` means not given. Raises ``ValidationError`` with every fault."""
        if self.faults:
            raise ValidationError(self.faults)
        return {name: self.form.cleaned_data[name] for name in self.filters}

    def selection(self) -> Any:
        """Return what the query selects. Raises ``ValidationError`` with every fault."""
        return self.filter_queryset(self.queryset)

    def is_valid(self) -> bool:
        """Tell whether the query has no fault."""
        return self.is_bound and not self.faults

    def filter_queryset(self, queryset: Any) -> Any:
        """Fold every given parameter into a selection."""
        for name, value in self.values.items():
            queryset = self.filters[name].filter(queryset, value)
        return queryset

    @property
    def qs(self) -> Any:
        """The selection, under the name that filter sets have for their result."""
        return self.selection()
