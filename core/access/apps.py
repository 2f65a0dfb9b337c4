"""The app's registration with Django."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    """API keys."""

    name = "core.access"
    verbose_name = "Access"

    def ready(self) -> None:
        """Import what registers itself."""
        from core.access import openapi  # noqa: F401 - registers how the OpenAPI document describes keys
