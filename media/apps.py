"""The app's registration with Django."""

from django.apps import AppConfig


class MediaConfig(AppConfig):
    """A URL's bytes, cached."""

    name = "media"
    verbose_name = "Images"
