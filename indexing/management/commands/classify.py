"""`manage.py classify`: judges transfers again from the kept evidence, after a rule or a market was added."""

from __future__ import annotations

from operator import add
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from core.progress import Progress
from core.stopping import end_stopped
from indexing.follow.reclassify import Counts, reclassify
from indexing.management.arguments import block_number, indexed_chains
from indexing.models import Evidence
from indexing.write import judging
from tokens.management.arguments import add_many
from tokens.store.chains import ChainRow
from transfers.figures.counting import forget


class Command(BaseCommand):
    """Classify transfers again; may be killed and repeated at any moment."""

    help = (
        "Judge the transfers of indexed chains again (type, value, swaps, markets) from the evidence that is kept of "
        "their transactions. What `load` stated stays. Asks whose orders were filled are marked so."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the chains, and from which block on."""
        add_many(
            parser, "--chain", metavar="CHAIN", help="slug, EIP-155 id or CAIP-2 name (every indexed one)"
        )
        parser.add_argument(
            "--since-block", type=block_number, default=0, metavar="N", help="the first block (0)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for chain in indexed_chains(options["chain"]):
                self._classify(chain, options["since_block"], quiet=options["verbosity"] == 0)
        except KeyboardInterrupt:
            end_stopped(self.stderr, "Start again to finish.")

    def _classify(self, chain: ChainRow, since_block: int, *, quiet: bool) -> None:
        counts = Counts()
        total = Evidence.objects.filter(chain_id=chain.id, block_number__gte=since_block).count()
        with Progress(chain.slug, "transactions", total, quiet=quiet) as progress:
            for part in reclassify(judging.of_chain(chain), since_block):
                counts = Counts(*map(add, counts, part))
                progress.add(part.transactions, f"{counts.faults:,} not explained")
        forget(chain.id)
        if not quiet:
            self.stdout.write(
                f"{chain.slug}: {counts.transactions:,} transactions with {counts.transfers:,} transfers; "
                f"{counts.changed_nfts:,} NFTs have transfers that were another thing before, "
                f"{counts.faults:,} market events are not explained."
            )
