"""Events written as their published source declares them, encoded by eth-abi: nothing of the product's is used."""

from __future__ import annotations

import re
from typing import Any

from eth_abi.abi import encode

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, LATER, log

_TEXTS = ("bytes", "string")
_NFT = {"nft": APES, "collection": APES, "token_id": 7}
_PARTIES = {"seller": BOB, "buyer": ALICE, "bidder": ALICE, "winner": ALICE}
CAST: dict[str, Any] = {**_NFT, **_PARTIES}
"""Who and what an event is of that says no other: Bob sells ape 7 to Alice."""


class Emitted:
    """An event by its declaration; calling it writes a log of it.

    Fields that a call does not name have their usual value or are the cast's by their names; else they are zero or
    empty. The fields of a tuple of fixed length are named among the others; arrays of tuples are declared without
    names and given as tuples. No value is held against its type: whatever fits into a word can be written.
    """

    def __init__(self, declaration: str, contract: str, in_order: str = "", /, **usual: Any) -> None:
        name, _, inner = declaration.removesuffix(")").partition("(")
        kinds = re.sub(r"( indexed)? \w+(?=[,)]|$)", "", inner).replace(" ", "")
        self._signature = f"{name}({kinds})"
        self._fields = [_field(one) for one in inner.split(", ")] if inner else []
        names = {name for _, name in self._fields}
        assert names >= {*usual, *in_order.split()}, "no such field"
        self.contract, self._in_order = contract, in_order.split()
        self._usual = {name: CAST[name] for name in names & CAST.keys()} | usual

    def __call__(
        self, *values: Any, index: int = LATER, contract: str | None = None, **fields: Any
    ) -> RawLog:
        """Write it; `values` are those of the fields that were said to be given in order."""
        told = self._usual | dict(zip(self._in_order, values, strict=False)) | fields
        topics = [told.pop(name, 0) for kind, name in self._fields if kind.endswith(" indexed")]
        plain = [one for one in self._fields if not one[0].endswith(" indexed")]
        values = tuple(_value(told.pop(name, _nothing(kind))) for kind, name in plain)
        assert not told, f"no such field: {told}"
        data = encode([_words(kind) for kind, _ in plain], values).hex()
        return log(self._signature, topics, data, contract=contract or self.contract, index=index)


def _field(text: str) -> tuple[str, str]:
    """Type and name of a field, of which a tuple may begin or end with it."""
    text = text.strip("()") if text.endswith(")") or "(" not in text else text
    while text.count("(") > text.count(")"):
        text = text.removeprefix("(")
    kind, _, name = text.rpartition(" ")
    return kind, name


def _words(kind: str) -> str:
    """The same layout with every value of fixed length as a whole word."""
    return re.sub(r"[a-z]\w*", lambda found: found[0] if found[0] in _TEXTS else "uint256", kind)


def _value(value: Any) -> Any:
    """Addresses and hashes as numbers."""
    if isinstance(value, list | tuple):
        return [_value(one) for one in value]
    return int(value, 16) if isinstance(value, str) else value


def _nothing(kind: str) -> Any:
    if kind.endswith("[]"):
        return []
    return b"" if kind in _TEXTS else 0
