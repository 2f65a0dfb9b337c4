"""What the OpenAPI document says of an operation, read from its viewset."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_examples_list, build_parameter_type, get_doc
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.serializers import ListSerializer

from core.rest.filters import QueryFilter
from core.rest.parameters import split_list
from core.rest.schema import ERRORS

FORMAT = OpenApiParameter(
    "format",
    type={"type": "string", "enum": ["json"], "examples": ["json"]},
    allow_blank=True,
    description="JSON whatever the Accept header says. Programs need not send it: only who asks for text/html first, "
    "as browsers do, is shown a page for people instead.",
)
"""What content negotiation takes beside the parameters of the filter set."""


class OperationSchema(AutoSchema):
    """drf-spectacular's description of an :class:`~core.rest.viewsets.OperationViewSet`.

    The parameters are those of the filter set, the page is the paginator's, the text the viewset's docstring.
    """

    @property
    def _viewset(self) -> Any:
        return self.view

    def get_operation_id(self) -> str:
        """Return the name of the operation in generated clients."""
        return str(self._viewset.operation_id)

    def get_summary(self) -> str:
        """Return the name of the operation for people."""
        return str(self._viewset.get_view_name())

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular's own
        return str(get_doc(self.view.__class__))

    def get_override_parameters(self) -> list[Any]:
        """Return what belongs to no filter set."""
        return [FORMAT]

    def get_response_serializers(self) -> Any:
        """Return a page and every error, by status."""
        page = OpenApiResponse(
            self._viewset.serializer_class,
            description="One page, in the order asked for.",
            examples=[OpenApiExample("A page", value=self._viewset.example)],
        )
        return {200: page, **ERRORS}

    def get_paginated_name(self, serializer_name: str) -> str:
        """Return the name of the component that describes a page of such records."""
        return f"{serializer_name}Page"

    def _get_examples(
        self, serializer: Any, direction: Any, media_type: Any, status_code: Any = None, extras: Any = None
    ) -> Any:
        """Return the examples of a response as they are: that of a page is a whole one."""
        return build_examples_list(extras)

    def _get_filter_parameters(self) -> list[dict[str, Any]]:
        """Return the query parameters of the filter set, in its order."""
        return [parameter_of(*declared) for declared in self._viewset.filterset_class.base_filters.items()]

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """Return the schema of a field; a list of records has its limit, which drf-spectacular leaves out."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        if isinstance(field, ListSerializer) and (most := getattr(field, "max_length", None)):
            schema["maxItems"] = most
        return schema


def parameter_of(name: str, declared: QueryFilter) -> dict[str, Any]:
    """Return what the document says of a parameter."""
    schema, required = declared.field_class.schema, bool(declared.extra.get("required"))
    description, is_list = declared.extra["help_text"], schema["type"] == "array"
    if declared.example is not None:
        # Within the schema, from where Swagger UI fills no form with it: all examples together would find nothing.
        schema = {**schema, "examples": [_json(declared.example, schema["type"])]}
        description += f" Example: `{name}={declared.example}`"
    parameter: dict[str, Any] = build_parameter_type(
        name,
        schema,
        OpenApiParameter.QUERY,
        required=required,
        description=description,
        style="form" if is_list else None,
        explode=False if is_list else None,
        allow_blank=not required,
    )
    return parameter | ({"allowEmptyValue": True} if schema["type"] == "boolean" else {})


def _json(text: str, kind: str) -> Any:
    """Return a value of a query as the JSON that its schema describes."""
    readers: dict[str, Callable[[str], Any]] = {"array": split_list, "integer": int, "boolean": json.loads}
    return readers.get(kind, str)(text)
