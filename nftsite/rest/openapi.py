"""What the OpenAPI document says of an operation, read from its filter set and its record."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)

from nftsite.rest.filters import QueryFilter, QueryFilterSet
from nftsite.rest.parameters import split_list
from nftsite.rest.records import RecordSerializer
from nftsite.rest.schema import OtherErrorsSerializer, ParameterErrorsSerializer

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
    errors = {
        400: OpenApiResponse(
            ParameterErrorsSerializer, description="The query is refused; every fault is listed."
        ),
        404: OpenApiResponse(OtherErrorsSerializer, description="There is no such `format`."),
        405: OpenApiResponse(OtherErrorsSerializer, description="The method is not GET, HEAD or OPTIONS."),
        406: OpenApiResponse(OtherErrorsSerializer, description="Neither JSON nor HTML is acceptable."),
        500: OpenApiResponse(
            OtherErrorsSerializer, description="The service failed; its log has the request's id."
        ),
        503: OpenApiResponse(
            OtherErrorsSerializer, description="Not now: try again after `Retry-After` seconds."
        ),
    }

    def decorate(view: V) -> V:
        operation = extend_schema(
            operation_id=operation_id,
            summary=summary,
            description=inspect.getdoc(view),
            parameters=parameters_of(filterset),
            responses={200: success, **errors},
        )
        decorated: V = extend_schema_view(get=operation)(view)
        return decorated

    return decorate


def parameters_of(filterset: type[QueryFilterSet]) -> list[OpenApiParameter]:
    """Return the query parameters of a filter set, in its order."""
    declared = cast(dict[str, QueryFilter[Any]], filterset.base_filters)
    return [_parameter(name, parameter) for name, parameter in declared.items()]


def _parameter(name: str, declared: QueryFilter[Any]) -> OpenApiParameter:
    is_list = declared.schema.get("type") == "array"
    required = bool(declared.extra.get("required"))
    examples = []
    if declared.example is not None:
        value: Any = split_list(declared.example) if is_list else declared.example
        value = int(value) if declared.schema.get("type") == "integer" else value
        examples.append(OpenApiExample(name, value=value))
    return OpenApiParameter(
        name,
        type=declared.schema,
        required=required,
        description=declared.extra["help_text"],
        style="form" if is_list else None,
        explode=False if is_list else None,
        allow_blank=not required,
        examples=examples,
    )
