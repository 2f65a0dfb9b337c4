"""What the OpenAPI document says of an operation, read from its filter set and its record."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any, TypeVar, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework.serializers import ListSerializer

from core.rest.filters import QueryFilter, QueryFilterSet
from core.rest.parameters import split_list
from core.rest.records import RecordSerializer
from core.rest.schema import ERRORS

V = TypeVar("V", bound=type)


def documented(
    operation_id: str,
    summary: str,
    filterset: type[QueryFilterSet],
    page: type[RecordSerializer],
    example: dict[str, Any],
) -> Callable[[V], V]:
    """Decorate the view of an operation with its OpenAPI description; the view's docstring is the text.

    ``page`` declares the body of a 200, ``example`` is one.
    """
    success = OpenApiResponse(
        page,
        description="One page, in the order asked for.",
        examples=[OpenApiExample("A page", value=example)],
    )

    def decorate(view: V) -> V:
        operation = extend_schema(
            operation_id=operation_id,
            summary=summary,
            description=inspect.getdoc(view),
            parameters=[*parameters_of(filterset), FORMAT],
            responses={200: success, **ERRORS},
        )
        decorated: V = extend_schema_view(get=operation)(view)
        return decorated

    return decorate


FORMAT = OpenApiParameter(
    "format",
    type={"type": "string", "enum": ["json"], "examples": ["json"]},
    allow_blank=True,
    description="JSON whatever the Accept header says. Programs need not send it: only who asks for text/html first, "
    "as browsers do, is shown a page for people instead.",
)
"""What content negotiation takes beside the parameters of the filter set."""


class OperationSchema(AutoSchema):
    """drf-spectacular's description, with `allowEmptyValue` and `maxItems` of records, which it leaves out."""

    def _get_parameters(self) -> list[dict[str, Any]]:
        """Return the parameters in the order of the filter set; flags say that they may be bare."""
        parameters: list[dict[str, Any]] = super()._get_parameters()
        for parameter in parameters:
            if parameter["schema"].get("type") == "boolean":
                parameter["allowEmptyValue"] = True
        return parameters

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """Return the schema of a field; a list of records has its limit."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        if isinstance(field, ListSerializer) and (most := getattr(field, "max_length", None)):
            schema["maxItems"] = most
        return schema


def parameters_of(filterset: type[QueryFilterSet]) -> list[OpenApiParameter]:
    """Return the query parameters of a filter set, in its order."""
    declared = cast(dict[str, QueryFilter[Any]], filterset.base_filters)
    return [_parameter(name, parameter) for name, parameter in declared.items()]


def _parameter(name: str, declared: QueryFilter[Any]) -> OpenApiParameter:
    is_list = declared.schema.get("type") == "array"
    required = bool(declared.extra.get("required"))
    schema, description = declared.schema, declared.extra["help_text"]
    if declared.example is not None:
        # Within the schema, from where Swagger UI fills no form with it: all examples together would find nothing.
        schema = {**schema, "examples": [_json(declared.example, schema["type"])]}
        description += f" Example: `{name}={declared.example}`"
    return OpenApiParameter(
        name,
        type=schema,
        required=required,
        description=description,
        style="form" if is_list else None,
        explode=False if is_list else None,
        allow_blank=not required,
    )


def _json(text: str, kind: str) -> Any:
    """Return a value of a query as the JSON that its schema describes."""
    readers: dict[str, Callable[[str], Any]] = {"array": split_list, "integer": int, "boolean": json.loads}
    return readers.get(kind, str)(text)
