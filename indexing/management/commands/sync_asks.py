"""`manage.py sync_asks`: asks that were signed off the chain, from order books that others keep."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.addresses import is_collection_address, is_evm_address
from core.chains import EVM
from core.progress import Progress
from core.stopping import end_stopped, stopped_by_signals
from indexing.models import BookWalk
from indexing.orders import queue
from indexing.orders.asking import Asker, SourceError
from indexing.orders.checking import Checker, checker
from indexing.orders.following import Follower, StoppedError
from indexing.orders.sources import OpenSea, Reservoir, ReservoirFile, Source
from indexing.orders.walking import AlreadyWalkedError, Walker, only_walker
from tokens.management.arguments import add_many, known_chain
from tokens.store import chains
from tokens.store.chains import ChainRow

SOURCES = (OpenSea.name, Reservoir.name)
POLL = 2.0
"""Seconds between two looks for work while there is none."""
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
        add_many(parser, "--contract", metavar="ADDRESS", help="a contract; without any: all that are known")
        add_many(
            parser,
            "--collection",
            metavar="SLUG",
            help="what the source calls a further collection of the contract, from now on",
        )
        add("--from", dest="place", metavar="FILE|URL", help="where a book in Reservoir's shape is")
        add("--follow", action="store_true", help="go on: read again, and what is added meanwhile")
        add(
            "--every",
            type=int,
            default=queue.EVERY,
            metavar="SECONDS",
            help=f"between two whole readings of a book ({queue.EVERY}); what was listed since is read each minute",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.quiet = options["verbosity"] == 0
        chain = known_chain(options["chain"], chains.known())
        contracts = _contracts(options, chain)
        stop = threading.Event()
        try:
            source = _source(options, chain, lambda seconds: self._wait(seconds, stop))
            walker = Walker(
                source, chain, self._tell_page(stop, f"{source.name} on {chain.slug}"), every=options["every"]
            )
            books = [_book(walker, address, options["collection"]) for address in contracts]
            nodes = settings.RPC_URLS.get(chain.slug, []) if chain.kind == EVM else []
            with _alone(walker, books), stopped_by_signals(stop), checker(chain, nodes) as checks:
                if options["follow"]:
                    self._follow(walker, books, stop, checks)
                else:
                    faults = self._once(walker, books)
                    while not stop.is_set() and checks.check():
                        pass
        except (AlreadyWalkedError, SourceError) as fault:
            raise CommandError(str(fault)) from None
        except StoppedError:
            end_stopped(self.stderr)
        if not options["follow"] and faults:
            sys.exit(1)

    def _once(self, walker: Walker, books: list[BookWalk]) -> int:
        """Walk what is named, else all that is known, once; return how many failed."""
        ids = [one.pk for one in books]
        queue.resume(ids)
        rows = queue.books(walker.chain.id, walker.source.name)
        found = list(queue.in_turn(rows.filter(id__in=ids) if ids else rows, walker.now()))
        if not found:
            raise CommandError("Name what to read: --contract ADDRESS, as often as needed.")
        faults = 0
        for book in found:
            try:
                self._tell_book(walker.walk(book.address), "")
            except SourceError as fault:
                faults += 1
                self._tell_book(book, str(fault))
        return faults

    def _follow(self, walker: Walker, books: list[BookWalk], stop: threading.Event, checks: Checker) -> None:
        """Keep what is named current, else all that is known or becomes so."""
        queue.request([one.pk for one in books], walker.now())
        follower = Follower(walker, among=[one.address for one in books], tell=self._tell_book)
        while not stop.is_set():
            if not follower.step() and not checks.check():
                stop.wait(POLL)
        raise StoppedError

    def _tell_book(self, book: BookWalk, fault: str) -> None:
        if fault:
            self.stderr.write(f"{book.address}: {fault}.")
        elif not self.quiet:
            self.stdout.write(
                f"{book.address}: {book.shown:,} asks on {book.pages:,} pages, {book.refused:,} orders refused, "
                f"{book.differing:,} that the source has at another price; {book.ended:,} are gone."
            )

    def _tell_page(self, stop: threading.Event, source: str) -> Any:
        progress = Progress(source, "pages", quiet=self.quiet)

        def tell(walk: BookWalk) -> None:
            progress.add(1, f"{walk.address}, {walk.shown:,} asks")
            if stop.is_set():
                raise StoppedError

        return tell

    def _wait(self, seconds: float, stop: threading.Event) -> None:
        """Wait for a source's limit."""
        if not self.quiet and seconds > 10:
            self.stderr.write(f"Waiting {seconds:,.0f} s for the source's limit.")
        if stop.wait(seconds):
            raise StoppedError


def _contracts(options: dict[str, Any], chain: ChainRow) -> list[str]:
    """Return the contracts that are named, on a mint-identified chain the collections."""
    named = [address.strip() for address in options["contract"]]
    is_evm = chain.kind == EVM
    wrong = [one for one in named if is_evm_address(one) != is_evm or not is_collection_address(one)]
    if wrong:
        form = "0x and 40 hexadecimal digits" if is_evm else "a collection's address"
        raise CommandError(f"--contract must be {form}, not {', '.join(wrong)}.")
    if is_evm:
        named = [one.lower() for one in named]
    if options["collection"] and len(named) != 1:
        raise CommandError("--collection needs the one --contract that it is of.")
    return list(dict.fromkeys(named))


def _book(walker: Walker, address: str, named: list[str]) -> BookWalk:
    return queue.add(walker.chain.id, walker.source.name, address, named, walker.now())


@contextmanager
def _alone(walker: Walker, books: list[BookWalk]) -> Iterator[None]:
    """Hold the lock; where another process does, leave word of what to read."""
    try:
        with only_walker(walker.source.name, walker.chain):
            yield
    except AlreadyWalkedError as fault:
        if not books:
            raise
        queue.request([one.pk for one in books], walker.now())
        text = f"{fault} It reads what is named first, unless it keeps to other contracts."
        raise AlreadyWalkedError(text) from None


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
