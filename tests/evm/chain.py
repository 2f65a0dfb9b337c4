"""A driver of one chain on anvil: deploy, send, call, mine, and undo blocks.

Addresses and hashes are lower-case hex with 0x, amounts are integers; blocks are mined only when the driver says so,
each 12 seconds after the one before, so that a test finds the same chain every time.
"""

import http.client
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from Crypto.Hash import keccak
from eth_abi.abi import decode, encode

from tests.evm.toolchain import Contract
from tests.patience import PATIENCE

BLOCK_SECONDS = 12
TRANSACTION_GAS = 10_000_000
GENESIS_FEE = 10**9
"""Base fee of block 0, in wei for each unit of gas."""

ZERO_ADDRESS = "0x" + "0" * 40


def keccak256(data: bytes) -> bytes:
    """The 32 bytes of Ethereum's Keccak-256, which is not SHA3-256."""
    return keccak.new(digest_bits=256, data=data).digest()


def topic(signature: str) -> str:
    """First topic of an event: `topic("Transfer(address,address,uint256)")` is 0xddf252ad…"""
    return "0x" + keccak256(signature.encode()).hex()


def word(value: int | str) -> str:
    """A number or an address as a topic holds it: 32 bytes of hex with 0x."""
    return f"0x{value if isinstance(value, int) else int(value, 16):064x}"


def namehash(name: str) -> bytes:
    """The node of an ENS name that is normalised already (EIP-137)."""
    node = bytes(32)
    for label in reversed(name.split(".") if name else []):
        node = keccak256(node + keccak256(label.encode()))
    return node


class RpcError(Exception):
    """The node answered with an error; `data` is what a reverting contract returned, as hex, or empty."""

    def __init__(self, method: str, error: dict[str, Any]) -> None:
        super().__init__(f"{method}: {error['message']}")
        self.code = int(error["code"])
        self.data = str(error.get("data") or "")


class Chain:
    """The chain of one node, empty at first. `accounts` are ten funded addresses that it signs for, always the same."""

    def __init__(self, url: str, contracts: dict[str, Contract]) -> None:
        self.url = url
        self.contracts = contracts
        self.branch = 0
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
        self.reset()
        self.accounts: list[str] = self.rpc("eth_accounts")

    def reset(self) -> None:
        """Begin anew at block 0, as a new chain: nothing deployed, nothing waiting, and the same hashes again."""
        self.branch = 0
        self.rpc("anvil_setCoinbase", ZERO_ADDRESS)  # before the reset: block 0 has both
        self.rpc("anvil_setNextBlockBaseFeePerGas", hex(GENESIS_FEE))
        self.rpc("anvil_reset")
        self.rpc("anvil_dropAllTransactions")
        self.rpc("anvil_setBlockTimestampInterval", BLOCK_SECONDS)

    def close(self) -> None:
        """Close the connection; the node runs on."""
        self.connection.close()

    def rpc(self, method: str, *params: Any) -> Any:
        """The result of one JSON-RPC call. Raises RpcError."""
        return self.batch([(method, params)])[0]

    def batch(self, calls: Iterable[tuple[str, Sequence[Any]]], *, or_none: bool = False) -> list[Any]:
        """The results of several calls in one request, in order; an error is None if `or_none`, else raised."""
        asked = [
            {"jsonrpc": "2.0", "id": number, "method": method, "params": list(params)}
            for number, (method, params) in enumerate(calls)
        ]
        if not asked:
            return []
        self.connection.request("POST", "/", json.dumps(asked), {"Content-Type": "application/json"})
        with self.connection.getresponse() as response:
            answers = sorted(json.load(response), key=lambda answer: int(answer["id"]))
        for question, answer in zip(asked, answers, strict=True):
            if "error" in answer and not or_none:
                raise RpcError(str(question["method"]), answer["error"])
        return [answer.get("result") for answer in answers]

    @property
    def head(self) -> int:
        """Number of the newest block."""
        return int(self.rpc("eth_blockNumber"), 16)

    def block_hash(self, number: int) -> str:
        """Hash of the block that the chain has at `number` now."""
        return str(self.rpc("eth_getBlockByNumber", hex(number), False)["hash"])

    def logs(
        self, address: str | None = None, first: int = 0, last: int | None = None
    ) -> list[dict[str, Any]]:
        """Raw logs of blocks `first` to `last`, of all contracts or of one."""
        span = {"fromBlock": hex(first), "toBlock": "latest" if last is None else hex(last)}
        found: list[dict[str, Any]] = self.rpc(
            "eth_getLogs", span | ({"address": address} if address else {})
        )
        return found

    def mine(self, count: int = 1) -> int:
        """Mine blocks, the first with every transaction that was submitted; the new head's number."""
        self.rpc("anvil_mine", hex(count))
        return self.head

    def receipt(self, transaction: str) -> dict[str, Any]:
        """Raw receipt of a mined transaction."""
        found: dict[str, Any] = self.rpc("eth_getTransactionReceipt", transaction)
        return found

    def deploy(self, name: str, *args: Any, sender: int = 0) -> "Deployed":
        """Create a contract of contracts/ in a block of its own."""
        contract = self.contracts[name]
        data = "0x" + contract.bytecode + encode(contract.constructor, args).hex()
        receipt = self.mined({"data": data}, sender)
        return Deployed(self, str(receipt["contractAddress"]).lower(), contract)

    def place(self, name: str, address: str, *args: Any) -> "Deployed":
        """Put a contract's code at an address that rules know, with empty storage: no constructor has run there.

        What the constructor put into the code itself (immutables) is there as it was made elsewhere.
        """
        code = self.rpc("eth_getCode", self.deploy(name, *args).address, "latest")
        self.rpc("anvil_setCode", address, code)
        return Deployed(self, address.lower(), self.contracts[name])

    def submit(self, transaction: dict[str, Any], sender: int = 0) -> str:
        """Hash of a transaction of the account with index `sender`, that the next block takes in."""
        filled = {"from": self.accounts[sender], "gas": hex(TRANSACTION_GAS)} | transaction
        return str(self.rpc("eth_sendTransaction", filled))

    def mined(self, transaction: dict[str, Any], sender: int = 0) -> dict[str, Any]:
        """Receipt of a transaction that a block of its own takes in; it must succeed."""
        sent = self.submit(transaction, sender)
        self.mine()
        receipt = self.receipt(sent)
        if receipt["status"] != "0x1":
            # Asked again, the node tells why.
            filled = {"from": self.accounts[sender]} | transaction
            self.rpc("eth_call", filled, hex(self.head - 1))
            raise AssertionError(f"failed for a reason of its block: {receipt}")
        return receipt

    def snapshot(self) -> str:
        """Remember the chain as it is, for one `revert`."""
        return str(self.rpc("evm_snapshot"))

    def revert(self, snapshot: str) -> None:
        """Go back to a snapshot: blocks mined since are gone, and those that follow get other hashes."""
        assert self.rpc("evm_revert", snapshot), "no such snapshot, or it was used already"
        self.fork()

    def rollback(self, depth: int) -> None:
        """Take the newest `depth` blocks away; the head is lower until others are mined in their place."""
        self.rpc("anvil_rollback", depth)
        self.fork()

    def reorg(self, depth: int, transactions: Sequence[tuple[dict[str, Any], int]] = ()) -> None:
        """Replace the newest `depth` blocks by as many others, empty but for `transactions`.

        Each is a transaction (`Deployed.transaction`) with the index of its block among the new ones, from 0 on. The
        replaced transactions do not come back. One that is submitted, but not mined, waits on.
        """
        self.fork()
        self.rpc("anvil_reorg", depth, transactions)

    def fork(self) -> None:
        """Let the blocks to come be mined by somebody else, so that equal contents never mean an equal hash."""
        self.branch += 1
        self.rpc("anvil_setCoinbase", f"0x{self.branch:040x}")


