"""Indexing a test's chain into the test's database, and what a plain account of the chain's logs says must be there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from core.db.keys import NEVER
from core.net.rpc.jsonrpc import Node
from indexing.follow.runner import Indexer, Task
from indexing.models import IndexedContract
from indexing.node.source import Source
from indexing.write import checkpoints
from indexing.write.checkpoints import EVERY
from tests.evm.actions import Holding
from tests.evm.chain import ZERO_ADDRESS, Chain, topic
from tokens.models import Nft, NftRecent, Owner
from tokens.store import chains
from tokens.store.facts import ChainFacts
from transfers.models import Transfer

SLUG, CHAIN_ID = "anvil", 31337
TRANSFER = topic("Transfer(address,address,uint256)")
SINGLE = topic("TransferSingle(address,address,address,uint256,uint256)")
BATCH = topic("TransferBatch(address,address,address,uint256[],uint256[])")


class Indexing:
    """An indexer of a test's chain, from a block on, of all contracts or of some. It never waits."""

    def __init__(
        self,
        source: Source,
        contracts: Sequence[str] = (EVERY,),
        *,
        first_block: int = 0,
        keep_blocks: int = 256,
        slug: str = SLUG,
    ) -> None:
        chains.write([ChainFacts(slug, kind="evm", chain_id=source.chain_id, native_currency="ETH")])
        self.chain = chains.known()[slug]
        self.source = source
        self.contracts = tuple(contracts)
        self.keep_blocks = keep_blocks
        checkpoints.begin(self.chain, contracts, first_block, {})
        self.indexer = self.started(None)

    def started(self, to_block: int | None) -> Indexer:
        """An indexer that knows only what the database holds, as after a restart."""
        task = Task(self.chain, self.contracts, to_block=to_block, keep_blocks=self.keep_blocks)
        return Indexer(task, self.source, sleep=lambda seconds: None)

    def run(self, to_block: int | None = None, *, restart: bool = True) -> int:
        """Index up to the head or to a block; the last block that is indexed then."""
        indexer = self.started(to_block)
        if not restart:
            indexer.contracts, indexer.balances = self.indexer.contracts, self.indexer.balances
        self.indexer = indexer
        indexer.run()
        return self.reached

    @property
    def reached(self) -> int:
        """The last block that is indexed of all contracts."""
        rows = IndexedContract.objects.filter(chain_id=self.chain.id, address__in=self.contracts)
        return min(rows.values_list("next_block", flat=True)) - 1


@contextmanager
def source_of(chain: Chain, chain_id: int = CHAIN_ID) -> Iterator[Source]:
    """A source that reads a test's chain; what fails is asked again at once."""
    node = Node([chain.url], expect_chain_id=chain_id, attempts=3, sleep=lambda seconds: None)
    source = Source(node, chain_id)
    yield source
    source.close()


class Moved(NamedTuple):
    """An NFT that moved, by its log: place on the chain first, so that moves sort as they happened."""

    block: int
    log_index: int
    batch_index: int
    contract: str
    token: int
    sender: str
    receiver: str
    amount: int
    transaction: str


def moved(chain: Chain, first: int, last: int) -> list[Moved]:
    """What the logs of the standard contracts say, oldest first."""
    found = [one for log in chain.logs(first=first, last=last) for one in _read(log)] if first <= last else []
    return sorted(found)


