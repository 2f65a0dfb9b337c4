"""The traits that a document states, in the many forms in which authors write attributes (field reports F33, F36, F37).

A trait is ``{"traitType": str, "traitValue": JSON value}``, without ``traitType`` when it is untyped. Pure, linear.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tokens.metadata import jsonish
from tokens.metadata.places import Place
from tokens.traits import MAX_DEPTH, value_text

Trait = dict[str, Any]

_LISTS = ("attributes", "traits")
_TYPES = ("traittype", "trait", "key", "name", "property", "label", "type")
_VALUES = ("value", "traitvalue", "val")
_ENTRY_ONLY = ("traittype", "displaytype", "maxvalue")
"""Members that only an entry has, if it lacks its value too."""
_NO_TRAITS = ("files", "category", "creators")
"""Members of ``properties`` in Metaplex's JSON, which has no traits there."""
_MAX_LEVELS = 8
"""Lists within lists that are opened."""
_DESCRIPTIVE = (
    *(
        "name",
        "title",
        "description",
        "image",
        "imageurl",
        "imageuri",
        "imagedata",
        "imagedetails",
        "symbol",
        "type",
    ),
    *("animationurl", "animation", "externalurl", "externaluri", "media", "content", "decimals", "preview"),
)
"""Members of ``properties`` that say what the NFT is (ERC-1155, Metadata), rather than being a trait of it."""


def traits_of(places: Sequence[Place]) -> list[Trait]:
    """Return the traits in the order in which they are stated, each pair of type and value once.

    ``properties`` are traits only where nothing else is, and where they are a plain map of them: neither a JSON schema
    (ERC-1155's, Zora's) nor Metaplex's list of files.
    """
    traits = _distinct(
        trait for place in places for stated in place.values(*_LISTS) for trait in _traits(stated)
    )
    if traits:
        return traits
    return _distinct(
        trait for place in places for stated in place.values("properties") for trait in _properties(stated)
    )


def is_trait(entry: Any) -> bool:
    """Whether an entry of a list has a value, and says of what."""
    if not isinstance(entry, dict):
        return False
    place = Place(entry)
    return place.has(*_VALUES) and place.has(*_TYPES)


def _distinct(traits: Iterator[Trait]) -> list[Trait]:
    found: dict[tuple[str | None, str, str], Trait] = {}
    for trait in traits:
        value = trait["traitValue"]
        found.setdefault((trait.get("traitType"), _kind(value), value_text(value)), trait)
    return list(found.values())


def _kind(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"  # JSON has one kind of them
    return type(value).__name__


def _traits(stated: Any, levels: int = _MAX_LEVELS) -> Iterator[Trait]:
    if isinstance(stated, str) and stated.lstrip()[:1] in ("[", "{") and levels:
        try:
            yield from _traits(jsonish.read(stated), 0)  # JSON in a string
        except jsonish.UnreadableError:
            return
    elif isinstance(stated, dict):
        yield from _of_object(stated, levels)
    elif isinstance(stated, list):
        if stated and all(_is_pair(entry) for entry in stated):
            for kind, value in stated:
                yield from _trait(kind, value)
            return
        for entry in stated:
            yield from _of_entry(entry, levels, is_only=len(stated) == 1)


def _of_entry(entry: Any, levels: int, is_only: bool) -> Iterator[Trait]:
    """Yield what an entry of a list states."""
    if isinstance(entry, list):
        if levels:
            yield from _traits(entry, levels - 1)
    elif isinstance(entry, dict):
        place = Place(entry)
        if place.has(*_VALUES):
            yield from _of_members(place, None)
        elif (len(entry) == 1 or is_only) and not place.has(*_ENTRY_ONLY):
            yield from _of_map(entry)
    else:
        yield from _trait(None, entry)


def _of_object(stated: Mapping[str, Any], levels: int) -> Iterator[Trait]:
    if is_trait(stated):
        yield from _of_members(Place(stated), None)  # the only one, not in a list
        return
    for name, value in stated.items():
        if isinstance(value, list) and value and all(map(is_trait, value)) and levels:
            yield from _traits(value, levels - 1)
        else:
            yield from _of_map({name: value})


def _of_map(stated: Mapping[str, Any]) -> Iterator[Trait]:
    """Yield the traits of an object whose names are types; a value may stand in an object of its own."""
    for name, value in stated.items():
        place = Place(value) if isinstance(value, dict) else None
        if place is not None and place.has(*_VALUES):
            yield from _of_members(place, name)
        else:
            yield from _trait(name, value)


def _of_members(place: Place, name: str | None) -> Iterator[Trait]:
    """Yield the trait that an object with a value is; ``name`` is the one that it stands under."""
    kinds = (_type_text(kind) for kind in place.values(*_TYPES))
    value = next(place.values(*_VALUES), None)
    yield from _trait(next(filter(None, kinds), name), value)


def _trait(kind: str | None, value: Any) -> Iterator[Trait]:
    value = _bounded(value, MAX_DEPTH)
    if value is None:
        return  # a trait that the NFT has not
    trait = {} if kind is None or not kind.strip() else {"traitType": kind}
    yield {**trait, "traitValue": value}


def _type_text(kind: Any) -> str | None:
    """Return the type that one stated as a string or number is; ``None`` for a blank one and any other."""
    if isinstance(kind, bool) or not isinstance(kind, str | int | float):
        return None
    text = value_text(kind)
    return text if text.strip() else None


def _is_pair(entry: Any) -> bool:
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and not isinstance(entry[1], list | dict)
    )


def _properties(stated: Any) -> Iterator[Trait]:
    if isinstance(stated, list):
        yield from _traits([entry for entry in stated if is_trait(entry)])
    elif (
        isinstance(stated, dict)
        and not Place(stated).has(*_NO_TRAITS)
        and not any(map(_is_schema, stated.values()))
    ):
        for name, value in stated.items():
            if isinstance(value, dict) and not Place(value).has(*_VALUES):
                continue
            if not Place({name: value}).has(*_DESCRIPTIVE):
                yield from _of_map({name: value})


def _is_schema(member: Any) -> bool:
    return isinstance(member, dict) and "type" in member and "description" in member and "value" not in member


def _bounded(value: Any, levels: int) -> Any:
    """Return a JSON value in which what lies deeper than ``levels``, or is no number (``NaN``), is ``null``."""
    if not isinstance(value, dict | list):
        return None if isinstance(value, float) and not math.isfinite(value) else value
    if not levels:
        return None
    if isinstance(value, dict):
        return {name: _bounded(member, levels - 1) for name, member in value.items()}
    return [_bounded(member, levels - 1) for member in value]
