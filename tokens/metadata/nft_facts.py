"""What a metadata object means for the facts of its NFT: the text that is kept, its traits, its image."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from core.db.texts import storable
from core.rest.records import ExactFloat, third_party_json
from tokens.metadata.shortening import MAX_TRAITS
from tokens.metadata.trait_texts import value_text
from tokens.store.facts import NftFacts, TraitFacts

_SCHEMES = ("http://", "https://", "ipfs://", "ar://", "data:")
_SURROGATES = re.compile("[\ud800-\udfff]")


def fill(facts: NftFacts, metadata: Mapping[str, Any], text: str | None = None) -> None:
    """Set what follows from a metadata object (the keys of an NFT record's ``metadata``).

    ``text`` is the object's JSON as it stands in its source; without it the object is written.
    """
    facts.metadata = _written(metadata) if text is None else text
    facts.traits = trait_list(metadata.get("traits"))
    facts.image_url = url_of_image(metadata)
    facts.media_url = url_of_unknown_media(metadata)


def name_in(metadata: str | None) -> str | None:
    """The name in the stored text of a metadata object, if it has one."""
    told = third_party_json(metadata)
    name = told.get("name") if isinstance(told, dict) else None
    return name if isinstance(name, str) and name.strip() else None


def trait_list(stated: Any) -> list[TraitFacts]:
    """The traits of a metadata document, whatever JSON they are: what is no trait entry is passed over."""
    entries = stated if isinstance(stated, list) else []
    traits = []
    for entry in entries:
        if isinstance(entry, dict) and entry.get("traitValue") is not None:
            kind = entry.get("traitType")
            text = "" if kind is None else value_text(kind)
            traits.append(TraitFacts(storable(text), storable(value_text(entry["traitValue"]))))
            if len(traits) == MAX_TRAITS:
                break
    return traits


def url_of_image(metadata: Mapping[str, Any]) -> str | None:
    """The address of an NFT's image, when it is one that images can be fetched from."""
    return _fetchable(metadata.get("imageUrl"))


def url_of_unknown_media(metadata: Mapping[str, Any]) -> str | None:
    """The address of an NFT's animation, when nothing says of what type it is and its first bytes could tell."""
    url = _fetchable(metadata.get("mediaUrl"))
    is_known = bool(metadata.get("mediaType")) or url == url_of_image(metadata)
    return None if is_known else url


def _fetchable(url: Any) -> str | None:
    if not isinstance(url, str) or not url.strip().lower().startswith(_SCHEMES):
        return None
    return storable(url.strip())


def _written(metadata: Mapping[str, Any]) -> str:
    """Return the JSON of a metadata object, compact. A lone surrogate is escaped: no database takes it as it is."""
    return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", _json(metadata))


def _json(value: Any) -> str:
    if isinstance(value, ExactFloat):
        return value.text  # json.dumps would write the nearest float
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_string(name)}:{_json(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_json, value)) + "]"
    return _string(value)


def _string(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
