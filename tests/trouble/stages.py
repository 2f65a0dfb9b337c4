"""The chains on which a day of trouble is played: recorded transactions, of all contracts or of some, and anvil."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.builders import chain as chain_line
from tests.trouble.day import Stage
from tests.trouble.upstream import Forwarded, Recorded

Line = dict[str, Any]

MINTED = "0x" + "0" * 40
BUSIEST = 12
"""Contracts that are indexed where it is some."""


class Transfers:
    """Transfers of a chain as lines of the interchange format, oldest first."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines

    def some(self, chance: random.Random, last: int) -> list[Line]:
        """Return what another source states of some transfers up to a block: each in another way."""
        known = [line for line in self.lines if line["blockNumber"] <= last]
        found = []
        for line in chance.sample(known, min(len(known), chance.randint(1, 8))):
            way = chance.choice(["loose", "over", "ask"])
            if way == "over":
                found.append(
                    {**line, "native": {"n": chance.randint(1, 9)}, "usdValue": chance.randint(1, 9)}
                )
            elif way == "loose":
                last_transfer = {
                    **line,
                    "logIndex": None,
                    "transferType": "sale",
                    "native": [line["logIndex"]],
                }
                del last_transfer["record"], last_transfer["batchIndex"]
                found.append({**_nft(line), "record": "nft", "lastTransfer": last_transfer})
            else:
                order = f"0x{chance.getrandbits(256):064x}"
                ask = {"marketplace": "opensea", "orderHash": order, "currency": "ETH", "price": "1.5"}
                found.append({**_nft(line), "record": "ask", **ask, "maker": line["toAddress"]})
        return found


def _nft(line: Line) -> Line:
    return {name: line[name] for name in ("chain", "contractAddress", "tokenId")}


def _minted(number: int, receiver: str) -> Line:
    """Where, when and to whom an NFT was minted before all recorded blocks."""
    place = {
        "transactionHash": f"0x{number:064x}",
        "logIndex": 0,
        "blockNumber": 0,
        "timestamp": 1_500_000_000,
    }
    return {**place, "fromAddress": MINTED, "toAddress": receiver}


class RecordedStage:
    """The recorded transactions; ``count``: of how many contracts, the busiest ones, or of all (0)."""

    slug = "ethereum"

    def __init__(self, server: Path, transactions: Path, count: int) -> None:
        self.upstream = Recorded(server, transactions)
        moves = [line for number in range(1, self.upstream.most + 1) for line in self._moves(number)]
        most = Counter(line["contractAddress"] for line in moves).most_common(count)
        self.contracts = sorted(contract for contract, _ in most)
        self._all = moves
        self._transfers = Transfers([line for line in moves if self._is_indexed(line)])

    def _is_indexed(self, line: Line) -> bool:
        return not self.contracts or line["contractAddress"] in self.contracts

    def before(self) -> list[Line]:
        """Return what the NFTs' history was before the recorded blocks, and what others moved in their transactions."""
        past = [
            {**line, **_minted(place + 1, line["fromAddress"])}
            for place, line in enumerate(self._transfers.lines[:40])
            if line["fromAddress"] != MINTED
        ]
        others = [line for line in self._all if not self._is_indexed(line)][:200]
        return [*past, *others]

    def meanwhile(self, chance: random.Random, last: int) -> list[Line]:
        """Return lines about transfers up to a block."""
        return self._transfers.some(chance, min(last, self.upstream.forked_from - 1))

    def grow(self, chance: random.Random, share: float) -> None:
        """Have some more blocks, about so much of all that there are."""
        self.upstream.grow(chance.randint(1, max(int(2 * share * self.upstream.most), 1)))

    def fork(self, chance: random.Random, last: int) -> str:
        """Change some of the newest blocks, those after ``last``, or have the recorded ones again."""
        depth = min(chance.randint(1, 12), self.upstream.head - last)
        if depth < 1 or chance.random() < 0.4:
            self.upstream.restore()
            return "the recorded blocks again"
        self.upstream.restore()
        self.upstream.fork(depth)
        return f"the newest {depth} blocks are empty ones"

    def calm(self) -> None:
        """Have all recorded blocks."""
        self.upstream.restore()
        self.upstream.grow(self.upstream.most)

    def _moves(self, number: int) -> Iterator[Line]:
        """Yield the transfers of ERC-721 as the standard has it in one block."""
        block = self.upstream.answer(self.upstream.most, "eth_getBlockByNumber", [hex(number), True])
        for transaction in block["transactions"]:
            receipt = self.upstream.answer(
                self.upstream.most, "eth_getTransactionReceipt", [transaction["hash"]]
            )
            for log in receipt["logs"]:
                if len(log["topics"]) == 4 and log["topics"][0].startswith("0xddf252ad"):
                    yield {
                        "record": "transfer",
                        "chain": self.slug,
                        "contractAddress": log["address"].lower(),
                        "tokenId": str(int(log["topics"][3], 16)),
                        "transactionHash": transaction["hash"],
                        "logIndex": int(log["logIndex"], 16),
                        "batchIndex": 0,
                        "blockNumber": number,
                        "timestamp": int(block["timestamp"], 16),
                        "fromAddress": "0x" + log["topics"][1][-40:].lower(),
                        "toAddress": "0x" + log["topics"][2][-40:].lower(),
                        "transactionFrom": transaction["from"].lower(),
                        "value": str(int(transaction["value"], 16)),
                        "amount": "1",
                    }


