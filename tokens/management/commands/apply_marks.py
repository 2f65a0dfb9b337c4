"""`manage.py apply_marks`: have NFTs and images follow the marks and takedowns of their contracts."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tokens.store import marks, withholding


class Command(BaseCommand):
    """Finishes what an operator's mark or takedown of a large contract began; loads do the former at their end."""

    help = (
        "Brings the NFTs of contracts whose mark or takedown has changed into line, in batches. May be interrupted and "
        "run again, also beside the service."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Apply all that is pending, and tell how many contracts that were."""
        count = marks.apply_pending()
        taken = withholding.apply_pending()
        if taken:
            self.stdout.write(f"Takedowns applied: {taken} contract(s).")
        self.stdout.write("No marks are pending." if count == 0 else f"Marks applied: {count} contract(s).")
