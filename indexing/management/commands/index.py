"""`manage.py index`: fills the database from a node, and keeps it current."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.addresses import is_evm_address
from core.chains import EVM
from core.net.rpc.errors import NodeError
from core.net.rpc.jsonrpc import Node
from core.progress import Progress
from core.stopping import end_stopped
from indexing.contracts.profiles import first_block
from indexing.follow import order_history
from indexing.follow.lock import AlreadyIndexedError, only_indexer
from indexing.follow.reorganisations import DeepReorganisationError
from indexing.follow.rewind import rewind
from indexing.follow.runner import Indexer, Task
from indexing.follow.runner import Progress as Reached
from indexing.management.arguments import block_number, evm_chain
from indexing.node.agreement import InconsistentAnswersError, LogNumberingError
from indexing.node.source import Source, UnreadableLogsError
from indexing.node.transactions import MalformedAnswerError
from indexing.write import checkpoints, doubts
from indexing.write.apply import OvertakenError
from indexing.write.checkpoints import EVERY, ReorganisedError
from tokens.management.arguments import add_many, add_nodes, node_urls
from tokens.store import chains
from tokens.store.chains import ChainRow

NODE_TIMEOUT = 10.0
"""Seconds for each read. Logs that take longer are asked for in smaller ranges; a request that was lost costs this."""

MOST_DOUBTS = 20
"""Contracts in doubt that a run tells of when it ends; the admin has all."""

FAULTS = (
    AlreadyIndexedError,
    DeepReorganisationError,
    InconsistentAnswersError,
    LogNumberingError,
    MalformedAnswerError,
    NodeError,
    OvertakenError,
    ReorganisedError,
    UnreadableLogsError,
)


class Command(BaseCommand):
    """Index an EVM chain; Ctrl-C or a kill at any moment loses nothing: the next run goes on."""

    help = (
        "Index the NFTs of an EVM chain from a node. Without --chain: the one that RPC_URLS_<CHAIN> names. A run "
        "goes on where the last one ended, with all that was ever named: contracts, or every contract."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the chain, its nodes, and what of it."""
        add = parser.add_argument
        add("--chain", help="slug, EIP-155 id or CAIP-2 name")
        add_nodes(parser)
        add_many(parser, "--contract", metavar="ADDRESS", help="only this one")
        add(
            "--every-contract",
            action="store_true",
            help="every contract, also where only some were named before (without both: all that was named so far)",
        )
        add(
            "--from-block",
            type=block_number,
            help="where to begin (where the contract was made; all contracts: 0)",
        )
        add("--to-block", type=block_number, help="the last block (the head)")
        add(
            "--orders-from",
            type=block_number,
            metavar="BLOCK",
            help="also read what was said of orders from this block on, before indexing began",
        )
        add("--follow", action="store_true", help="go on with the head")
        add(
            "--confirmations",
            type=block_number,
            default=0,
            help="blocks below the head that are left alone (0)",
        )
        add(
            "--rewind-to",
            type=block_number,
            metavar="BLOCK",
            help="first take back all that came after this block",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chain = _chain(options["chain"])
        urls = node_urls(chain.slug, options["rpc_url"])
        try:
            node = Node(urls, timeout=NODE_TIMEOUT, expect_chain_id=chain.chain_id)
        except ValueError as fault:
            raise CommandError(f"--rpc-url: {fault}") from None
        source = Source(node, chain.chain_id or 0)
        try:
            self._index(chain, source, options)
        except FAULTS as fault:
            raise CommandError(str(fault)) from None
        except KeyboardInterrupt:
            end_stopped(self.stderr)
        finally:
            source.close()

    def _index(self, chain: ChainRow, source: Source, options: dict[str, Any]) -> None:
        contracts = _contracts(chain, options["contract"], options["every_contract"])
        with only_indexer(chain):  # who is refused has not moved the checkpoints of who is at work
            if options["rewind_to"] is not None:
                count = rewind(chain, options["rewind_to"])
                self.stdout.write(f"Took back {count:,} transfers after block {options['rewind_to']:,}.")
            starts = _starts(chain, contracts, source, options["from_block"])
            checkpoints.begin(chain, contracts, options["from_block"], starts)
            if options["orders_from"] is not None:
                order_history.begin(chain, options["orders_from"])
        task = Task(
            chain=chain,
            contracts=tuple(contracts),
            to_block=options["to_block"],
            follow=options["follow"],
            confirmations=options["confirmations"],
            keep_blocks=settings.INDEX_KEEP_BLOCKS,
        )
        with Progress(chain.slug, "blocks", quiet=options["verbosity"] == 0) as progress:
            indexer = Indexer(task, source, lambda reached: _show(progress, reached))
            indexer.run()
        counts = indexer.counts
        self.stdout.write(
            f"Indexed {counts.blocks:,} blocks with {counts.logs:,} logs: {counts.transfers:,} transfers."
        )
        for sentence in doubts.told(chain, MOST_DOUBTS):
            self.stderr.write(sentence)


def _show(progress: Progress, reached: Reached) -> None:
    """Tell how far it is: of the blocks that there are by now."""
    left = max(reached.target - reached.next_block + 1, 0)
    place = f"at block {reached.next_block - 1:,}, {reached.logs:,} logs, {reached.transfers:,} transfers"
    progress.reach(reached.blocks, reached.blocks + left, place)


def _chain(name: str | None) -> ChainRow:
    rows = chains.known()
    if name is None:
        configured = sorted(slug for slug in settings.RPC_URLS if slug not in rows or rows[slug].kind == EVM)
        if len(configured) != 1:
            which = f"of {', '.join(configured)}" if configured else "or set RPC_URLS_<CHAIN>"
            raise CommandError(f"Name a chain by --chain, {which}.")
        name = configured[0]
    return evm_chain(name, rows)


def _contracts(chain: ChainRow, addresses: list[str], every: bool) -> list[str]:
    """Return what to index: the named contracts alone, else all that was ever named, and every contract if wanted."""
    if addresses and every:
        raise CommandError("Give --contract or --every-contract, not both: who reads all reads each of them.")
    wrong = [address for address in addresses if not is_evm_address(address)]
    if wrong:
        raise CommandError(f"--contract must be 0x and 40 hexadecimal digits, not {', '.join(wrong)}.")
    known = checkpoints.known_contracts(chain)
    return sorted(
        {address.lower() for address in addresses} or {*known, *([EVERY] if every or not known else ())}
    )


def _starts(chain: ChainRow, contracts: list[str], source: Source, given: int | None) -> dict[str, int]:
    """Return where to begin with contracts that are not begun, where nobody says."""
    if given is not None:
        return {}
    new = set(contracts) - set(checkpoints.known_contracts(chain)) - {EVERY}
    head = source.node.block_number() if new else 0
    found = {address: first_block(address, head, source.ask) for address in sorted(new)}
    return dict.fromkeys(contracts, 0) | found