def _read(log: dict[str, Any]) -> list[Moved]:
    event, data = log["topics"][0], log["data"][2:]
    words = [int(data[start : start + 64], 16) for start in range(0, len(data), 64)]
    addresses = ["0x" + word[-40:] for word in log["topics"][1:]]
    if event == TRANSFER:
        parties, parts = addresses[:2], [(int(log["topics"][3], 16), 1)]
    elif event == SINGLE:
        parties, parts = addresses[1:], [(words[0], words[1])]
    elif event == BATCH:
        parties = addresses[1:]
        ids, amounts = (words[at + 1 : at + 1 + words[at]] for at in (words[0] // 32, words[1] // 32))
        parts = list(zip(ids, amounts, strict=True))
    else:
        return []
    sender, receiver = parties
    block, index = int(log["blockNumber"], 16), int(log["logIndex"], 16)
    return [
        Moved(block, index, place, log["address"], token, sender, receiver, amount, log["transactionHash"])
        for place, (token, amount) in enumerate(parts)
    ]


def held() -> dict[Holding, int]:
    """Amounts above zero in the database, and no row that is below."""
    assert not Owner.objects.filter(amount__lt=0).exists()
    rows = Owner.objects.filter(amount__gt=0).select_related("nft__contract")
    return {(row.nft.contract.address, int(row.nft.token_id), row.address): row.amount for row in rows}


def check_history(chain: Chain, first: int, last: int, before: dict[Holding, int]) -> None:
    """Hold all but amounts to the chain's logs: transfers, NFTs, their order and last transfer, minters, dates.

    `before`: what holders had at the end of the block before `first`; when they first had it is not known.
    """
    expected = moved(chain, first, last)
    rows = Transfer.objects.select_related("contract", "nft")
    transfers = {
        row.pk: Moved(
            row.block_number,
            row.log_index,
            row.batch_index,
            row.contract.address,
            int(row.nft.token_id),
            row.from_address or "",
            row.to_address or "",
            row.amount,
            row.transaction_hash,
        )
        for row in rows
    }
    assert sorted(transfers.values()) == expected
    newest = {(one.contract, one.token): one for one in expected}
    nfts = Nft.objects.select_related("contract")
    assert sorted((nft.contract.address, int(nft.token_id)) for nft in nfts) == sorted(newest)
    recent = NftRecent.objects.exclude(recent_key=NEVER).order_by("recent_key", "nft_id")
    last_ids = recent.values_list("last_transfer_id", flat=True)
    assert [transfers[one] for one in last_ids if one is not None] == sorted(newest.values(), reverse=True)
    check_minters(chain, expected)
    check_dates(expected, before)


def check_minters(chain: Chain, expected: list[Moved]) -> None:
    """Who minted an NFT is who sent the transaction of its first mint, or of the first since nobody held any of it."""
    mints: dict[tuple[str, int], str] = {}
    supply: Counter[tuple[str, int]] = Counter()
    for one in expected:
        key = (one.contract, one.token)
        if one.sender == ZERO_ADDRESS and (key not in mints or not supply[key]):
            mints[key] = one.transaction
        supply[key] += one.amount * ((one.sender == ZERO_ADDRESS) - (one.receiver == ZERO_ADDRESS))
    senders = chain.batch([("eth_getTransactionByHash", [hash_]) for hash_ in mints.values()])
    minters = {nft: sent["from"] for nft, sent in zip(mints, senders, strict=True)}
    stored = Nft.objects.exclude(minter=None).select_related("contract")
    assert {(nft.contract.address, int(nft.token_id)): nft.minter for nft in stored} == minters


def check_dates(expected: list[Moved], before: dict[Holding, int]) -> None:
    """Holders entered with the first unit that they got, and were last touched by the last transfer that names them."""
    entered: dict[Holding, int | None] = {}
    updated: dict[Holding, int] = {}
    for one in expected:
        for who in (one.sender, one.receiver):
            holding = (one.contract, one.token, who)
            if who != ZERO_ADDRESS:
                updated[holding] = one.block
                if who == one.receiver and one.amount and not before.get(holding):
                    entered.setdefault(holding, one.block)
    rows = Owner.objects.filter(amount__gt=0).select_related("nft__contract")
    for row in rows:
        holding = (row.nft.contract.address, int(row.nft.token_id), row.address)
        assert (row.entered_at_block, row.updated_at_block) == (entered.get(holding), updated[holding]), (
            holding
        )
