"""A played node with a registry of ENS: contracts by address, each a function from a call's data to its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eth_abi.abi import decode, encode

from tests.evm.chain import keccak256, namehash
from tests.net.played import PlayedNode, error

REGISTRY = "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e"
RESOLVER = "0x" + "5e" * 20
KEYED_PATH = "/v2/0123456789abcdefKEY"
"""The path of the node's URL, as providers put a key into it; before it stand a user and a password, pa55word."""

NOTHING = "0x" + "0" * 64

Contract = Callable[[bytes], Any]


def selector(signature: str) -> bytes:
    return keccak256(signature.encode())[:4]


RESOLVE = selector("resolve(bytes,bytes)")


def word(address: str) -> str:
    """An address as a call returns it."""
    return "0x" + encode(["address"], [address]).hex()


def reverted(data: str = "0x") -> dict[str, Any]:
    """The error of a contract that reverts, as geth has it."""
    return error(3, "execution reverted", data)


OFFCHAIN = reverted("0x556f1830" + "00" * 32)


def has_addr(answers: dict[str, Any]) -> Contract:
    """A resolver that has `addr` alone, and answers by name; it reverts whatever else it is asked."""
    by_node = {namehash(name): answer for name, answer in answers.items()}

    def contract(data: bytes) -> Any:
        if data[:4] == selector("addr(bytes32)"):
            return by_node.get(data[4:], NOTHING)
        return reverted()

    return contract


def has_resolve(answers: dict[str, Any]) -> Contract:
    """A resolver of ENSIP-10, which answers `resolve` by DNS-encoded name, for the address of that name alone."""

    def contract(data: bytes) -> Any:
        if data[:4] == selector("supportsInterface(bytes4)"):
            return "0x" + encode(["bool"], [data[4:] == RESOLVE + bytes(28)]).hex()
        assert data[:4] == RESOLVE, "one that knows `resolve` is asked nothing else"
        dns_name, call = decode(["bytes", "bytes"], data[4:])
        labels = []
        while dns_name[0]:
            labels.append(dns_name[1 : 1 + dns_name[0]].decode())
            dns_name = dns_name[1 + dns_name[0] :]
        assert dns_name == b"\0"
        name = ".".join(labels)
        assert call == selector("addr(bytes32)") + namehash(name)
        answer = answers[name]
        if isinstance(answer, str):
            return "0x" + encode(["bytes"], [bytes.fromhex(answer[2:])]).hex()
        return answer

    return contract


class EnsWorld:
    """The node's chain: `resolvers` by name, `contracts` by address. Whatever else is asked has no code."""

    def __init__(self, played: PlayedNode) -> None:
        self.played = played
        self.resolvers: dict[str, str] = {}
        self.contracts: dict[str, Contract] = {REGISTRY: self._registry}
        played.methods["eth_call"] = self._call
        played.aside = {"eth_chainId"}

    def register(self, name: str, answer: str | dict[str, Any]) -> None:
        """Give a name a resolver of its own, whose `addr` returns an address, a raw result or an error."""
        address = f"0x{len(self.contracts):040x}"
        is_address = isinstance(answer, str) and len(answer) == 42
        self.contracts[address] = has_addr({name: word(str(answer)) if is_address else answer})
        self.resolvers[name] = address

    @property
    def calls(self) -> int:
        """How many calls of contracts were made so far."""
        requests = (one if isinstance(one, list) else [one] for one in self.played.seen)
        return sum(call["method"] == "eth_call" for request in requests for call in request)

    def _call(self, call: dict[str, str], block: str) -> Any:
        assert block == "latest"
        contract = self.contracts.get(call["to"])
        return "0x" if contract is None else contract(bytes.fromhex(call["data"][2:]))

    def _registry(self, data: bytes) -> str:
        assert data[:4] == selector("resolver(bytes32)")
        known = {namehash(name): resolver for name, resolver in self.resolvers.items()}
        return word(known[data[4:]]) if data[4:] in known else NOTHING
