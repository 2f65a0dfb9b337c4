"""`manage.py sync_rates`: fills the table of rates from files, from Chainlink's feeds, or from a price API."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.addresses import is_evm_address
from core.chains import node_setting
from core.net.rpc.errors import NodeError
from core.net.rpc.jsonrpc import Node
from core.progress import Progress, say
from core.stopping import end_stopped
from core.values import WrongValueError, symbol
from indexing.management.arguments import evm_chain
from indexing.rates import feeds, files
from indexing.rates.chainlink import FeedError, FeedReader
from indexing.rates.feeds import FEEDS, Feed
from indexing.rates.price_api import PriceApi, PriceApiError
from indexing.rates.writing import begin_at, write
from tokens.management.arguments import add_many, add_nodes, node_urls
from tokens.store import chains
from tokens.store.chains import ChainRow
from tokens.store.facts import RateFacts

NODE_TIMEOUT = 10.0
SOURCES = ("feeds", "api")


class Command(BaseCommand):
    """Brings rates up to date; may be killed and repeated at any moment."""

    help = (
        "Fill the table of rates: from FILEs, or else from what is configured, Chainlink's feeds at the nodes that "
        "RPC_URLS_<CHAIN> names and the price API at RATES_URL. Goes on from the newest rate of each currency. Values "
        "of transfers follow, whenever a rate comes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the files, or which sources, chains and currencies."""
        add = parser.add_argument
        add("files", nargs="*", metavar="FILE", help="comma-separated times and prices in USD")
        add_many(parser, "--currency", type=_symbol, metavar="CURRENCY", help="only this one")
        add("--source", choices=SOURCES, help="only this one of the configured sources")
        add("--chain", help="slug, EIP-155 id or CAIP-2 name of the chain whose feeds are read")
        add_nodes(parser)
        add_many(
            parser, "--feed", type=_feed, metavar="CURRENCY=ADDRESS", help="a feed of it that is not built in"
        )
        add("--since", type=_moment, metavar="TIME", help="from when on: a date, or Unix seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        self.quiet = options["verbosity"] == 0
        self.faults = 0
        try:
            _refuse_ignored(options)
            if options["files"]:
                self._files(options["files"], options["currency"])
            else:
                self._configured(options)
        except (FeedError, PriceApiError, NodeError) as fault:
            raise CommandError(str(fault)) from None
        except KeyboardInterrupt:
            end_stopped(self.stderr)
        if self.faults:
            sys.exit(1)

    def _files(self, paths: list[str], currencies: list[str]) -> None:
        if len(currencies) > 1:
            raise CommandError("A file has the rates of one currency.")
        for path in paths:

            def tell(line: int, reason: str, path: str = path) -> None:
                self._tell(f"{path}:{line}: {reason}")

            try:
                self._write(path, files.read(path, currencies[0] if currencies else None, tell))
            except files.RatesFileError as fault:
                raise CommandError(f"{path}: {fault}") from None
            except OSError as fault:
                raise CommandError(f"Cannot read {path}: {fault.strerror}.") from None

    def _configured(self, options: dict[str, Any]) -> None:
        nodes = _nodes(options) if options["source"] != "api" else {}
        given: list[Feed] = options["feed"]
        wanted = set(options["currency"]) or {feed.currency for feed in given}
        found = {feed.currency: (chain, feed) for chain, feed in feeds.chosen(nodes, wanted)}
        found |= {feed.currency: (next(iter(nodes)), feed) for feed in given if feed.currency in wanted}
        asks_api = (
            options["source"] != "feeds" and bool(settings.RATES_URL) and not (given or options["chain"])
        )
        names = {one: name for one, name in settings.RATES_CURRENCIES.items() if not wanted or one in wanted}
        if not found and not (asks_api and names):
            raise CommandError(
                "There is nothing to read from: name FILEs, set RPC_URLS_<CHAIN> for a chain with feeds "
                f"({', '.join(FEEDS)}; --feed names others), or RATES_URL."
            )
        now = int(time.time())
        for currency, (chain, feed) in found.items():
            reader = FeedReader(nodes[chain], feed, now, self._tell)
            self._write(f"{currency} from its feed on {chain}", reader.rates(_since(options, currency)))
        for currency, name in names.items() if asks_api else ():
            api = PriceApi(settings.RATES_URL, on_fault=self._tell)
            self._write(f"{currency} from the API", api.rates(currency, name, _since(options, currency), now))

    def _write(self, source: str, rates: Iterable[RateFacts]) -> None:
        with Progress(source, "rates", quiet=self.quiet) as progress:
            count = sum(write(_counted(rates, progress)))
        if not self.quiet:
            self.stdout.write(f"{source}: {count:,} rates.")

    def _tell(self, text: str) -> None:
        self.faults += 1
        say(text, self.stderr)


def _counted(rates: Iterable[RateFacts], progress: Progress) -> Iterator[RateFacts]:
    for one in rates:
        yield one
        progress.add()


def _refuse_ignored(options: dict[str, Any]) -> None:
    """Raise ``CommandError`` where an option stands beside what would ignore it."""
    of_feeds = [f"--{name.replace('_', '-')}" for name in ("chain", "rpc_url", "feed") if options[name]]
    of_sources = [f"--{name}" for name in ("source", "since") if options[name] is not None]
    if options["files"] and (of_feeds or of_sources):
        raise CommandError(
            f"FILEs are read whole: {', '.join(of_feeds + of_sources)} cannot stand beside them."
        )
    if options["source"] == "api" and of_feeds:
        raise CommandError(f"--source api reads no feeds: {', '.join(of_feeds)} cannot stand beside it.")


def _since(options: dict[str, Any], currency: str) -> int:
    since: int | None = options["since"]
    return begin_at(currency) if since is None else since


def _nodes(options: dict[str, Any]) -> dict[str, Node]:
    """Return the nodes whose feeds are read, by chain: of the one that was named, else of all that are configured."""
    rows = chains.known()
    if options["chain"] is None:
        if options["rpc_url"]:
            raise CommandError("Name the chain of --rpc-url by --chain.")
        slugs = sorted(settings.RPC_URLS)
        if options["feed"] and len(slugs) != 1:
            raise CommandError("Name the chain of --feed by --chain.")
        if options["feed"] and slugs[0] not in rows:
            raise CommandError(f"The chain of --feed is not known: {slugs[0]}, of {node_setting(slugs[0])}.")
        return {
            slug: _node(rows[slug], settings.RPC_URLS[slug], node_setting(slug))
            for slug in slugs
            if slug in rows
        }
    chain = evm_chain(options["chain"], rows)
    urls = node_urls(chain.slug, options["rpc_url"])
    return {chain.slug: _node(chain, urls, "--rpc-url" if options["rpc_url"] else node_setting(chain.slug))}


def _node(chain: ChainRow, urls: list[str], source: str) -> Node:
    """Return a client of the nodes; ``source`` is what named them, to be told where that is wrong."""
    try:
        return Node(urls, timeout=NODE_TIMEOUT, expect_chain_id=chain.chain_id)
    except ValueError as fault:
        raise CommandError(f"{source}: {fault}") from None


def _symbol(text: str) -> str:
    try:
        read: str = symbol(text)
    except WrongValueError as fault:
        raise ValueError(str(fault)) from None
    return read


def _feed(text: str) -> Feed:
    currency, _, address = text.partition("=")
    if not is_evm_address(address.strip()):
        raise ValueError
    return Feed(_symbol(currency), address.strip().lower())


def _moment(text: str) -> int:
    moment = files.read_time(text)
    if moment is None or moment < 0:
        raise ValueError
    return moment


# What argparse calls a value that is none.
_symbol.__name__, _feed.__name__, _moment.__name__ = "symbol", "feed", "time"
