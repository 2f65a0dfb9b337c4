"""`manage.py index_das`: NFTs of a mint-identified chain, with owners and metadata, from a DAS node."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.addresses import is_mint
from core.net.rpc.errors import NodeError
from core.net.rpc.jsonrpc import Node
from core.progress import Progress
from core.stopping import end_stopped
from indexing.das.reading import Counts, Reader
from indexing.management.arguments import mint_chain
from tokens.management.arguments import add_many, add_nodes, node_urls
from tokens.store import chains


class Command(BaseCommand):
    """Read assets; a run that was stopped or killed is finished by the next, which begins anew."""

    help = (
        "Read the NFTs of collections, or single ones, from any node that speaks Metaplex's Digital Asset Standard "
        "API, into the same tables. Transfers of such chains come by `load`. A second run brings owners, burnt and "
        "moved assets up to date."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the chain, its nodes, and what of it."""
        parser.add_argument("--chain", default="solana", help="slug of a mint-identified chain (solana)")
        add_nodes(parser, "DAS node")
        add_many(parser, "--collection", metavar="MINT", help="address of a collection")
        add_many(parser, "--asset", metavar="MINT", help="a single asset")

    def handle(self, *args: Any, **options: Any) -> None:
        chain = mint_chain(options["chain"], chains.known())
        collections, assets = _mints(options, "collection"), _mints(options, "asset")
        if not collections and not assets:
            raise CommandError(
                "Name what to read: --collection MINT or --asset MINT, each as often as needed."
            )
        urls = node_urls(chain.slug, options["rpc_url"], "DAS node")
        try:
            node = Node(urls, has_chain_id=False)
        except ValueError as fault:
            raise CommandError(f"--rpc-url: {fault}") from None
        self.quiet = options["verbosity"] == 0
        with Progress(chain.slug, "assets", quiet=self.quiet) as progress:
            reader = Reader(chain, node, self._tell, progress.add)
            try:
                self._read(reader, collections, assets)
            except NodeError as fault:
                raise CommandError(str(fault)) from None
            except KeyboardInterrupt:
                end_stopped(self.stderr, "What was read is stored; the next run begins anew.")
        self._sum_up(chain.slug, reader.counts)

    def _read(self, reader: Reader, collections: list[str], assets: list[str]) -> None:
        for address in collections:
            if not reader.collection(address):
                self.stderr.write(
                    f"{address}: the node repeats its pages, so that its list may not be whole. What it did not name "
                    "was left as it is."
                )
        reader.assets(assets)

    def _tell(self, mint: str, reason: str) -> None:
        self.stderr.write(f"{mint}: {reason}")

    def _sum_up(self, slug: str, counts: Counts) -> None:
        """Say what was read; the exit code is 1 when something could not be."""
        if not self.quiet:
            self.stdout.write(
                f"{slug}: {counts.nfts:,} NFTs, {counts.burnt:,} of them burnt; {counts.left_out:,} fungible tokens or "
                f"collections and {counts.strangers:,} unverified members left out; {counts.gone:,} stored ones are "
                f"unknown to the node; documents of {counts.unread:,} are to be fetched; {counts.faults:,} faults."
            )
        if counts.faults:
            sys.exit(1)


def _mints(options: dict[str, Any], name: str) -> list[str]:
    wrong = [mint for mint in options[name] if not is_mint(mint)]
    if wrong:
        raise CommandError(
            f"--{name} must be 32 to 44 base58 characters that stand for 32 bytes, not {', '.join(wrong)}."
        )
    return list(dict.fromkeys(options[name]))
