"""The metadata of an NFT record (specification, NFT metadata), from the stored document, whatever JSON it holds."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

from core.net.http.data_uris import is_data_uri
from core.net.http.shown_uris import shown_uri
from core.rest.records import Record, cut_text, present, third_party_json
from tokens.metadata.shortening import MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES
from tokens.metadata.trait_texts import value_text
from tokens.records.traits import Population, trait_entries
from tokens.records.withheld import Hidden

MAX_DATA_URI_BYTES = 8_000
"""A longer ``data:`` URI is left out: the cached image serves."""


class Pictures(NamedTuple):
    """What the cache knows of an NFT's image, none of which ever comes from a document.

    ``urls`` are those of the cached renditions by field; ``image_type`` is of the bytes at the image's address,
    which may turn out to be a video, ``media_type`` of those at the animation's. ``withheld``: an operator keeps all of
    the NFT's media from being served.
    """

    urls: Record = MappingProxyType({})  # type: ignore[assignment]
    image_type: str | None = None
    media_type: str | None = None
    withheld: bool = False


def metadata_record(stored: str | None, pictures: Pictures, population: Population) -> Record | None:
    """Return the metadata, or ``None`` when nothing is known of it.

    ``stored`` is the document as JSON; a field of a wrong type is left out.
    """
    stated = third_party_json(stored)
    document: Record = stated if isinstance(stated, dict) else {}
    name, description = told(document, "name"), told(document, "description")
    traits = document.get("traits")
    if pictures.withheld:
        hidden = Hidden(document)
        name, description, traits = hidden.told(name), hidden.told(description), hidden.traits(traits)
    media = {} if pictures.withheld else _media(document, pictures)
    fields = present({"name": name, "description": description, **media})
    if document:
        fields["traits"] = trait_entries(traits, population)
    return fields or None


def _media(document: Record, pictures: Pictures) -> Record:
    """Return addresses and types of image and animation; a type that the bytes tell goes before a stated one."""
    found = pictures.image_type or ""
    image, animation = string(document.get("imageUrl")), string(document.get("mediaUrl"))
    image_type, media_type = string(document.get("imageMediaType")), string(document.get("mediaType"))
    if animation is not None:
        media_type = media_type or pictures.media_type
    if found.startswith("image/"):
        image_type = found
    elif found.startswith(("video/", "audio/")):
        image_type = None
        if animation in (None, image):  # what was given as the image is the animation
            animation, media_type = image, found
    return {
        "imageMediaType": image_type,
        "imageUrl": uri_record(image),
        **pictures.urls,
        "mediaType": media_type,
        "mediaUrl": uri_record(animation),
    }


def uri_record(uri: str | None, show: Callable[[str], str] = shown_uri) -> str | None:
    """Return a stored URI as it is shown, IPFS and Arweave content at the public gateway.

    ``None`` for no or an empty one, and for a ``data:`` URI of more than 8 kB. ``show`` does it in another way.
    """
    if not uri:
        return None
    too_long = is_data_uri(uri) and len(uri.encode("utf-8", "surrogatepass")) > MAX_DATA_URI_BYTES
    return None if too_long else show(uri)


def string(value: Any) -> str | None:
    """Return a text of a document; ``None`` for an empty one, and for what is none."""
    return value if isinstance(value, str) and value else None


_LONGEST = {"name": MAX_NAME_BYTES, "description": MAX_DESCRIPTION_BYTES}


def told(document: Record, field: str) -> str | None:
    """Return the name or description as far as it is shown, also a number: some collections name their NFTs by one."""
    value, most = document.get(field), _LONGEST[field]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return cut_text(value_text(value), most)
    text = string(value)
    return text and cut_text(text, most)
