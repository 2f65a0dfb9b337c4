"""The app's registration with Django."""

from django.apps import AppConfig


class TokensConfig(AppConfig):
    """Contracts, NFTs and what is asked for them."""

    name = "tokens"
    verbose_name = "NFTs, asks and currencies"
