"""Limits as DRF's throttling, and the headers that tell of them."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.access.allowance import Allowance
from core.access.authentication import allowance_of
from core.access.keys import Key
from core.rest.errors import is_of_api
from core.rest.facts import current
from core.rest.middleware import Middleware


class AllowanceThrottle(BaseThrottle):
    """Takes a unit of the allowance of the key, or of the address; what costs more is taken once that is known.

    See `core.rest.facts.costs`.
    """

    allowance: Allowance | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Tell whether there was enough."""
        facts = current()
        facts.allowance = self.allowance = allowance_of(request, cast(Key | None, request.auth))
        if self.allowance is None or self.allowance.take(facts.cost):
            return True
        facts.refused = "limit"
        return False

    def wait(self) -> float | None:
        """Return the seconds until there is more."""
        return None if self.allowance is None else self.allowance.wait


class AllowanceHeadersMiddleware(Middleware):
    """Tells on every answer of the API what is left, also where nothing was taken: of what no view has seen."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not is_of_api(request):
            return response
        allowance: Any = current().allowance
        if allowance is None and (allowance := allowance_of(request, None)) is not None:
            allowance.look()
        for name, value in (allowance.headers() if allowance is not None else {}).items():
            response[name] = value
        return response
