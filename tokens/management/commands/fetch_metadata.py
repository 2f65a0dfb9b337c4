"""`manage.py fetch_metadata`: reads the metadata of NFTs from where their contracts say it is."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from core.db.writing import writing
from core.net.http.fetch import Fetcher
from core.net.rpc.jsonrpc import Node
from core.progress import Progress
from core.stopping import end_stopped, stopped_by_signals
from tokens.management.arguments import add_many, add_nodes, known_chain, known_contracts, token_key_of
from tokens.metadata import token_uris
from tokens.metadata.worker import LEASE, LONGEST_LEASE, Scope, Worker, quiet
from tokens.models import ContractRarity, Nft
from tokens.rarity import computing as rarity
from tokens.store import chains, fetches
from tokens.store.chains import ChainRow

NODE_TIMEOUT, NODE_ATTEMPTS = 10.0, 3
"""Seconds for each read, and requests in a row that may fail: the NFTs concerned come again by themselves."""

POLL = 2.0
"""Seconds between looks for work while there is none."""

LONG_PAUSE, DATABASE_ATTEMPTS = 5.0, 3
"""Seconds between attempts while the database does not answer, and after how many of them a run ends."""

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Reads metadata; any number of these may run side by side, and each may be killed at any moment."""

    help = (
        "Read the metadata of NFTs that is due: new ones, changed ones, old ones. Nodes are those of RPC_URLS_<CHAIN>. "
        "Several may run side by side; one that is killed loses nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what to read, from which node, and whether to go on."""
        add = parser.add_argument
        add("--follow", action="store_true", help="go on with what becomes due")
        add_many(parser, "--contract", metavar="ADDRESS", help="read those of this one again, and no others")
        add_many(parser, "--token", type=token_key_of, metavar="ID", help="of the contract, only this")
        add("--chain", help="only of this one: slug, EIP-155 id or CAIP-2 name")
        add_nodes(parser)
        add(
            "--lease",
            type=_seconds,
            default=LEASE,
            metavar="SECONDS",
            help=f"after which what a killed worker was at is due again ({LEASE:.0f})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read what is due; Ctrl-C and SIGTERM end it as soon as the documents under way are there."""
        known = chains.known()
        chain = None if options["chain"] is None else known_chain(options["chain"], known)
        nodes = _nodes(options["rpc_url"], chain, known)
        scope = _scope(options, chain)
        quiet_output = options["verbosity"] == 0
        stop = threading.Event()
        with (
            stopped_by_signals(stop) as received,
            Worker(nodes, _fetcher(), scope, lease=options["lease"], stop=stop) as worker,
            Progress("metadata", "NFTs", quiet=quiet_output) as progress,
        ):
            self._run(worker, progress, stop, follow=options["follow"])
        if not quiet_output:
            self.stdout.write(_summary(worker))
        if received == [signal.SIGINT]:
            end_stopped(self.stderr)

    def _run(self, worker: Worker, progress: Progress, stop: threading.Event, *, follow: bool) -> None:
        failures = 0
        while not stop.is_set():
            try:
                worked = self._step(worker, stop, follow=follow)
                failures = 0
            except (OperationalError, InterfaceError) as fault:
                failures += 1
                if not follow and failures == DATABASE_ATTEMPTS:
                    raise
                logger.warning("The database does not answer: %s", fault)
                connection.close()
                stop.wait(LONG_PAUSE)
                continue
            if worked:
                progress.reach(worker.tally.states.total(), place=_summary(worker))
            if not worked and not follow:
                return
            if not worked:
                stop.wait(POLL)

    def _step(self, worker: Worker, stop: threading.Event, *, follow: bool) -> bool:
        """Do some of what is due, rarity included; return whether there was anything."""
        worked = worker.expand() | worker.step()

        def tell(count: int) -> None:
            if stop.is_set():  # a large contract takes longer than anybody waits, and nothing is lost
                raise _StoppedError

        with suppress(_StoppedError):
            if follow or not worked:
                for contract_id in rarity.due(timezone.now()):
                    rarity.compute(contract_id, only_due=True, tell=tell)
            if not follow and not worked:
                for contract_id in _settled(worker.tally.contract_ids):
                    rarity.compute(contract_id, tell=tell)
        return worked


class _StoppedError(Exception):
    """Leaves a computation to whoever comes next."""


def _settled(contract_ids: set[int]) -> list[int]:
    """Return the contracts whose traits have changed and of which nobody reads anything any more."""
    now = timezone.now()
    rows = ContractRarity.objects.filter(contract_id__in=contract_ids, changed_at__isnull=False)
    return [one for one in rows.values_list("contract_id", flat=True) if quiet(one, now)]


def _summary(worker: Worker) -> str:
    states = worker.tally.states
    if not states:
        return "Nothing was due."
    counts = ", ".join(f"{count:,} {state.value}" for state, count in sorted(states.items()))
    return f"{states.total():,} NFT{'' if states.total() == 1 else 's'}: {counts}."


def _scope(options: dict[str, Any], chain: ChainRow | None) -> Scope:
    """Return what is to be read; what was named is asked for again."""
    if not options["contract"]:
        if options["token"]:
            raise CommandError("Name the contract of --token by --contract.")
        return Scope(chain_id=chain and chain.id)
    now = timezone.now()
    contract_ids = known_contracts(options["contract"], chain)
    if not options["token"]:
        with writing():
            for contract_id in contract_ids:
                reason = "fetch_metadata --contract"
                fetches.request_range(contract_id, *fetches.WHOLE, reason, now, by_hand=True)
        return Scope(contract_ids)
    nfts = Nft.objects.filter(contract_id__in=contract_ids, token_key__in=options["token"])
    nft_ids = list(nfts.values_list("id", flat=True))
    if not nft_ids:
        raise CommandError("No such NFT is known.")
    with writing():
        fetches.request(nft_ids, now, by_hand=True)
    return Scope(contract_ids, nft_ids=nft_ids)


def _fetcher() -> Fetcher:
    return Fetcher(ipfs_gateways=settings.IPFS_GATEWAYS, arweave_gateways=settings.ARWEAVE_GATEWAYS)


def _nodes(given: list[str], chain: ChainRow | None, known: Mapping[str, ChainRow]) -> dict[str, Node]:
    """Return the nodes by slug of their chain: what was given for the one that was named, else what is configured."""
    if given and chain is None:
        raise CommandError("Name the chain of --rpc-url by --chain.")
    urls = {slug: found for slug, found in settings.RPC_URLS.items() if slug in known}
    if given and chain is not None:
        urls[chain.slug] = given
    try:
        return {
            slug: Node(
                found,
                timeout=NODE_TIMEOUT,
                attempts=NODE_ATTEMPTS,
                expect_chain_id=known[slug].chain_id,
                max_body=token_uris.MAX_BODY,
            )
            for slug, found in urls.items()
        }
    except ValueError as fault:
        raise CommandError(f"--rpc-url: {fault}") from None


def _seconds(text: str) -> float:
    if not 1 <= float(text) <= LONGEST_LEASE.total_seconds():
        raise ValueError
    return float(text)


_seconds.__name__ = "number of seconds"  # what argparse calls a value that is none
