"""The app's registration with Django: its commands."""

from django.apps import AppConfig


class InterchangeConfig(AppConfig):
    """Facts from files and into them."""

    name = "interchange"
