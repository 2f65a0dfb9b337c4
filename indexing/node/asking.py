"""Asks a node about contracts, and tells apart three things: a result, a contract that fails, and no answer at all."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from core.net.rpc.errors import Kind, LaggingNodeError, NodeUnavailableError, RpcError
from core.net.rpc.jsonrpc import Node
from core.net.rpc.wording import is_of_contract

Call = tuple[str, list[Any]]

Ask = Callable[[Sequence[Call]], list[Any]]
"""Makes calls about contracts. In the place of each stands its result, a hexadecimal text; an ``RpcError``, which is
the contract's own failure; or :data:`NOT_TOLD`. Raises ``NodeError`` while the node does not answer such calls."""


class _NotTold(enum.Enum):
    NOT_TOLD = "not told"


NOT_TOLD: Final = _NotTold.NOT_TOLD
"""The node answers others but not this call. That says nothing of the contract, least of all "no"."""

GAS = hex(1_000_000)
"""Gas that a question may use: thirty times what ERC-165 allows it, and too little for an answer of a megabyte."""

ROUNDS = 3
"""Times that a call is made again which the node does not answer while it answers others like it."""

RECENT = 128
"""Blocks below the head whose state every node keeps (geth's default): one that lacks it is behind, or busy."""

NOBODY = "0x6e6f626f6479206c6976657320686572652e2e2e"
"""An address without a contract: ASCII for "nobody lives here..."."""

_BYTES = re.compile(r"0x(?:[0-9a-f]{2})*", re.ASCII | re.IGNORECASE)
_OF_OLD_STATES = re.compile(r"missing trie node|\bstates?\b|\bprun|\barchive|\bhistorical", re.IGNORECASE)
_WORDS = frozenset({Kind.LAGGING, Kind.ELSEWHERE, Kind.FINAL})
"""What a node says of a state that it does not keep; a failure of another kind may pass."""


def call(contract: str, data: str, tag: str, sender: str | None = None) -> Call:
    """Return the call of a contract's function with bounded gas, as of ``latest`` or a block in hexadecimal."""
    by = {} if sender is None else {"from": sender}
    return "eth_call", [{"to": contract, "data": data, "gas": GAS, **by}, tag]


class Asker:
    """Asks one node, whose calls of many may be made by ``batch`` at once. May be called from several threads."""

    def __init__(self, node: Node, batch: Callable[[Sequence[Call]], list[Any]]) -> None:
        self._node = node
        self._batch = batch
        self._lacking: Counter[str] = Counter()
        self._pruned_to = -1

    def __call__(self, calls: Sequence[Call]) -> list[Any]:
        """Make calls of contracts (``eth_call``, ``eth_getCode``); see :data:`Ask` for what comes back.

        What is not answered is held against a control: the same method, as of the same block, about an address
        without a contract. Where that is answered it is the call, which is made again a few times and then not told.
        Where it is not, nothing can be said of any contract now: raises ``LaggingNodeError`` when the node does not
        know the block, else ``NodeUnavailableError``. A node that keeps no states of so long ago is no such case: it
        never will tell.
        """
        answers = self._try(calls)
        for _ in range(ROUNDS):
            places = [place for place, one in enumerate(answers) if not is_told(one)]
            places = [place for place in places if not self._is_pruned(calls[place])]
            if not places:
                break
            for method, tag in sorted({(calls[place][0], _tag(calls[place])) for place in places}):
                self._check(method, tag)
            again = [calls[place] for place in places]
            if any(isinstance(answers[place], NodeUnavailableError) for place in places):
                # One of them may take down the answers to all.
                told = [self._try([call])[0] for call in again]
            else:
                told = self._try(again)
            for place, one in zip(places, told, strict=True):
                answers[place] = one
        return [one if is_told(one) else NOT_TOLD for one in answers]

    def _try(self, calls: Sequence[Call]) -> list[Any]:
        """Make calls at once; where that fails as a whole the failure takes the place of each answer."""
        try:
            return self._batch(calls)
        except (NodeUnavailableError, RpcError) as fault:
            return [fault] * len(calls)

    def _check(self, method: str, tag: str) -> None:
        """Raise unless the node answers such calls as of this block, or never will."""
        control = self._control(method, tag)
        if is_told(control):
            return
        block = f" at block {int(tag, 16):,}" if tag.startswith("0x") else ""
        waiting = f"waiting for {method}{block} to be answered"
        if isinstance(control, RpcError) and control.kind in _WORDS and self._is_too_old(tag, control):
            # Behind one URL there are many nodes: another of them may keep what this one does not.
            self._lacking[tag] += 1
            if self._lacking[tag] >= ROUNDS:
                self._pruned_to = max(self._pruned_to, int(tag, 16))
                self._lacking.clear()
        elif isinstance(control, LaggingNodeError):
            raise LaggingNodeError(control.name, control.code, f"{control.message}; {waiting}")
        else:
            raise NodeUnavailableError(f"{waiting}: {_shown(control)}")

    def _control(self, method: str, tag: str) -> Any:
        about = NOBODY if method == "eth_getCode" else {"to": NOBODY, "data": "0x"}
        return self._try([(method, [about, tag])])[0]

    def _is_too_old(self, tag: str, control: RpcError) -> bool:
        """Tell whether the node has the block and knows today's states, but not this one's."""
        if not tag.startswith("0x") or not is_told(self._control("eth_call", "latest")):
            return False
        (block,) = self._try([("eth_getBlockByNumber", [tag, False])])
        if not isinstance(block, dict):
            return False
        if _OF_OLD_STATES.search(control.message):
            return True
        return int(tag, 16) < self._node.block_number() - RECENT

    def _is_pruned(self, call: Call) -> bool:
        tag = _tag(call)
        return tag.startswith("0x") and int(tag, 16) <= self._pruned_to


def is_told(answer: Any) -> bool:
    """Tell whether an answer is one: a result, or that the contract itself failed."""
    if isinstance(answer, RpcError):
        return is_of_contract(answer)
    return isinstance(answer, str) and _BYTES.fullmatch(answer) is not None


def has_code(answer: Any) -> bool | None:
    """Tell whether an answer to ``eth_getCode`` is a contract's code; ``None`` where it was not told."""
    return None if answer is NOT_TOLD or isinstance(answer, RpcError) else len(answer) > 2


def present(blocks: Mapping[str, int], ask: Ask) -> dict[str, bool | None]:
    """Tell which addresses have a contract as of a block each; ``None`` where the node does not keep states of then.

    Of ``latest`` a node that is behind says that there is nothing; of a block by its number it cannot. Raises
    ``NodeError``.
    """
    codes = (
        ask([("eth_getCode", [address, hex(block)]) for address, block in blocks.items()]) if blocks else []
    )
    return {address: has_code(code) for address, code in zip(blocks, codes, strict=True)}


def _tag(call: Call) -> str:
    return str(call[1][-1]) if call[1] else ""


def _shown(answer: Any) -> str:
    return str(answer) if isinstance(answer, Exception) else f"the node says {str(answer)[:100]!r}"
