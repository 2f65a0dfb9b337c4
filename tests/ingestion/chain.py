"""A chain made by hand, and a node that serves it: blocks of transactions whose logs move NFTs, reorganised at will.

    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)), tx(units(7, ZERO, BOB, 5)))
    chain.fork(back=1)                          # the last block never was
    chain.mine(tx(nft(1, ZERO, CAROL)))

What moved is kept beside the logs, so that no test has to trust the decoder; ``balance`` adds it up.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.net.rpc.errors import LaggingNodeError, RpcError
from core.net.rpc.jsonrpc import Node
from core.net.rpc.log_ranges import LogAnswer
from indexing.node.events import TRANSFER
from indexing.node.source import Source
from tests.ingestion.encoding import ALICE, APES, ZERO, batch_data, topic0, word

COINS = "0x" + "c0" * 20
"""The contract of ERC-1155 tokens of these tests, as `APES` is that of ERC-721 ones."""

FROGS = "0x" + "f0" * 20
"""Another contract of ERC-721 tokens."""

START = 1_700_000_000
"""Unix time of block 0; twelve seconds a block."""

MOVES = ("0x23b872dd", "0xf242432a")
"""What moves an ERC-721 token, and units of an ERC-1155 one: a contract of which nothing is said lets anybody."""

_numbers = itertools.count()


class Moved(NamedTuple):
    """Units that a log moves."""

    contract: str
    token_id: int
    sender: str
    receiver: str
    amount: int


class Emitted(NamedTuple):
    """A log: what a node says of it but for its place, and what it moves."""

    contract: str
    topics: list[str]
    data: str
    moves: list[Moved]


@dataclass(frozen=True)
class Tx:
    """A transaction; its hash stays the same in whatever block it is."""

    logs: tuple[Emitted, ...]
    sender: str
    target: str | None
    value: int
    hash: str


@dataclass
class Mined:
    """A block."""

    number: int
    hash: str
    parent_hash: str
    timestamp: int
    transactions: list[Tx]


def emitted(
    signature: str, topics: Sequence[int | str] = (), data: str = "", contract: str = APES
) -> Emitted:
    """A log of any event, of which nothing is known that it moves."""
    return Emitted(contract, [topic0(signature), *("0x" + word(one) for one in topics)], "0x" + data, [])


def nft(token_id: int, sender: str, receiver: str, contract: str = APES) -> Emitted:
    """A `Transfer` of ERC-721."""
    log = emitted("Transfer(address,address,uint256)", [sender, receiver, token_id], contract=contract)
    return log._replace(moves=[Moved(contract, token_id, sender, receiver, 1)])


def units(token_id: int, sender: str, receiver: str, amount: int, contract: str = COINS) -> Emitted:
    """A `TransferSingle` of ERC-1155."""
    log = emitted(
        "TransferSingle(address,address,address,uint256,uint256)",
        [sender, sender, receiver],
        word(token_id) + word(amount),
        contract,
    )
    return log._replace(moves=[Moved(contract, token_id, sender, receiver, amount)])


def batch(entries: Sequence[tuple[int, int]], sender: str, receiver: str, contract: str = COINS) -> Emitted:
    """A `TransferBatch` of ERC-1155; entries are token id and amount."""
    log = emitted(
        "TransferBatch(address,address,address,uint256[],uint256[])",
        [sender, sender, receiver],
        batch_data(*([entry[place] for entry in entries] for place in (0, 1))),
        contract,
    )
    return log._replace(moves=[Moved(contract, token, sender, receiver, amount) for token, amount in entries])


def tx(*logs: Emitted, sender: str = ALICE, target: str | None = APES, value: int = 0) -> Tx:
    """A transaction with these logs; 0 wei."""
    return Tx(logs, sender, target, value, _hash("transaction", next(_numbers)))


class Chain:
    """Blocks from 0 on, the first one empty."""

    def __init__(self) -> None:
        self.blocks: list[Mined] = []
        self._branch = 0
        self.mine()

    @property
    def head(self) -> int:
        """The number of the newest block."""
        return len(self.blocks) - 1

    def mine(self, *transactions: Tx) -> int:
        """Add a block; return its number."""
        number = len(self.blocks)
        parent = self.blocks[-1].hash if self.blocks else "0x" + "0" * 64
        hash_ = _hash("block", number, parent, self._branch, *(one.hash for one in transactions))
        self.blocks.append(Mined(number, hash_, parent, START + 12 * number, list(transactions)))
        return number

    def mine_empty(self, count: int) -> None:
        """Add empty blocks."""
        for _ in range(count):
            self.mine()

    def fork(self, back: int) -> list[Mined]:
        """Take the last blocks away, whose successors will have other hashes; return them."""
        lost = self.blocks[len(self.blocks) - back :]
        del self.blocks[len(self.blocks) - back :]
        self._branch += 1
        return lost

    def moves(self, first: int = 0, last: int | None = None) -> list[Moved]:
        """What moved in some blocks, in order."""
        end = len(self.blocks) if last is None else last + 1
        return [
            move
            for block in self.blocks[first:end]
            for transaction in block.transactions
            for log in transaction.logs
            for move in log.moves
        ]

    def balance(self, contract: str, token_id: int, address: str, block: int) -> int:
        """How many units an address holds at the end of a block."""
        held = 0
        for move in self.moves(0, block):
            if move[:2] == (contract, token_id):
                held += move.amount * ((move.receiver == address) - (move.sender == address))
        return held

    def holders(self, first: int = 0) -> dict[tuple[str, int], dict[str, int]]:
        """Who holds what now of the NFTs that moved from a block on, of those who took part in that."""
        found: dict[tuple[str, int], dict[str, int]] = {}
        for move in self.moves(first):
            held = found.setdefault(move[:2], {})
            for who in {move.sender, move.receiver} - {ZERO}:
                held[who] = self.balance(move.contract, move.token_id, who, self.head)
        return {key: {who: amount for who, amount in held.items() if amount} for key, held in found.items()}


Answer = Callable[[str, str, int], Any]
"""What a contract returns to call data: address, data and block number in; hexadecimal text or an `RpcError` out."""


@dataclass
class FakeNode:
    """A node that serves a chain, to a `Source` (see `source_of`).

    ``interfere(method, params)`` runs before each call is answered, ``alter(method, params, answer)`` may answer
    otherwise. ``oldest``: the first block of which the state is kept.
    """

    chain: Chain
    contracts: dict[str, Answer] = field(default_factory=dict)
    interfere: Callable[[str, list[Any]], None] = lambda method, params: None
    alter: Callable[[str, list[Any], Any], Any] = lambda method, params, answer: answer
    oldest: int = 0
    sender: str | None = None
    """Who makes the call that a contract is answering."""
    asked: list[tuple[str, list[Any]]] = field(default_factory=list)

    @property
    def windows(self) -> list[tuple[int, list[str] | None]]:
        """The first block and the contracts of each question for logs of NFTs; those for orders stand beside."""
        return [
            (int(params[0]["fromBlock"], 16), params[0]["address"])
            for method, params in self.asked
            if method == "eth_getLogs" and TRANSFER in (params[0]["topics"][0] or ())
        ]

    def block_number(self) -> int:
        return int(self._answer("eth_blockNumber", []), 16)

    def batch(self, calls: Iterable[tuple[str, list[Any]]]) -> list[Any]:
        return [self._answer(method, params) for method, params in calls]

    def logs(self, first: int, last: int, *, addresses: Sequence[str] | None, topics: list[Any]) -> LogAnswer:
        wanted = {"fromBlock": hex(first), "toBlock": hex(last), "address": addresses, "topics": topics}
        return LogAnswer(self._answer("eth_getLogs", [wanted]))

    def _answer(self, method: str, params: list[Any]) -> Any:
        self.asked.append((method, params))
        self.interfere(method, params)
        return self.alter(method, params, getattr(self, "_" + method.removeprefix("eth_"))(*params))

    def _blockNumber(self) -> str:  # noqa: N802
        return hex(self.chain.head)

    def _getBlockByNumber(self, number: str, whole: bool) -> Any:  # noqa: N802
        block = self._block(number)
        if block is None:
            return None
        return {
            "number": hex(block.number),
            "hash": block.hash,
            "parentHash": block.parent_hash,
            "timestamp": hex(block.timestamp),
            "transactions": [
                self._transaction(block, place) if whole else one.hash
                for place, one in enumerate(block.transactions)
            ],
        }

    def _getLogs(self, wanted: dict[str, Any]) -> Any:  # noqa: N802
        if "blockHash" in wanted:
            blocks = [block for block in self.chain.blocks if block.hash == wanted["blockHash"]]
        else:
            blocks = self.chain.blocks[int(wanted["fromBlock"], 16) : int(wanted["toBlock"], 16) + 1]
        addresses = wanted.get("address")
        return [
            log
            for block in blocks
            for receipt in self._receipts(block)
            for log in receipt["logs"]
            if (addresses is None or log["address"] in addresses) and _has(log["topics"], wanted["topics"])
        ]

    def _chainId(self) -> str:  # noqa: N802
        return "0x1"

    def _getTransactionByHash(self, hash_: str) -> Any:  # noqa: N802
        return next((self._transaction(block, place) for block, place in self._places(hash_)), None)

    def _getTransactionReceipt(self, hash_: str) -> Any:  # noqa: N802
        return next((self._receipts(block)[place] for block, place in self._places(hash_)), None)

    def _getBlockReceipts(self, number: str) -> Any:  # noqa: N802
        block = self._block(number)
        return None if block is None else self._receipts(block)

    def _getCode(self, address: str, number: str) -> Any:  # noqa: N802
        """A contract is there from its first log on."""
        if int(number, 16) < self.oldest:
            return LaggingNodeError("played", -32000, "missing trie node")
        moves = self.chain.moves(0, int(number, 16))
        return "0x60" if any(move.contract == address for move in moves) else "0x"

    def _call(self, call: dict[str, Any], number: str) -> Any:
        at = self.chain.head if number == "latest" else int(number, 16)
        if at < self.oldest:
            return LaggingNodeError("played", -32000, "missing trie node")
        address, data, self.sender = call["to"], call["data"], call.get("from")
        if address in self.contracts:
            return self.contracts[address](address, data, at)
        if data.startswith("0x00fdd58e"):  # balanceOf(address,uint256)
            return "0x" + word(self.chain.balance(address, int(data[74:], 16), "0x" + data[34:74], at))
        if data.startswith(MOVES):
            return "0x"
        return RpcError("played", 3, "execution reverted")

    def _block(self, number: str) -> Mined | None:
        return self.chain.blocks[int(number, 16)] if int(number, 16) <= self.chain.head else None

    def _places(self, hash_: str) -> list[tuple[Mined, int]]:
        return [
            (block, place)
            for block in self.chain.blocks
            for place, one in enumerate(block.transactions)
            if one.hash == hash_
        ]

    def _transaction(self, block: Mined, place: int) -> dict[str, Any]:
        one = block.transactions[place]
        return {
            "hash": one.hash,
            "transactionIndex": hex(place),
            "blockNumber": hex(block.number),
            "from": one.sender,
            "to": one.target,
            "value": hex(one.value),
        }

    def _receipts(self, block: Mined) -> list[dict[str, Any]]:
        numbers = itertools.count()
        return [
            {
                "transactionHash": one.hash,
                "logs": [
                    {
                        "address": log.contract,
                        "topics": log.topics,
                        "data": log.data,
                        "blockNumber": hex(block.number),
                        "blockHash": block.hash,
                        "transactionHash": one.hash,
                        "transactionIndex": hex(place),
                        "logIndex": hex(next(numbers)),
                    }
                    for log in one.logs
                ],
            }
            for place, one in enumerate(block.transactions)
        ]


def _has(topics: Sequence[str], wanted: Sequence[Sequence[str] | None]) -> bool:
    """Whether a log's topics are among those wanted at each place."""
    return len(topics) >= len(wanted) and all(
        among is None or topic in among for topic, among in zip(topics, wanted, strict=False)
    )


def source_of(node: FakeNode) -> Source:
    """A source that reads this node, whose chain is Ethereum's by its id."""
    played: Any = node
    real: Node = played
    return Source(real, 1)


def _hash(*parts: Any) -> str:
    return "0x" + hashlib.sha256(repr(parts).encode()).hexdigest()
