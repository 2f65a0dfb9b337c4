"""`manage.py rederive`: derives all that follows from kept evidence again, after what reads it was mended."""

from __future__ import annotations

from operator import add
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from core.db.ahead import interpreter_for_batches
from core.progress import Progress
from core.stopping import end_stopped
from indexing.follow import rederive
from indexing.follow.rederive import Counts
from indexing.management.arguments import indexed_chains
from indexing.models import Evidence
from indexing.write import judging
from tokens.management.arguments import add_many
from tokens.models import Nft
from tokens.store.chains import ChainRow
from transfers.figures.counting import forget


class Command(BaseCommand):
    """Derive again; may be killed and repeated at any moment."""

    help = (
        "Derive again what follows from the evidence that is kept of indexed chains, without a node: transfers, types "
        "and prices, then owners, minters, markets and active asks. What other sources stated stays."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_many(
            parser, "--chain", metavar="CHAIN", help="slug, EIP-155 id or CAIP-2 name (every indexed one)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["verbosity"] == 0
        try:
            with interpreter_for_batches():
                for chain in indexed_chains(options["chain"]):
                    self._rederive(chain, quiet=quiet)
        except KeyboardInterrupt:
            end_stopped(self.stderr, "Start again to finish.")

    def _rederive(self, chain: ChainRow, *, quiet: bool) -> None:
        counts, count = Counts(), 0
        kept = Evidence.objects.filter(chain_id=chain.id)
        with Progress(chain.slug, "transactions", kept.count(), quiet=quiet) as progress:
            for part in rederive.transactions(judging.of_chain(chain)):
                counts = Counts(*map(add, counts, part))
                progress.add(part.transactions, f"{counts.written:,} written anew")
        nfts = Nft.objects.filter(chain_id=chain.id)
        with Progress(chain.slug, "NFTs", nfts.count(), quiet=quiet) as progress:
            for size in rederive.nfts(chain):
                count += size
                progress.add(size)
        forget(chain.id)
        if not quiet:
            self.stdout.write(
                f"{chain.slug}: {counts.transactions:,} transactions with {counts.transfers:,} transfers, of which "
                f"{counts.written:,} transactions are written anew; {count:,} NFTs."
            )
        if counts.unreadable:
            self.stderr.write(
                f"The evidence of {counts.unreadable:,} transactions cannot be read: they stay."
            )
