"""`manage.py apply_marks`: have NFTs follow the marks of their contracts."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tokens.store import marks


class Command(BaseCommand):
    """Finishes what an operator's mark of a large contract began; loads do the same at their end."""

    help = (
        "Brings the NFTs of contracts whose mark has changed into line, in batches. May be interrupted and run again, "
        "also beside the service."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Apply all that is pending, and tell how many contracts that were."""
        count = marks.apply_pending()
        self.stdout.write("No marks are pending." if count == 0 else f"Marks applied: {count} contract(s).")
