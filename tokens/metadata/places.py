"""The objects of a document in which authors put what describes an NFT, and their members by loosely written names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from tokens.traits import value_text

_MAX_NAME = 40
"""Characters of a name that may be one we look for."""

_MAX_MEMBERS = 10_000
"""Members of an object that are looked at."""

_MAX_LISTED = 100
"""Entries of a list that are looked at where one value is sought."""


class Place:
    """An object of a document; its members are found however their names are written (`image_url`, `imageURL`)."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self.members = members
        self._values: dict[str, list[Any]] = {}
        for name, value in islice(members.items(), _MAX_MEMBERS):
            found = self._values.setdefault(_folded(name) if len(name) <= _MAX_NAME else name, [])
            if value is not None:
                found.append(value)

    def values(self, *names: str) -> Iterator[Any]:
        """Yield what is stated under the names (lower case, letters only), in the order of the names; no ``null``."""
        for name in names:
            yield from self._values.get(name, ())

    def objects(self, *names: str) -> Iterator[Place]:
        """Yield those of the values that are objects, and those in a list of values."""
        for value in self.values(*names):
            entries = value[:_MAX_LISTED] if isinstance(value, list) else [value]
            yield from (Place(entry) for entry in entries if isinstance(entry, dict))

    def has(self, *names: str) -> bool:
        """Whether one of the names is there, be it with ``null``."""
        return any(name in self._values for name in names)


def places_of(document: Mapping[str, Any]) -> list[Place]:
    """Return the objects that describe the NFT: the document itself, then what it may be wrapped in (``metadata``)."""
    outer = Place(document)
    inner = [place for place in outer.objects("metadata", "data", "result") if place.members]
    return [outer, *inner[:3], *[place for one in inner[:3] for place in one.objects("metadata")][:3]]


def text_of(value: Any) -> str | None:
    """Return a text that is not blank: a string or a number, or the one that an object holds in place of it.

    ERC-1155's JSON schema, taken for the document itself, puts it under ``description``.
    """
    if isinstance(value, dict):
        inner = Place(value).values("description", "value", "en")
        return next((text for text in map(_plain, inner) if text), None)
    return _plain(value)


def _plain(value: Any) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value_text(value)
    return value if isinstance(value, str) and value.strip() else None


@lru_cache(maxsize=2000)
def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")
