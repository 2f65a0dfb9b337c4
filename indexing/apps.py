"""The app's registration with Django."""

from django.apps import AppConfig


class IndexingConfig(AppConfig):
    """What the service takes from outside by itself."""

    name = "indexing"
    verbose_name = "Indexing of chains"
