"""The roof's registration with Django: its commands (`load`, `dump`), system checks and log format."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Registers the system checks and configures logging, once, for web processes and commands alike."""

    name = "nftsite"

    def ready(self) -> None:
        """Import what registers itself."""
        from nftsite import checks  # noqa: F401 - registers the checks
