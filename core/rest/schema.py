"""What the OpenAPI document says of the errors of every operation: their bodies, when they come, and examples."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import serializers

from core.rest.cursors import FOREIGN
from core.rest.errors import CODES, DETAILS, over_limit

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
    "not_authenticated",
    "authentication_failed",
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "uri_too_long",
    "headers_too_large",
    "throttled",
    "error",
    "service_unavailable",
    "ens_unavailable",
]


class ParameterErrorSerializer(serializers.Serializer[Any]):
    """One fault of a query parameter."""

    code = serializers.ChoiceField(choices=PARAMETER_CODES, help_text="What is wrong, for programs.")
    detail = serializers.CharField(help_text="What is wrong, for people.")
    attr = serializers.CharField(
        allow_null=True,
        help_text="The parameter's name, an unknown one as it was sent; null when the whole request is to blame.",
    )


class ParameterErrorsSerializer(serializers.Serializer[Any]):
    """Every fault of the query, all at once."""

    type = serializers.ChoiceField(
        choices=["validation_error", "client_error"],
        help_text="validation_error: parameters are to blame; client_error: the request as a whole (its Host).",
    )
    errors = ParameterErrorSerializer(  # type: ignore[assignment]  # the body's own name
        many=True, help_text="Every fault, by parameter; one parameter may have several."
    )


class OtherErrorSerializer(serializers.Serializer[Any]):
    """Why the request got no answer."""

    code = serializers.ChoiceField(choices=OTHER_CODES, help_text="What is wrong, for programs.")
    detail = serializers.CharField(help_text="What is wrong, for people; of a 500, the request's id.")
    attr = serializers.CharField(allow_null=True, help_text="null: no parameter is to blame.")


class OtherErrorsSerializer(serializers.Serializer[Any]):
    """An error that no parameter is to blame for."""

    type = serializers.ChoiceField(
        choices=["client_error", "server_error"], help_text="Who is to blame: the request or the service."
    )
    errors = OtherErrorSerializer(many=True, help_text="Always one.")  # type: ignore[assignment]


_UNKNOWN = 'Unknown parameter "tokenid". Did you mean "tokenId"? Known parameters: chain, cursor, limit, …'
_MALFORMED = 'The limit is a whole number from 1 to 30, not "31".'
_FAILED = "The service failed to answer. Its log has the reason under request id 5f1c9d7e."


def _body(kind: str, *errors: tuple[str, str, str | None]) -> dict[str, Any]:
    """An error's body; its errors as code, detail, parameter."""
    return {
        "type": kind,
        "errors": [{"code": code, "detail": detail, "attr": attr} for code, detail, attr in errors],
    }


def _other(status: int, description: str, detail: str | None = None) -> OpenApiResponse:
    """An error that no parameter is to blame for, with its example."""
    kind = "server_error" if status >= 500 else "client_error"
    body = _body(kind, (CODES.get(status, "error"), detail or DETAILS[status], None))
    return OpenApiResponse(OtherErrorsSerializer, description, [OpenApiExample("Error", value=body)])


ERRORS: dict[int, OpenApiResponse] = {
    400: OpenApiResponse(
        ParameterErrorsSerializer,
        "The query is refused, and every fault of it is listed. `ens_unavailable` means that the name is not known "
        "here and nothing is configured to resolve it; `ens_unsupported`, that only a server outside of the chain "
        "resolves it (CCIP-Read, EIP-3668). The latter, and `cursor_mismatch`, come only when nothing else is wrong.",
        [
            OpenApiExample(
                "Two faults",
                value=_body(
                    "validation_error",
                    ("unknown_parameter", _UNKNOWN, "tokenid"),
                    ("invalid", _MALFORMED, "limit"),
                ),
            ),
            OpenApiExample(
                "Cursor of another query",
                value=_body("validation_error", ("cursor_mismatch", FOREIGN, "cursor")),
            ),
            OpenApiExample("Bad host", value=_body("client_error", (CODES[400], DETAILS[400], None))),
        ],
    ),
    401: _other(
        401,
        "The API key that was sent is no good (not known, revoked, expired), or there was none and the operator wants "
        "one.",
    ),
    404: _other(404, "There is nothing at this address."),
    405: _other(405, "The method is not GET, HEAD or OPTIONS.", 'Method "POST" not allowed.'),
    406: _other(
        406,
        "The `Accept` header takes neither JSON nor HTML.",
        "Could not satisfy the request Accept header.",
    ),
    414: _other(
        414,
        "The request line (method, address with its query string, version) is longer than 8,190 bytes as it is sent, "
        "with whatever has to be percent-encoded. What the parameters allow one by one may be too long together.",
    ),
    429: _other(
        429,
        "More was asked for than the operator allows an API key, or an address without one, in a while. Ask again "
        "after `Retry-After` seconds. A query that costs much takes more of the allowance.",
        over_limit(12),
    ),
    431: _other(431, "The headers, or one of them, are longer than the server reads."),
    500: _other(500, "The service failed. Nothing internal is shown; its log has the request's id.", _FAILED),
    503: _other(
        503,
        "Not now: the database does not answer, the query took longer than the operator allows a statement to take, or "
        "an ENS name was not resolved within a second (`ens_unavailable`). Ask again after `Retry-After` seconds.",
    ),
}
"""Every error of an operation by status; the one place that says which there are."""
