"""From a metadata document, whatever its author wrote, to an NFT record's ``metadata``: pure, and nothing is invented.

What is unknown is absent. One bad field never costs the good ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from core.net.http import uris
from core.net.http.data_uris import decode_data_uri, is_data_uri
from core.rest.records import cut_text
from tokens.metadata import inline, jsonish, media_types
from tokens.metadata.attributes import MAX_ENTRIES, is_trait, traits_of
from tokens.metadata.judging import is_metadata
from tokens.metadata.media import Canonical, media_of
from tokens.metadata.places import Place, inner_objects, places_of, text_of
from tokens.metadata.shortening import MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES

_MAX_WRAPPINGS = 3
_MAX_ENVELOPES = 6
"""Levels of an API's answer at which a document is looked for."""
_MAX_ENVELOPED = 100
"""Objects of a level that are."""
_OTHER_NAMES = (
    "label",
    "displayname",
    "tokenname",
    "nftname",
    "assetname",
    "itemname",
    "metadataname",
    "tokentitle",
    "nfttitle",
    "cardname",
    "i18n",
)
_OTHER_DESCRIPTIONS = (
    *(
        "desc",
        "longdescription",
        "shortdescription",
        "metadatadescription",
        "summary",
        "about",
        "lore",
        "story",
    ),
)
"""What stands for name and description where they themselves do not. Sources are in docs/metadata.md."""
_MAX_PARTS = 1_000
_CUT_FROM, _CUT_TO = 50, 64
"""Bytes of a text's pieces on Cardano, which cuts at 64 and not within a character."""
_ABSOLUTE = re.compile(r"(?:https?|ipfs|ipns|ar)://\S|data:\S", re.IGNORECASE)


def normalise(document: Any, canonical: Canonical = uris.canonical) -> dict[str, Any]:
    """Return ``name``, ``description``, ``imageUrl``, ``imageMediaType``, ``mediaUrl``, ``mediaType`` and ``traits``.

    ``document`` is any JSON value; of what is no metadata (:mod:`tokens.metadata.judging`) the result is empty.
    ``traits`` are objects of ``traitType`` (absent for an untyped one) and ``traitValue``, a JSON value as written.
    Long texts are cut and many traits left out (:mod:`tokens.metadata.shortening`): the document has them all. Never
    raises.
    """
    outer = _description_in(document)
    if outer is None:
        return {}
    places = places_of(outer)
    fields = _fields(places, canonical)
    if not fields:
        fields, inner = _enveloped(outer, canonical)
        places += inner
    return fields if is_metadata(fields, places) else {}


def _fields(places: Sequence[Place], canonical: Canonical) -> dict[str, Any]:
    """Return the fields that are known."""
    fields: dict[str, Any] = {
        "name": cut_text(_name(places), MAX_NAME_BYTES),
        "description": cut_text(_description(places), MAX_DESCRIPTION_BYTES),
        **media_of(places, canonical),
        "traits": traits_of(places),
    }
    return {name: value for name, value in fields.items() if value}


def _enveloped(outer: Mapping[str, Any], canonical: Canonical) -> tuple[dict[str, Any], list[Place]]:
    """Return the fields of the one object within an API's answer that tells any, and its places.

    The levels are gone through one after the other; where two objects of one level tell something, nobody can know
    which one is meant.
    """
    level = list(inner_objects(outer))
    for _ in range(_MAX_ENVELOPES):
        found = [places_of(one) for one in level]
        telling = [(fields, places) for places in found if (fields := _fields(places, canonical))]
        if telling:
            return telling[0] if len(telling) == 1 else ({}, [])
        level = list(islice((inner for one in level for inner in inner_objects(one)), _MAX_ENVELOPED))
    return {}, []


def _description_in(document: Any, wrappings: int = _MAX_WRAPPINGS) -> Mapping[str, Any] | None:
    """Return the object that describes the NFT: the document, the only object of a list, or JSON within a string.

    A list of traits is their object, a string that is an image's URI the image's. A document may be packed into base64
    or a ``data:`` URI, be it twice. ``None`` when there is none.
    """
    if isinstance(document, dict):
        return document
    if isinstance(document, list):
        return _description_in_list(document, wrappings)
    if not isinstance(document, str) or not wrappings:
        return None
    text = document.strip()
    if text[:1] in ("{", "[", '"'):
        try:
            return _description_in(jsonish.read(text), wrappings - 1)
        except jsonish.UnreadableError:
            return None
    packed = inline.data_uri_of(text) or text
    if _ABSOLUTE.match(packed) and media_types.is_image(media_types.of_uri(packed)):
        return {"image": packed}
    return _description_in(_unpacked(packed), wrappings - 1) if is_data_uri(packed) else None


def _unpacked(uri: str) -> str:
    try:
        return jsonish.decoded(decode_data_uri(uri).body)
    except uris.BadUriError:
        return ""


def _description_in_list(entries: Sequence[Any], wrappings: int) -> Mapping[str, Any] | None:
    objects = [entry for entry in entries[:MAX_ENTRIES] if isinstance(entry, dict)]
    if any(map(is_trait, objects)):
        return {"attributes": entries}
    if len(entries) == 1 and wrappings:
        return _description_in(entries[0], wrappings - 1)
    return objects[0] if len(objects) == 1 else None


def _name(places: Sequence[Place]) -> str:
    # A JSON schema's title is that of the schema.
    titles = [title for place in places if not place.has("properties") for title in place.values("title")]
    others = (value for place in places for value in place.values(*_OTHER_NAMES))
    return _first_text([*_described(places, "name"), *titles, *others])


def _description(places: Sequence[Place]) -> str:
    others = (value for place in places for value in place.values(*_OTHER_DESCRIPTIONS))
    contents = (value for place in places for value in place.values("content") if _is_prose(value))
    found = chain(_described(places, "description"), others, contents)
    return _first_text(map(_in_one, found))


def _in_one(value: Any) -> Any:
    """Return a text that is in pieces (CIP-25) or lines as one; any other value as it is."""
    parts = value if isinstance(value, list) else []
    if not 1 < len(parts) <= _MAX_PARTS or not all(isinstance(part, str) for part in parts):
        return value
    is_cut = all(_CUT_FROM <= len(part.encode("utf-8", "replace")) <= _CUT_TO for part in parts[:-1])
    return ("" if is_cut else "\n").join(parts)


def _is_prose(value: Any) -> bool:
    """Tell whether a value is a text to be read (Lens' ``content``), and no address."""
    return isinstance(value, str) and " " in value.strip() and not _ABSOLUTE.match(value.strip())


def _described(places: Sequence[Place], name: str) -> Iterator[Any]:
    """Yield what is stated under a name, also among the ``properties``."""
    for place in places:
        yield from place.values(name)
    for place in places:
        for properties in place.objects("properties"):
            yield from properties.values(name)


def _first_text(values: Iterable[Any]) -> str:
    return next((text for text in map(text_of, values) if text), "")
