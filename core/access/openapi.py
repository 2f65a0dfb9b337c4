"""How the OpenAPI document describes keys; drf-spectacular finds the class by itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from core.access.authentication import HEADER, KeyAuthentication

_PROSE = "A key that the operator of the service has made for you. "


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself
    """Both headers, either of which is enough; neither is needed unless the operator says so."""

    target_class = KeyAuthentication
    name = ["bearerKey", "headerKey"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        """Return what a request needs."""
        either: list[dict[str, list[Any]]] = [{name: []} for name in self.name]
        return either if self.is_needed() else [{}, *either]

    def is_needed(self) -> bool:
        """Tell whether a request needs one of the headers."""
        return bool(settings.API_KEYS == "required")

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """Return the two forms."""
        return [
            {"type": "http", "scheme": "bearer", "description": f"{_PROSE}Authorization: Bearer <key>."},
            {"type": "apiKey", "in": "header", "name": HEADER, "description": f"{_PROSE}{HEADER}: <key>."},
        ]
