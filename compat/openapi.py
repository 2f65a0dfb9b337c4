"""The OpenAPI document of the methods, apart from that of the service's own API."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from compat.chains import BY_HOST
from core.access.openapi import KeyScheme
from core.rest.errors import DETAILS
from core.rest.openapi import parameter_of
from core.rest.records import RecordSerializer

TITLE: Final = "Alchemy's NFT API v3 over this service"
DESCRIPTION: Final = """\
What clients of Alchemy's NFT API v3 send and expect, answered from what this service knows: names, types, nesting,
defaults and limits are theirs, and what is not known here is null, as theirs is where they do not know it.
`docs/compat.md` in the source has every difference, and how a client is pointed here.

Addresses are in the letter case of EIP-55. Parameters that a method does not have are ignored. Every key in the path is
taken. An error is `{"error": {"message": …}}`; beside the message `errors` has each fault for programs. A `pageKey` is
null on the last page."""
NETWORKS: Final = sorted(BY_HOST)


class FaultSerializer(RecordSerializer):
    """One fault of a request."""

    code = serializers.CharField(help_text="What is wrong, for programs.")
    detail = serializers.CharField(help_text="What is wrong, for people.")
    attr = serializers.CharField(
        allow_null=True,
        help_text="The parameter, or the member of the body; null: the whole request is to blame.",
    )


class ErrorSerializer(RecordSerializer):
    """Why a request got no answer."""

    message = serializers.CharField(help_text="Every fault, in words.")
    errors = FaultSerializer(many=True, help_text="Ours: every fault by itself.")  # type: ignore[assignment]


class ErrorBodySerializer(RecordSerializer):
    """An error."""

    error = ErrorSerializer(help_text="What is wrong.")


def _error(description: str, code: str, detail: str, attr: str | None = None) -> OpenApiResponse:
    message = f"{attr}: {detail}" if attr else detail
    fault = {"code": code, "detail": detail, "attr": attr}
    example = OpenApiExample("Error", value={"error": {"message": message, "errors": [fault]}})
    return OpenApiResponse(ErrorBodySerializer, description, [example])


ERRORS: Final = {
    400: _error(
        "The request is refused, and every fault of it is listed.",
        "invalid",
        'A whole number from 1 to 100, not "0".',
        "limit",
    ),
    404: _error("There is no such chain or method.", "not_found", 'There is no chain "moonbeam" here.'),
    405: _error("The method of HTTP is another.", "method_not_allowed", 'Method "PUT" not allowed.'),
    406: _error(
        "The `Accept` header does not take JSON.",
        "not_acceptable",
        "Could not satisfy the request Accept header.",
    ),
    500: _error(
        "The service failed; its log has the request's id.", "error", "The service failed to answer."
    ),
    503: _error("Not now: ask again after `Retry-After` seconds.", "service_unavailable", DETAILS[503]),
}
_TOO_LARGE = {
    413: _error(
        "The body is longer than any good one.", "content_too_large", "The body is longer than 262,144 bytes."
    )
}
_PATH = [
    OpenApiParameter(
        "chain",
        {"type": "string", "enum": NETWORKS},
        OpenApiParameter.PATH,
        description="The chain by its host's name at Alchemy; the service's own names (ethereum), numeric ids and "
        "CAIP-2 names are taken too.",
    ),
    OpenApiParameter(
        "apiKey",
        {"type": "string", "pattern": "^[A-Za-z0-9_-]+$", "examples": ["any"]},
        OpenApiParameter.PATH,
        description="Any text: where theirs has a key.",
    ),
]


class PathKeyScheme(KeyScheme):  # type: ignore[no-untyped-call]  # registers itself
    """The two headers, which no request needs: its path has a place for the key."""

    target_class = "compat.views.PathKeyAuthentication"  # type: ignore[assignment]  # which imports this module
    name = ["methodBearerKey", "methodHeaderKey"]

    def is_needed(self) -> bool:
        """Tell that none is needed."""
        return False


class MethodSchema(AutoSchema):
    """drf-spectacular's description of a :class:`~compat.views.Method`."""

    @property
    def _method(self) -> Any:
        return self.view

    def get_operation_id(self) -> str:
        return str(self._method.method)

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        """Return the name of a component, which no record of the service's own API has."""
        return f"Alchemy{super().get_serializer_name(serializer, direction)}"

    def get_summary(self) -> str:
        return str(self._method.method)

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular's own
        return str(get_doc(self.view.__class__))

    def get_tags(self) -> list[str]:
        """Return what the methods are listed under."""
        return ["methods"]

    def get_override_parameters(self) -> list[Any]:
        """Return what all methods take."""
        return _PATH

    def map_parsers(self) -> list[str]:
        """Return what a body is: JSON, though one that is said to be something else is read too."""
        return ["application/json"]

    def get_request_serializer(self) -> Any:
        """Return the body; ``None`` where there is none."""
        return getattr(self._method, "body_class", None)

    def get_response_serializers(self) -> Any:
        """Return the answer and every error, by status."""
        answer = OpenApiResponse(self._method.serializer_class, description="The answer.")
        return {200: answer, **ERRORS, **(_TOO_LARGE if self.method == "POST" else {})}

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Tell that an answer is one object."""
        return False

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """Return the schema of a field; a list has its limit, which drf-spectacular leaves out."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        if isinstance(field, serializers.ListSerializer) and (most := getattr(field, "max_length", None)):
            schema["maxItems"] = most
        return schema

    def _get_filter_parameters(self) -> list[dict[str, Any]]:
        """Return the query parameters, in their order; lists as theirs, the parameter repeated."""
        filters = getattr(self._method, "filterset_class", None)
        declared = [parameter_of(*one) for one in filters.base_filters.items()] if filters else []
        for parameter in declared:
            if parameter["schema"]["type"] == "array":
                parameter |= {"name": f"{parameter['name']}[]", "explode": True}
        return declared


class MethodGenerator(SchemaGenerator):
    """Makes the document; ``nftsite.description`` knows it by its class."""
