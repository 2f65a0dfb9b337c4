"""The objects of a document in which authors put what describes an NFT, and their members by loosely written names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from tokens.metadata import jsonish
from tokens.metadata.trait_texts import value_text

_MAX_NAME = 40
"""Characters of a name that may be one we look for."""

_MAX_MEMBERS = 10_000
"""Members of an object that are looked at."""

_MAX_LISTED = 100
"""Entries of a list that are looked at where one value is sought."""

_NO_ENVELOPES = frozenset(
    (
        *(
            "error",
            "errors",
            "err",
            "exception",
            "fault",
            "headers",
            "request",
            "config",
            "pagination",
            "links",
        ),
        *(
            "owner",
            "user",
            "creator",
            "creators",
            "author",
            "artist",
            "minter",
            "seller",
            "account",
            "issuer",
        ),
        *("debug", "server", "service", "context", "documentation", "app", "api"),
        *("contractmetadata", "collectionmetadata", "openseametadata", "contractinfo", "collectioninfo"),
        *("collection", "contract", "project", "publisher", "brand", "license", "royalty", "royaltyinfo"),
        *("attributes", "traits", "properties", "stats", "image", "animation", "media", "files", "schema"),
    )
)
"""Members of an answer that are no documents of its NFT, whatever they are called and show."""

_LANGUAGES = ("language", "lang", "locale", "code")
_LANGUAGE = re.compile(
    r"(?:default|(?:ar|cs|da|de|el|en|es|fa|fi|fr|he|hi|hu|it|ja|jp|ko|kr|ms|nb|nl|pl|pt|ro|ru|sv|th|tr|uk|vi|zh|cn)"
    r"(?:[-_][a-z0-9]{2,8}){0,3})",
    re.IGNORECASE,
)
"""A language's tag (BCP 47), of those that one meets and that are no other word, as `id` and `no` are."""

_WRAPPERS = ("metadata", "data", "result", "body", "lens")
_RESOURCE = ("type", "id", "attributes")


def _only(value: Any) -> Mapping[str, Any]:
    """Return an object, or the only one of a list; of a JSON:API resource (version 1.1, 7.2) what it is about."""
    entries = value if isinstance(value, list) else [value]
    if len(entries) != 1 or not isinstance(entries[0], dict):
        return {}
    found = entries[0]
    about = found.get("attributes")
    is_resource = isinstance(about, dict) and all(name in found for name in _RESOURCE) and "name" not in found
    return about if is_resource and isinstance(about, dict) else found


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
    """Return the objects that describe the NFT: the document itself, then what it may be wrapped in (``metadata``).

    That may be JSON in a string, as in Moralis' answers and NEP-177's ``extra``.
    """
    outer = Place(document)
    inner = [Place(one) for one in map(_only, outer.values(*_WRAPPERS)) if one]
    written = (_parsed(text) for text in outer.values("metadata", "extra") if isinstance(text, str))
    inner += [Place(members) for members in written if isinstance(members, dict) and members]
    return [outer, *inner[:3], *[place for one in inner[:3] for place in one.objects("metadata")][:3]]


def inner_objects(outer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects within one that an API may have put a document into, also those of lists and JSON in strings.

    What stands under the name of an error, or of something else than the NFT, is left out.
    """
    for name, value in islice(outer.items(), _MAX_LISTED):
        if _folded(name[:_MAX_NAME]) in _NO_ENVELOPES:
            continue
        stated = _parsed(value) if isinstance(value, str) else value
        entries = stated[:_MAX_LISTED] if isinstance(stated, list) else [stated]
        yield from (entry for entry in entries if isinstance(entry, dict))


def _parsed(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return jsonish.read(text)
    except jsonish.UnreadableError:
        return None


def text_of(value: Any) -> str | None:
    """Return a text that is not blank: a string or a number, or the one that an object holds in place of it.

    ERC-1155's JSON schema, taken for the document itself, puts it under ``description``. Of several languages English
    is taken, else what is called the default, else the first one.
    """
    if isinstance(value, dict | list):
        return next((text for text in map(_plain, _inner_texts(value)) if text), None)
    return _plain(value)


def _inner_texts(value: dict[str, Any] | list[Any]) -> Iterator[Any]:
    """Yield what may be meant by an object or list in place of a text, what is preferred first."""
    if isinstance(value, dict):
        yield from Place(value).values("description", "value")
        languages = list(value.items())[:_MAX_LISTED]
        if not all(_LANGUAGE.fullmatch(name) for name, _ in languages):
            languages = [(name, text) for name, text in languages if name.lower() == "en"]
    else:
        places = [Place(entry) for entry in value[:_MAX_LISTED] if isinstance(entry, dict)]
        told = [(place.values(*_LANGUAGES), place.values("text", "value", "content")) for place in places]
        languages = [(str(next(name, "")), next(text, None)) for name, text in told]
        languages = [(name, text) for name, text in languages if _LANGUAGE.fullmatch(name)]
    yield from (text for _, text in sorted(languages, key=lambda one: _rank(one[0])))


def _rank(language: str) -> int:
    name = language.lower()
    return 0 if name[:2] == "en" else 1 if name == "default" else 2


def _plain(value: Any) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value_text(value)
    return value if isinstance(value, str) and value.strip() else None


@lru_cache(maxsize=2000)
def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")
