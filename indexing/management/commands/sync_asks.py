"""`manage.py sync_asks`: asks that were signed off the chain, from order books that others keep."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from core.addresses import is_evm_address
from core.stopping import stopped_by_signals
from indexing.management.arguments import evm_chain
from indexing.models import BookWalk
from indexing.orders.asking import Asker, SourceError
from indexing.orders.sources import OpenSea, Reservoir, ReservoirFile, Source
from indexing.orders.walking import AlreadyWalkedError, Walker, only_walker
from tokens.management.arguments import add_many
from tokens.store import chains
from tokens.store.chains import ChainRow

SOURCES = (OpenSea.name, Reservoir.name)
_KEY = re.compile(r"[!-~]+", re.ASCII)


class Command(BaseCommand):
    """Reads books to their end; may be killed and repeated at any moment."""

    help = (
        "Read the asks of contracts from an order book that is kept off the chain. A walk that was stopped is "
        "finished by the next. Once it has come to its end, asks that the source no longer shows are no longer live."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the source, the chain, and what of it."""
        add = parser.add_argument
        add("--source", choices=SOURCES, default=OpenSea.name, help=f"who keeps the book ({OpenSea.name})")
        add("--chain", default="ethereum", help="slug, EIP-155 id or CAIP-2 name (ethereum)")
        add_many(
            parser, "--contract", metavar="ADDRESS", help="a contract; without any: all that were read before"
        )
        add_many(
            parser,
            "--collection",
            metavar="SLUG",
            help="what the source calls a further collection of the contract, from now on",
        )
        add("--from", dest="place", metavar="FILE|URL", help="where a book in Reservoir's shape is")
        add("--follow", action="store_true", help="read again and again")
        add("--every", type=int, default=600, metavar="SECONDS", help="between two readings (600)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read."""
        self.quiet = options["verbosity"] == 0
        chain = evm_chain(options["chain"], chains.known())
        contracts = _contracts(options, chain)
        stop = threading.Event()
        try:
            source = _source(options, chain, lambda seconds: self._wait(seconds, stop))
            with only_walker(source.name, chain), stopped_by_signals(stop):
                walker = Walker(source, chain, self._tell_page(stop))
                while True:
                    faults = self._round(walker, contracts, options["collection"])
                    if not options["follow"] or stop.wait(options["every"]):
                        break
        except (AlreadyWalkedError, SourceError) as fault:
            raise CommandError(str(fault)) from None
        except _StoppedError:
            self.stderr.write("Stopped. The next run goes on from here.")
            sys.exit(130)
        if faults:
            sys.exit(1)

    def _round(self, walker: Walker, contracts: list[str], collections: list[str]) -> int:
        """Walk all of them once; return how many failed."""
        faults = 0
        for contract in contracts:
            try:
                walk = walker.walk(contract, collections)
            except SourceError as fault:
                faults += 1
                self.stderr.write(f"{contract}: {fault}.")
                continue
            if not self.quiet:
                self.stdout.write(
                    f"{contract}: {walk.shown:,} asks on {walk.pages:,} pages, {walk.refused:,} orders refused, "
                    f"{walk.differing:,} that the source has at another price; {walk.ended:,} are gone."
                )
        return faults

    def _tell_page(self, stop: threading.Event) -> Any:
        bar = tqdm(unit="page", disable=self.quiet or not sys.stderr.isatty())

        def tell(walk: BookWalk) -> None:
            bar.set_description(f"{walk.address}: {walk.shown:,} asks", refresh=False)
            bar.update()
            if stop.is_set():
                raise _StoppedError

        return tell

    def _wait(self, seconds: float, stop: threading.Event) -> None:
        """Wait for a source's limit."""
        if not self.quiet and seconds > 10:
            self.stderr.write(f"Waiting {seconds:,.0f} s for the source's limit.")
        if stop.wait(seconds):
            raise _StoppedError


class _StoppedError(Exception):
    """A signal came."""


def _contracts(options: dict[str, Any], chain: ChainRow) -> list[str]:
    """Return what to read: the contracts that are named, else all that were ever read from the source."""
    named = [address.strip().lower() for address in options["contract"]]
    wrong = [address for address in named if not is_evm_address(address)]
    if wrong:
        raise CommandError(f"--contract must be 0x and 40 hexadecimal digits, not {', '.join(wrong)}.")
    if options["collection"] and len(named) != 1:
        raise CommandError("--collection needs the one --contract that it is of.")
    before = BookWalk.objects.filter(chain_id=chain.id, source=options["source"]).order_by("id")
    found = list(dict.fromkeys(named)) or list(before.values_list("address", flat=True))
    if not found:
        raise CommandError("Name what to read: --contract ADDRESS, as often as needed.")
    return found


def _source(options: dict[str, Any], chain: ChainRow, wait: Any) -> Source:
    place = options["place"]
    if (options["source"] == Reservoir.name) != (place is not None):
        raise CommandError(f"--from FILE|URL goes with --source {Reservoir.name}, and that with it.")
    if place is None:
        key = settings.OPENSEA_API_KEY
        if not _KEY.fullmatch(key):  # which is never shown
            raise CommandError(
                "Set OPENSEA_API_KEY: visible ASCII characters. docs/orders.md says where it is from."
            )
        return OpenSea(Asker(settings.OPENSEA_API_URL, headers={"X-API-KEY": key}, sleep=wait), chain.slug)
    if place.startswith(("http://", "https://")):
        return Reservoir(Asker(place.rstrip("/"), sleep=wait))
    return ReservoirFile(Path(place))
