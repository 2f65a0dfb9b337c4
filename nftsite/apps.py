"""The roof's registration with Django: its commands (`load`, `dump`), system checks and log format."""

from django.apps import AppConfig, apps
from django.db.backends.signals import connection_created

from core.db.planning import heed_pooler


class SiteConfig(AppConfig):
    """Registers the system checks and configures logging, once, for web processes and commands alike."""

    name = "nftsite"

    def ready(self) -> None:
        """Import what registers itself, and call what the admin shows of django-axes by what it is."""
        from nftsite import checks  # noqa: F401 - registers the checks

        connection_created.connect(heed_pooler, dispatch_uid="core.db.planning")
        apps.get_app_config("axes").verbose_name = "Logins"
