"""What is theirs in HTTP: the shape of an error, and what scripts of other origins may send."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from core.rest.middleware import Middleware

PREFIX: Final = "/alchemy/"
METHODS: Final = "GET, HEAD, POST, OPTIONS"
SDK_HEADERS: Final = "Alchemy-Ethers-Sdk-Method, Alchemy-Ethers-Sdk-Version"
"""What alchemy-sdk sends with each request."""
_KEY = re.compile(r"(/alchemy/[^/]*/nft/v3/)[^/]+")


class AlchemyMiddleware(Middleware):
    """Puts the errors below /alchemy/ into their shape: `{"error": {"message": …}}`.

    Beside the message, which names every fault, stand the faults one by one, as in the service's own errors. Stands
    outside of all that may refuse a request. What is logged of a request lacks the key in its path.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        request.path = _KEY.sub(r"\1-", request.path)  # Django finds a view by path_info
        response = self.get_response(request)
        is_json = response.get("Content-Type", "").startswith("application/json")
        if response.status_code >= HTTPStatus.BAD_REQUEST and is_json and isinstance(response, HttpResponse):
            response.content = in_their_shape(response.content)
        if "Access-Control-Allow-Methods" in response:
            response["Access-Control-Allow-Methods"] = METHODS
            response["Access-Control-Allow-Headers"] += f", {SDK_HEADERS}"
        return response


def in_their_shape(body: bytes) -> bytes:
    """Return the body of an error of this service as one of theirs."""
    errors = json.loads(body)["errors"]
    told = (f"{one['attr']}: {one['detail']}" if one["attr"] else one["detail"] for one in errors)
    return json.dumps({"error": {"message": " ".join(told), "errors": errors}}).encode()
