"""The metadata that an asset states: the document that its node has read, as a record shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokens.facts import NftFacts
from tokens.metadata.facts import MAX_TRAITS, fill


def state(facts: NftFacts, document: Mapping[str, Any]) -> None:
    """Set metadata, traits and image of an NFT from its author's document."""
    fill(facts, normalise(document))


def normalise(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a record (specification, NFT metadata)."""
    texts = {
        "name": document.get("name"),
        "description": document.get("description"),
        "imageUrl": document.get("image"),
        "mediaUrl": document.get("animation_url"),
    }
    found: dict[str, Any] = {name: text for name, text in texts.items() if isinstance(text, str) and text}
    attributes = document.get("attributes")
    found["traits"] = [
        {"traitType": one.get("trait_type", ""), "traitValue": one["value"]}
        for one in (attributes if isinstance(attributes, list) else ())
        if isinstance(one, dict) and one.get("value") is not None
    ][:MAX_TRAITS]
    return found