@dataclass(frozen=True)
class Deployed:
    """A contract on the chain. Functions are named by their signature: `send("mint(address,uint256)", to, 5)`."""

    chain: Chain
    address: str
    contract: Contract

    def data(self, signature: str, *args: Any) -> str:
        """The input of a call as hex with 0x."""
        function = self.contract.functions[signature]
        return "0x" + function.selector + encode(function.inputs, args).hex()

    def transaction(self, signature: str, *args: Any, sender: int = 0, value: int = 0) -> dict[str, Any]:
        """A transaction that is not sent yet, for `Chain.reorg`; `value` in wei."""
        return {
            "from": self.chain.accounts[sender],
            "to": self.address,
            "data": self.data(signature, *args),
            "value": hex(value),
            "gas": hex(TRANSACTION_GAS),
        }

    def submit(self, signature: str, *args: Any, sender: int = 0, value: int = 0) -> str:
        """Send without mining, so that several share a block; the transaction's hash. It may fail once mined."""
        return self.chain.submit(self.transaction(signature, *args, sender=sender, value=value), sender)

    def send(self, signature: str, *args: Any, sender: int = 0, value: int = 0) -> dict[str, Any]:
        """Send and mine; the raw receipt. Raises RpcError when the contract reverts; the block stays mined."""
        return self.chain.mined(self.transaction(signature, *args, sender=sender, value=value), sender)

    def view(self, data: str, block: int | None = None, **options: Any) -> bytes:
        """What a call with raw input returns, undecoded, at a block or at the head. Raises RpcError."""
        at = "latest" if block is None else hex(block)
        answer = self.chain.rpc("eth_call", {"to": self.address, "data": data} | options, at)
        return bytes.fromhex(answer[2:])

    def call(self, signature: str, *args: Any, block: int | None = None) -> Any:
        """What a view returns, decoded: one value as itself, several as a tuple. Raises RpcError when it reverts."""
        values = decode(
            self.contract.functions[signature].outputs, self.view(self.data(signature, *args), block)
        )
        return values[0] if len(values) == 1 else values
