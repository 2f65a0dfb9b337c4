"""What indexing is measured with: a node whose chain the indexer takes whole, every log of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from typing import Any, cast

import pytest

from core.net.rpc.jsonrpc import Node
from core.net.rpc.log_ranges import LogAnswer
from indexing.follow.runner import Indexer, Task
from indexing.node.source import Source
from indexing.write import checkpoints
from indexing.write.checkpoints import EVERY
from nftsite.bench.made_up_node import LOGS_A_BLOCK, MadeUpChain, answer
from tests.ingestion.indexing import ethereum
from tokens.models import Contract
from transfers.models import Transfer

BLOCKS = 20


class Loopback:
    """The node's answers, without the way there and back."""

    def __init__(self, chain: MadeUpChain) -> None:
        self.chain = chain

    def block_number(self) -> int:
        """As a node's client has it."""
        return int(self._ask("eth_blockNumber", []), 16)

    def batch(self, calls: Iterable[tuple[str, list[Any]]]) -> list[Any]:
        """As a node's client has it."""
        return [self._ask(method, parameters) for method, parameters in calls]

    def logs(self, first: int, last: int, *, addresses: Any, topics: list[Any]) -> LogAnswer:
        """As a node's client has it; of all contracts where none are named."""
        wanted = {"fromBlock": hex(first), "toBlock": hex(last), "topics": topics}
        named = {} if addresses is None else {"address": addresses}
        return LogAnswer(self._ask("eth_getLogs", [wanted | named]))

    def _ask(self, method: str, parameters: list[Any]) -> Any:
        return json.loads(answer(self.chain, method, parameters))


@pytest.mark.django_db
def test_each_log_of_the_made_up_chain_is_a_transfer_and_half_of_them_are_mints() -> None:
    chain = ethereum()
    checkpoints.begin(chain, [EVERY], 1, {EVERY: 1})
    node = cast(Node, Loopback(MadeUpChain(BLOCKS)))
    with closing(Source(node, 1)) as source:
        Indexer(Task(chain, (EVERY,), to_block=BLOCKS), source).run()
    logs = BLOCKS * LOGS_A_BLOCK
    assert Transfer.objects.count() == Transfer.objects.values("transaction_hash").distinct().count() == logs
    assert logs / 2 <= Transfer.objects.filter(transfer_type="mint").count() < logs * 0.7
    standards = Contract.objects.filter(nft_count__gt=0).values_list("standard", "name")
    assert {standard for standard, _ in standards} == {"ERC721", "ERC1155"}
    assert all(str(name).startswith("Made up ") for _, name in standards)
