"""Events as Solidity declares them: what their logs are found by, and how these are read by field names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from Crypto.Hash import keccak

from indexing.decode.words import (
    UndecodableError,
    address,
    expect_topics,
    number,
    octets,
    structs,
    topic_address,
    topic_number,
)
from indexing.node.logs import RawLog

_TOKEN = re.compile(r"\s*(\w+|\[\d*\]|[(),])")
_NUMBER = re.compile(r"uint\d+|bool")
_BYTES = re.compile(r"bytes(\d+)")

_Read = Callable[[Any, int], Any]
"""Reads a value: out of data, from a byte on, or out of topics, by its place."""


class Fields:
    """The values of an event or a tuple by their names, each read and checked when it is asked for.

    Numbers and flags are ``int``, of 256 bits whatever the declaration says; addresses and ``bytes32`` are hexadecimal
    text in lower case, ``string`` and ``bytes`` are ``bytes``, arrays lists, and tuples fields again. An indexed value
    of no fixed length is its hash. Asking raises ``UndecodableError`` where the log does not hold such a value.
    """

    __slots__ = ("_data", "_layout", "_start", "_topics")

    def __init__(self, layout: _Layout, data: bytes, start: int = 0, topics: tuple[str, ...] = ()) -> None:
        self._layout = layout
        self._data = data
        self._start = start
        self._topics = topics

    def __getitem__(self, name: str) -> Any:
        read, place, is_indexed = self._layout[name]
        return read(self._topics, place) if is_indexed else read(self._data, self._start + place)

    def get(self, name: str, default: Any) -> Any:
        """Return a field that not every form of an event has."""
        return self[name] if name in self._layout else default

    def check(self) -> None:
        """Raise ``UndecodableError`` unless every field that has a name can be read."""
        for name in self._layout:
            value = self[name]
            for one in value if isinstance(value, list) else (value,):
                if isinstance(one, Fields):
                    one.check()


class Event:
    """An event by its declaration: ``Event("Sold(address indexed buyer, (address token, uint256 id)[] items)")``.

    Structs are written out as tuples, and fields that nobody asks for may go without a name. Raises ``ValueError`` for
    a declaration that is none, or has a type that no event of a market has (signed numbers, arrays of what has no
    fixed length).
    """

    def __init__(self, declaration: str) -> None:
        tokens = _TOKEN.findall(declaration)
        _expect(
            "".join(tokens) == "".join(declaration.split()) and tokens.count("(") == tokens.count(")") > 0
        )
        self.name: str = tokens.pop(0)
        fields = _fields(tokens)
        _expect(not tokens)
        canonical = f"{self.name}({','.join(one.type.canonical for one in fields)})"
        self.topic = "0x" + keccak.new(digest_bits=256, data=canonical.encode()).hexdigest()
        """The first topic of its logs: the Keccak hash of its name and types."""
        indexed = [one for one in fields if one.is_indexed]
        self._topics = 1 + len(indexed)
        plain = [one for one in fields if not one.is_indexed]
        self._size = _size(plain)
        self._layout: _Layout = _layout(plain) | {
            one.name: (one.type.of_topic, place, True) for place, one in enumerate(indexed, 1)
        }

    def read(self, log: RawLog) -> Fields:
        """Read a log of this event, whose first topic is not looked at.

        Raises ``UndecodableError`` for another number of topics, and for data that ends before the event's last field.
        """
        expect_topics(log, self._topics, self.name)
        if len(log.data) < self._size:
            raise UndecodableError(f"The data ends after {len(log.data)} bytes, before what should be in it.")
        return Fields(self._layout, log.data, 0, log.topics)


_Layout = Mapping[str, tuple[_Read, int, bool]]
"""How each field is read: by what, at which byte or topic, and whether it is a topic."""


class _Type(NamedTuple):
    canonical: str
    read: _Read
    of_topic: _Read
    size: int = 32
    """Bytes where it stands among the others: of the value itself, or of the offset of a dynamic one."""
    is_dynamic: bool = False


class _Field(NamedTuple):
    name: str
    type: _Type
    is_indexed: bool


def _fields(tokens: list[str]) -> list[_Field]:
    """Take fields in parentheses off the tokens."""
    fields: list[_Field] = []
    _expect(tokens.pop(0) == "(")
    while tokens[0] != ")":
        kind = _type(tokens)
        is_indexed = tokens[0] == "indexed"
        if is_indexed:
            tokens.pop(0)
        name = tokens.pop(0) if tokens[0] not in (",", ")") else ""
        fields.append(_Field(name, kind, is_indexed))
        if tokens[0] == ",":
            tokens.pop(0)
    tokens.pop(0)
    return fields


def _type(tokens: list[str]) -> _Type:
    found = _tuple(_fields(tokens)) if tokens[0] == "(" else _elementary(tokens.pop(0))
    while tokens[0].startswith("["):
        found = _array(found, tokens.pop(0))
    return found


def _elementary(name: str) -> _Type:
    if name == "address":
        return _Type(name, address, topic_address)
    if _NUMBER.fullmatch(name):
        return _Type(name, number, topic_number)
    if name in ("string", "bytes"):
        return _Type(name, octets, _hash, is_dynamic=True)
    digits = _BYTES.fullmatch(name)
    _expect(digits is not None)
    end = 2 + 2 * int(digits[1]) if digits else 0
    return _Type(name, lambda data, at: f"0x{number(data, at):064x}"[:end], lambda some, at: some[at][:end])


def _tuple(fields: list[_Field]) -> _Type:
    canonical = f"({','.join(one.type.canonical for one in fields)})"
    layout = _layout(fields)
    if any(one.type.is_dynamic for one in fields):
        # Offsets within count from where it starts.
        return _Type(
            canonical, lambda data, at: Fields(layout, data[number(data, at) :]), _hash, is_dynamic=True
        )
    return _Type(canonical, lambda data, at: Fields(layout, data, at), _hash, _size(fields))


def _array(of: _Type, suffix: str) -> _Type:
    """Return the type of an array of static values, of at most ``MAX_ENTRIES`` where their number is not declared."""
    _expect(not of.is_dynamic)
    read, size, canonical = of.read, of.size, of.canonical + suffix
    if suffix != "[]":
        whole = size * int(suffix[1:-1])
        return _Type(
            canonical, lambda data, at: [read(data, one) for one in range(at, at + whole, size)], _hash, whole
        )

    def entries(data: bytes, at: int) -> list[Any]:
        start, count = structs(data, at, size // 32)
        return [read(data, one) for one in range(start, start + size * count, size)]

    return _Type(canonical, entries, _hash, is_dynamic=True)


def _layout(fields: list[_Field]) -> dict[str, tuple[_Read, int, bool]]:
    places = [_size(fields[:place]) for place in range(len(fields))]
    return {one.name: (one.type.read, at, False) for one, at in zip(fields, places, strict=True)}


def _size(fields: list[_Field]) -> int:
    return sum(one.type.size for one in fields)


def _hash(topics: tuple[str, ...], place: int) -> str:
    return topics[place]


def _expect(is_so: bool) -> None:
    if not is_so:
        raise ValueError("No declaration of an event, or one of a type that is not read.")
