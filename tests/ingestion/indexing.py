"""Runs of the indexer and of `classify` over a chain made by hand, and what is in the test database afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model

from core.db.keys import uint_from_key
from indexing.follow import runner
from indexing.follow.runner import Indexer, Progress, Task
from indexing.follow.window_width import LogWindows
from indexing.models import Block, Evidence, IndexedChain, IndexedContract, MarketFault, PunkBid, UndecodedLog
from indexing.write import checkpoints
from indexing.write.checkpoints import EVERY
from tests.builders import Line, load_lines
from tests.deriving.tables import everything, rolled_back
from tests.ingestion.chain import FakeNode, source_of
from tokens.models import Contract, Nft, NftMarket, NftRecent, NftTraitRecent, Owner, StatedOwnership
from tokens.store.chains import ChainRow, known
from transfers.models import Opening, OrderEvent, OrderFill, Transfer, TransferStatement

Held = dict[tuple[str, int], dict[str, int]]


def ethereum() -> ChainRow:
    """The chain that all these tests index."""
    return known()["ethereum"]


def index(
    node: FakeNode,
    *,
    contracts: Sequence[str] = (EVERY,),
    from_block: int | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
    sleep: Callable[[float], None] = lambda seconds: None,
    **options: Any,
) -> Indexer:
    """Index from a node as a process of its own would: begin, run to the head, and leave. Nothing is waited for."""
    chain = ethereum()
    checkpoints.begin(chain, contracts, from_block, dict.fromkeys(contracts, 0))
    with closing(source_of(node)) as source:
        indexer = Indexer(Task(chain, tuple(contracts), **options), source, tell, sleep=sleep)
        indexer.run()
    return indexer


def narrow(patch: pytest.MonkeyPatch, blocks: int) -> None:
    """Have windows of so many blocks, never more."""
    patch.setattr(
        runner, "LogWindows", lambda first, last: LogWindows(first, last, size=blocks, maximum=blocks)
    )


def next_block(address: str = EVERY) -> int:
    """Where the checkpoint of a contract is."""
    return IndexedContract.objects.get(address=address).next_block


def owners() -> Held:
    """Who holds what, of NFTs of which that is known."""
    found: Held = {}
    known_of = NftRecent.objects.exclude(owners_total=None)
    for nft in known_of.values_list("nft__contract__address", "nft__token_key"):
        found[nft[0], uint_from_key(nft[1])] = {}
    for contract, token_key, address, amount in Owner.objects.filter(nft__recent__in=known_of).values_list(
        "nft__contract__address", "nft__token_key", "address", "amount"
    ):
        if amount:
            found[contract, uint_from_key(token_key)][address] = int(amount)
    return found


def tables() -> dict[str, list[Any]]:
    """All that indexing has made, by identities: what does not depend on how it came about."""
    found = everything()
    found["contracts"] = [row for row in found["contracts"] if row[-1]]  # a lost block may have named others
    rows = Opening.objects.values_list("nft__contract__address", "nft__token_key", "address", "amount")
    found["openings"] = sorted(map(tuple, rows), key=repr)
    found["evidence"] = sorted(Evidence.objects.values_list("transaction_hash", "block_number"))
    found["undecoded"] = sorted(UndecodedLog.objects.values_list("transaction_hash", "log_index", "reason"))
    found["fills"] = sorted(
        OrderFill.objects.values_list("transaction_hash", "log_index", "order_hash", "units")
    )
    found["faults"] = sorted(
        MarketFault.objects.values_list("transaction_hash", "log_index", "reason", "price", "eth_value")
    )
    found["bids"] = sorted(
        PunkBid.objects.values_list("block_number", "log_index", "token_key", "bidder", "value")
    )
    found["checkpoints"] = sorted(IndexedContract.objects.values_list("address", "next_block", "reached_at"))
    found["blocks"] = sorted(Block.objects.values_list("number", "hash", "timestamp"))
    return found


def in_one_go(
    node: FakeNode, *, files: Sequence[Sequence[Line]] = (), **options: Any
) -> dict[str, list[Any]]:
    """What loading files and indexing the chain as it is now gives in an empty database.

    This one is as before afterwards.
    """
    with rolled_back():
        NftRecent.objects.update(last_transfer_id=None)
        kept: list[type[Model]] = [
            Transfer,
            TransferStatement,
            Opening,
            Block,
            Evidence,
            UndecodedLog,
            OrderEvent,
            OrderFill,
            OrderEvent,
            MarketFault,
            PunkBid,
            IndexedContract,
            IndexedChain,
        ]
        kept += [NftMarket, NftTraitRecent, NftRecent, StatedOwnership, Owner, Nft, Contract]
        for model in kept:
            model._default_manager.all().delete()
        for lines in files:
            load_lines(lines)
        index(node, **options)
        return tables()


def classify(*arguments: str) -> str:
    """What `manage.py classify` says."""
    out = StringIO()
    call_command("classify", *arguments, stdout=out)
    return out.getvalue()
