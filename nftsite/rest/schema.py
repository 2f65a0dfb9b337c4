"""What the OpenAPI document says of every operation: its errors and its response headers."""

from typing import Any

from rest_framework import serializers

PARAMETER_CODES = [
    "required",
    "invalid",
    "invalid_choice",
    "max_length",
    "unknown_parameter",
    "cursor_invalid",
    "cursor_mismatch",
    "ens_unavailable",
    "ens_unsupported",
]
OTHER_CODES = [
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "error",
    "service_unavailable",
    "ens_unavailable",
]

HEADERS = {
    "ETag": "Strong validator of this representation; send it back in If-None-Match.",
    "Cache-Control": "no-cache, or for how many seconds the answer may be reused.",
    "X-Request-ID": "The request's id, as sent or made; the service's log has it too.",
}
RESULT_LIMIT = (
    "10000 when the walk was cut at the 10,000th item (sortBy lowestAsk or highestAsk); else absent."
)
RETRY_AFTER = "Seconds to wait before asking again."


class ParameterErrorSerializer(serializers.Serializer[Any]):
    """One fault of a query parameter."""

    code = serializers.ChoiceField(choices=PARAMETER_CODES)
    detail = serializers.CharField(help_text="What is wrong, for people.")
    attr = serializers.CharField(
        allow_null=True, help_text="The parameter's name, an unknown one as it was sent."
    )


class ParameterErrorsSerializer(serializers.Serializer[Any]):
    """Every fault of the query, all at once."""

    type = serializers.ChoiceField(choices=["validation_error", "client_error"])
    errors = ParameterErrorSerializer(many=True)  # type: ignore[assignment]  # the body's own name


class OtherErrorSerializer(serializers.Serializer[Any]):
    """Why the request got no answer."""

    code = serializers.ChoiceField(choices=OTHER_CODES)
    detail = serializers.CharField(help_text="What is wrong, for people; of a 500, the request's id.")
    attr = serializers.CharField(allow_null=True)


class OtherErrorsSerializer(serializers.Serializer[Any]):
    """An error that no parameter is to blame for."""

    type = serializers.ChoiceField(choices=["client_error", "server_error"])
    errors = OtherErrorSerializer(many=True)  # type: ignore[assignment]


def document_headers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Postprocessing hook of drf-spectacular: adds the response headers to every operation."""
    for path in result["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                response["headers"] = {name: _header(text) for name, text in _headers_of(status).items()}
            operation["responses"]["304"] = {
                "description": "Not modified: the representation named in If-None-Match is the current one.",
                "headers": {name: _header(text) for name, text in HEADERS.items()},
            }
    return result


def _headers_of(status: str) -> dict[str, str]:
    """The headers of a response with this status."""
    if status == "200":
        return HEADERS | {"X-Result-Limit": RESULT_LIMIT}
    named = {"X-Request-ID": HEADERS["X-Request-ID"]}
    return named | {"Retry-After": RETRY_AFTER} if status in {"429", "503"} else named


def _header(description: str) -> dict[str, Any]:
    """An OpenAPI header object."""
    return {"description": description, "schema": {"type": "string"}}