class AnvilStage:
    """A chain of its own on which random moves of an ERC-721 and an ERC-1155 are mined, and taken back."""

    slug = "anvil"
    contracts: Sequence[str] = ()

    def __init__(self, url: str, contracts: Any) -> None:
        from tests.evm.actions import World
        from tests.evm.chain import Chain

        self._chain = Chain(url, contracts)
        self._world = World.on(self._chain)
        self.upstream = Forwarded(url, 31337)

    def close(self) -> None:
        """Close what is open."""
        self._chain.close()

    def before(self) -> list[Line]:
        """Return the line of the chain itself."""
        return [chain_line(self.slug, chainId=31337, nativeCurrency="ETH")]

    def meanwhile(self, chance: random.Random, last: int) -> list[Line]:
        """Return lines about transfers up to a block."""
        from tests.evm.indexing import moved

        lines = [
            {
                "record": "transfer",
                "chain": self.slug,
                "contractAddress": one.contract,
                "tokenId": str(one.token),
                "transactionHash": one.transaction,
                "logIndex": one.log_index,
                "batchIndex": one.batch_index,
                "blockNumber": one.block,
                "timestamp": self._timestamp(one.block),
                "fromAddress": one.sender,
                "toAddress": one.receiver,
                "amount": str(one.amount),
            }
            for one in moved(self._chain, 0, last)
        ]
        return Transfers(lines).some(chance, last)

    def grow(self, chance: random.Random, share: float) -> None:
        """Have some more blocks of random moves."""
        from tests.evm.actions import Block, perform

        perform(
            self._world,
            [Block(self._moves(chance), chance.random() < 0.3) for _ in range(chance.randint(1, 4))],
        )

    def fork(self, chance: random.Random, last: int) -> str:
        """Replace some of the newest blocks, those after ``last``, by empty ones or by a shorter chain."""
        from tests.evm.actions import Undo, perform

        depth = min(chance.randint(1, 8), self._chain.head - max(last, self._world.first))
        if depth < 1:
            return "nothing"
        refill = chance.random() < 0.5
        perform(self._world, [Undo(depth, refill)])
        return f"the newest {depth} blocks are {'empty ones' if refill else 'gone'}"

    def calm(self) -> None:
        """Be longer than the chain ever was, so that a shorter one is not waited for."""
        self._chain.mine(20)

    def _timestamp(self, number: int) -> int:
        return int(self._chain.rpc("eth_getBlockByNumber", hex(number), False)["timestamp"], 16)

    def _moves(self, chance: random.Random) -> tuple[Any, ...]:
        from tests.evm.actions import HOLDERS, TOKENS, Move721, Move1155

        found: list[Any] = []
        for _ in range(chance.randint(0, 4)):
            kind: Any = chance.choice(["mint", "transfer", "burn"])
            holder, other = chance.randrange(HOLDERS), chance.randrange(HOLDERS)
            if chance.random() < 0.5:
                found.append(Move721(kind, chance.randint(1, TOKENS), other))
            else:
                parts = tuple(
                    (chance.randint(1, TOKENS), chance.randint(0, 5)) for _ in range(chance.randint(1, 3))
                )
                found.append(Move1155(kind, holder, other, parts))
        return tuple(found)


@contextmanager
def opened(name: str) -> Iterator[Stage]:
    """A stage by its name: ``recorded``, ``some`` or ``anvil``. Raises ``SystemExit`` where it cannot be had."""
    from tests.ingestion.recorded import SERVER
    from tests.shared import TRANSACTIONS

    if name != "anvil":
        if not SERVER.exists():
            raise SystemExit(f"the recorded transactions are not here: {SERVER}")
        yield RecordedStage(SERVER, TRANSACTIONS, BUSIEST if name == "some" else 0)
        return
    from tests.evm.toolchain import find_toolchain, running

    toolchain = find_toolchain()
    with tempfile.TemporaryDirectory() as folder, running(toolchain.anvil, Path(folder)) as url:
        stage = AnvilStage(url, toolchain.contracts)
        yield stage
        stage.close()
