"""The metadata that an asset states: the document that its node has read, as a record shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tokens.facts import NftFacts, TraitFacts
from tokens.traits import value_text

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_IMAGE_SCHEMES = ("http://", "https://", "ipfs://", "ar://", "data:")


def state(facts: NftFacts, document: Mapping[str, Any]) -> None:
    """Set metadata, traits and image of an NFT from its author's document."""
    metadata = normalise(document)
    facts.metadata = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    facts.traits = [
        TraitFacts(storable(value_text(one.get("traitType", ""))), storable(value_text(one["traitValue"])))
        for one in metadata.get("traits", ())
    ]
    url = metadata.get("imageUrl", "")
    facts.image_url = storable(url) if url.lower().startswith(_IMAGE_SCHEMES) else None


def normalise(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a record (specification, NFT metadata)."""
    texts = {
        "name": document.get("name"),
        "description": document.get("description"),
        "imageUrl": document.get("image"),
        "mediaUrl": document.get("animation_url"),
    }
    found: dict[str, Any] = {
        name: storable(text) for name, text in texts.items() if isinstance(text, str) and text
    }
    attributes = document.get("attributes")
    found["traits"] = [
        {"traitType": one.get("trait_type", ""), "traitValue": one["value"]}
        for one in (attributes if isinstance(attributes, list) else ())
        if isinstance(one, dict) and one.get("value") is not None
    ][:500]
    return found


def storable(text: str) -> str:
    """Return a text that both databases can hold: NUL and lone surrogates become U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)
