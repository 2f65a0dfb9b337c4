"""The traits that a document states, in the many forms in which authors write attributes (field reports F33, F36, F37).

A trait is ``{"traitType": str, "traitValue": JSON value}``, without ``traitType`` when it is untyped. Pure, linear.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tokens.metadata import attribute_names as names
from tokens.metadata import jsonish
from tokens.metadata.places import Place
from tokens.metadata.shortening import MAX_TRAITS, MAX_TRAITS_BYTES, short_trait
from tokens.metadata.trait_texts import MAX_DEPTH, value_text

Trait = dict[str, Any]

_MAX_LEVELS = 8
"""Lists within lists that are opened."""
MAX_ENTRIES = 10_000
"""Traits that are looked at, kept or not."""
_MAX_VALUES = 5 * MAX_ENTRIES
"""JSON values, at all levels, that are looked at in search of them: 4 MB of ``[1,1,…`` hold two millions."""
_MAX_STATED = 10
"""Lists or objects of attributes that a document may have."""
_MAX_STATED_LEVELS = MAX_DEPTH + _MAX_LEVELS + 4
"""Levels of them that anything is read from."""


def traits_of(places: Sequence[Place]) -> list[Trait]:
    """Return the traits in the order in which they are stated, each pair of type and value once, within the limits.

    ``properties`` are traits only where nothing else is, and where they are a plain map of them: neither a JSON schema
    (ERC-1155's, Zora's) nor Metaplex's list of files. See :mod:`tokens.metadata.shortening` for what is cut, and where.
    """
    traits = _distinct(trait for stated in _stated(places, *names.LISTS) for trait in _traits(stated))
    traits = traits or _distinct(
        trait for stated in _stated(places, *names.OTHER_LISTS) for trait in _traits(stated)
    )
    if traits:
        return traits
    return _distinct(trait for stated in _stated(places, "properties") for trait in _properties(stated))


def is_trait(entry: Any) -> bool:
    """Whether an entry of a list has a value, and says of what."""
    if not isinstance(entry, dict):
        return False
    place = Place(entry)
    kinds = list(place.values(*names.TYPES))
    # Where each is an object, they are the names of two traits.
    are_names = bool(kinds) and all(isinstance(kind, dict) for kind in kinds)
    return place.has(*names.VALUES) and place.has(*names.TYPES) and not are_names


def _stated(places: Sequence[Place], *names: str) -> Iterator[Any]:
    """Yield what is stated under the names, JSON in a string read, as far as it is looked at."""
    budget = iter(range(_MAX_VALUES))
    for stated in islice((value for place in places for value in place.values(*names)), _MAX_STATED):
        value = stated
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
            try:
                value = jsonish.read(value)
            except jsonish.UnreadableError:
                continue
        yield _first_values(value, budget, _MAX_STATED_LEVELS)


def _first_values(value: Any, budget: Iterator[int], levels: int) -> Any:
    """Return a JSON value without what the budget does not last for, or lies deeper than ``levels``."""
    if not isinstance(value, dict | list):
        return value
    if not levels:
        return None
    if isinstance(value, dict):
        named = zip(value.items(), budget, strict=False)
        return {name: _first_values(member, budget, levels - 1) for (name, member), _ in named}
    return [_first_values(member, budget, levels - 1) for member, _ in zip(value, budget, strict=False)]


def _distinct(traits: Iterable[Trait]) -> list[Trait]:
    found: dict[tuple[str, str, str], Trait] = {}
    size = 0
    for trait in islice(traits, MAX_ENTRIES):
        short = short_trait(trait.get("traitType", ""), trait["traitValue"])
        if short is None:
            continue
        key = (short.kind, _kind(short.value), value_text(short.value))
        if key in found:
            continue
        size += short.size
        if size > MAX_TRAITS_BYTES:
            break
        found[key] = {"traitType": short.kind} if short.kind else {}
        found[key]["traitValue"] = short.value
        if len(found) == MAX_TRAITS:
            break
    return list(found.values())


def _kind(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"  # JSON has one kind of them
    return type(value).__name__


def _traits(stated: Any, levels: int = _MAX_LEVELS) -> Iterator[Trait]:
    if isinstance(stated, dict):
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
        if place.has(*names.VALUES):
            yield from _of_members(place, None)
        elif (len(entry) == 1 or is_only) and not place.has(*names.ENTRY_ONLY):
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
        if place is not None and place.has(*names.VALUES):
            yield from _of_members(place, name)
        else:
            yield from _trait(name, value)


def _of_members(place: Place, name: str | None) -> Iterator[Trait]:
    """Yield the trait that an object with a value is; ``name`` is the one that it stands under.

    Under a name ``type`` is the data's; where that is a mere number, as in a list, it may be the trait's.
    """
    if any(_is_royalty(kind) for kind in place.values("type")):
        return
    named = list(place.values(*names.TYPES[:-1]))
    if name is None or name.strip().isdigit():
        named += [kind for kind in place.values("type") if not _is_data_type(kind)]
    value = next(place.values(*names.VALUES), None)
    yield from _trait(next(filter(None, map(_type_text, named)), name), value)


def _trait(kind: str | None, value: Any) -> Iterator[Trait]:
    value = _bounded(value, MAX_DEPTH)
    if value is None:
        return  # a trait that the NFT has not
    trait = {} if kind is None or not kind.strip() else {"traitType": kind}
    yield {**trait, "traitValue": value}


def _is_data_type(kind: Any) -> bool:
    return isinstance(kind, str) and kind.strip().lower() in names.DATA_TYPES


def _is_royalty(kind: Any) -> bool:
    return isinstance(kind, str) and kind.strip().lower() == names.ROYALTY


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


def _properties(stated: Any, levels: int = _MAX_LEVELS) -> Iterator[Trait]:
    if isinstance(stated, list):
        yield from _traits([entry for entry in stated if is_trait(entry) or _holds_values(entry)])
    elif isinstance(stated, dict):
        place = Place(stated)
        lists = [value for value in place.values(*names.LISTS) if value and isinstance(value, list | dict)]
        if lists:
            for value in lists:
                yield from _traits(value)
        elif levels and any(map(_holds_values, place.values("properties"))):
            for value in place.values("properties"):
                yield from _properties(value, levels - 1)
        elif not place.has(*names.NO_TRAITS) and not any(map(_is_schema, stated.values())):
            yield from _of_properties(stated)


def _of_properties(stated: Mapping[str, Any]) -> Iterator[Trait]:
    for name, value in stated.items():
        has_value = isinstance(value, dict) and Place(value).has(*names.VALUES)
        if isinstance(value, dict) and not has_value:
            continue
        place = Place({name: value})
        if place.has(*names.LISTS) and isinstance(value, list):
            continue  # an empty one
        if not place.has(*names.DESCRIPTIVE) or (place.has("type") and (has_value or _is_kind(value))):
            yield from _of_object({name: value}, _MAX_LEVELS)


def _holds_values(entry: Any) -> bool:
    """Tell whether all that stands in an object under names are objects with a value."""
    return (
        isinstance(entry, dict)
        and bool(entry)
        and all(isinstance(value, dict) and Place(value).has(*names.VALUES) for value in entry.values())
    )


def _is_kind(value: Any) -> bool:
    """Tell whether a property called ``type`` is what the NFT is of a kind of, and not its medium's or data's."""
    return (
        isinstance(value, str)
        and "/" not in value
        and not _is_data_type(value)
        and value.strip().lower() not in names.MEDIA
    )


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
