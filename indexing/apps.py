"""The app's registration with Django."""

from django.apps import AppConfig


class IndexingConfig(AppConfig):
    """What the service takes from outside by itself."""

    name = "indexing"
    verbose_name = "Indexing of chains"
    default_auto_field = "django.db.models.BigAutoField"
