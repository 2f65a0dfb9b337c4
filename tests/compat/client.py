"""The methods as a client sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.test import Client

ETHEREUM = "eth-mainnet"


class Alchemy:
    """Methods by name: parameters in, JSON out."""

    def __init__(self) -> None:
        self.client = Client(raise_request_exception=False)

    def path(self, method: str, chain: str = ETHEREUM) -> str:
        return f"/alchemy/{chain}/nft/v3/any-key/{method}"

    def get(self, method: str, chain: str = ETHEREUM, /, **parameters: Any) -> Any:
        """The answer to a query string, which must be 200; a list repeats its parameter with brackets."""
        sent = {f"{name}[]" if isinstance(value, list) else name: value for name, value in parameters.items()}
        response = self.client.get(f"{self.path(method, chain)}?{urlencode(sent, doseq=True)}")
        assert response.status_code == 200, response.content
        return json.loads(response.content)

    def post(self, method: str, body: Any, chain: str = ETHEREUM) -> Any:
        """The answer to a body, which must be 200."""
        response = self.client.post(
            self.path(method, chain), json.dumps(body), content_type="application/json"
        )
        assert response.status_code == 200, response.content
        return json.loads(response.content)

    def refused(self, method: str, chain: str = ETHEREUM, /, **parameters: Any) -> tuple[int, Any]:
        """Status and error of a query that must be refused, in their shape."""
        response = self.client.get(f"{self.path(method, chain)}?{urlencode(parameters, doseq=True)}")
        assert response.status_code >= 400
        return response.status_code, error_of(response)

    def walked(
        self,
        method: str,
        items: str,
        chain: str = ETHEREUM,
        /,
        between: Callable[[], None] | None = None,
        **parameters: Any,
    ) -> list[Any]:
        """All items of all pages; `between` is called between two."""
        found: list[Any] = []
        key = None
        for _ in range(300):
            page = self.get(method, chain, **parameters, **({"pageKey": key} if key else {}))
            found += page[items]
            key = page["pageKey"]
            if key is None:
                return found
            if between is not None:
                between()
        raise AssertionError("the walk does not end")


def error_of(response: Any) -> Any:
    """The error of an answer, which must be of their shape and not kept."""
    body = json.loads(response.content)
    assert body.keys() == {"error"}
    assert isinstance(body["error"]["message"], str)
    assert response["Cache-Control"] == "no-store"
    return body["error"]
