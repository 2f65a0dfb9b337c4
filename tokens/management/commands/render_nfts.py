"""`manage.py render_nfts`: have what seldom changes in NFTs' records kept as it is shown."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from core.progress import Progress
from tokens.store import renderings


class Command(BaseCommand):
    """Renders what an older version of the service, or something other than it, has written."""

    help = (
        "Renders the NFTs whose rendering is missing or out of date, in batches: they are shown without it too, but at "
        "ten times the cost. Needed once after an update. May be interrupted and run again, also beside the service."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Render, and tell how many NFTs that were."""
        with Progress("renderings", "NFTs", quiet=options["verbosity"] == 0) as progress:
            count = renderings.refresh_all(progress.add)
        if options["verbosity"]:
            self.stdout.write(f"NFTs rendered: {count:,}.")
