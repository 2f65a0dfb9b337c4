"""The app's registration with Django."""

from django.apps import AppConfig


class TransfersConfig(AppConfig):
    """Transfers and what was exchanged."""

    name = "transfers"
    verbose_name = "Transfers and sales"

    def ready(self) -> None:
        """Have values follow what is changed of currencies, which knows no transfers."""
        from tokens.store.currencies import revalued
        from transfers.ledger.values import refill

        revalued.connect(refill)
