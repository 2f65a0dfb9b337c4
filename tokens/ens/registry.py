"""What the registry of ENS and its resolvers say of a name, asked of a node of their chain."""

from __future__ import annotations

from typing import Any

from core.net.rpc.errors import BadAnswerError, RpcError
from core.net.rpc.jsonrpc import Node
from core.net.rpc.values import data_bytes
from core.net.rpc.wording import is_of_contract
from tokens.ens import calls as ens_calls

GAS = hex(10_000_000)
"""Gas that a question may use: a hundred times what resolvers need, and a fraction of a second for one that loops."""


class OffchainNameError(Exception):
    """The name's resolver sends whoever asks to a server (CCIP-Read, EIP-3668)."""


class EnsRegistry:
    """The registry at an address (lower case), read through a node."""

    def __init__(self, node: Node, address: str) -> None:
        self._node = node
        self._address = address

    def resolve(self, name: str) -> str | None:
        """Return the address of a name in normal form; ``None``: it resolves to nothing.

        By ENSIP-10: the resolver of the name, or of its nearest parent that has one, is asked by ``resolve`` if it
        knows that, else by ``addr``, but a parent's is not. Raises ``OffchainNameError``, and ``NodeError`` when the
        node does not tell.
        """
        owner, resolver = self._nearest_resolver(name)
        if resolver is None:
            return None
        is_its_own = owner == name
        supports, *addr = self._ask(
            resolver, ens_calls.supports_resolve(), *([ens_calls.addr_of(name)] if is_its_own else [])
        )
        if not ens_calls.is_true(_told(supports)):
            return ens_calls.address_in(_told(addr[0])) if is_its_own else None
        call = ens_calls.resolve_addr_of(name)
        if call is None:
            return None
        (resolved,) = self._ask(resolver, call)
        return ens_calls.address_in(ens_calls.bytes_in(_told(resolved)))

    def _nearest_resolver(self, name: str) -> tuple[str, str | None]:
        """Return who of the name and its parents has a resolver, and its address, ``None`` when nobody has."""
        lineage = ens_calls.lineage(name)
        answers = self._ask(self._address, *map(ens_calls.resolver_of, lineage))
        for owner, answer in zip(lineage, answers, strict=True):
            if isinstance(answer, RpcError):
                raise answer
            if not ens_calls.is_address(answer):
                raise BadAnswerError(f"{self._node!r}: there is no registry of ENS at {self._address}")
            resolver = ens_calls.address_in(answer)
            if resolver is not None:
                return owner, resolver
        return name, None

    def _ask(self, contract: str, *calls: bytes) -> list[bytes | RpcError]:
        """Make calls of a contract at the newest block, in one request."""
        parameters: list[dict[str, Any]] = [
            {"to": contract, "data": f"0x{call.hex()}", "gas": GAS} for call in calls
        ]
        answers = self._node.batch([("eth_call", [one, "latest"]) for one in parameters])
        return [
            answer if isinstance(answer, RpcError) else data_bytes(repr(self._node), answer)
            for answer in answers
        ]


def _told(answer: bytes | RpcError) -> bytes:
    """What a resolver answered; nothing when it failed, since that is its own doing and no failure of the node."""
    if not isinstance(answer, RpcError):
        return answer
    if (answer.data or "").lower().startswith(ens_calls.OFFCHAIN_LOOKUP):
        raise OffchainNameError
    if is_of_contract(answer):
        return b""
    raise answer
