"""`manage.py rederive`: derives all that follows from kept evidence again, after what reads it was mended."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from core.db.ahead import interpreter_for_batches
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
        """Take the chains."""
        add_many(
            parser, "--chain", metavar="CHAIN", help="slug, EIP-155 id or CAIP-2 name (every indexed one)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Derive again."""
        quiet = options["verbosity"] == 0
        try:
            with interpreter_for_batches():
                for chain in indexed_chains(options["chain"]):
                    self._rederive(chain, quiet=quiet)
        except KeyboardInterrupt:
            self.stderr.write("Stopped. Start again to finish.")
            sys.exit(130)

    def _rederive(self, chain: ChainRow, *, quiet: bool) -> None:
        hidden = quiet or not sys.stderr.isatty()
        counts, count = Counts(), 0
        kept = Evidence.objects.filter(chain_id=chain.id)
        with tqdm(total=kept.count(), desc=chain.slug, unit="tx", disable=hidden) as bar:
            for part in rederive.transactions(judging.of_chain(chain)):
                counts = counts.plus(part)
                bar.update(part.transactions)
        nfts = Nft.objects.filter(chain_id=chain.id)
        with tqdm(total=nfts.count(), desc=chain.slug, unit="NFT", disable=hidden) as bar:
            for size in rederive.nfts(chain):
                count += size
                bar.update(size)
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
