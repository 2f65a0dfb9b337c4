"""The app's registration with Django."""

from django.apps import AppConfig


class TransfersConfig(AppConfig):
    """Transfers and what was exchanged."""

    name = "transfers"
    default_auto_field = "django.db.models.BigAutoField"
