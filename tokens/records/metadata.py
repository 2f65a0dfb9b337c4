"""The metadata of an NFT record (specification, NFT metadata), from the stored document, whatever JSON it holds."""

from __future__ import annotations

from typing import Any

from nftsite.net.shown_uris import shown_uri
from nftsite.rest.records import Record, cut_text, present, third_party_json
from tokens.records.traits import Population, trait_entries
from tokens.traits import value_text

MAX_DESCRIPTION_BYTES = 10_000
MAX_DATA_URI_BYTES = 8_000
"""A longer ``data:`` URI is left out: the cached image serves."""


def metadata_record(stored: str | None, images: Record, population: Population) -> Record | None:
    """Return the metadata, or ``None`` when nothing is known of it.

    ``stored`` is the document as JSON; a field of a wrong type is left out. ``images`` are the URLs of the cached
    renditions, which never come from a document.
    """
    stated = third_party_json(stored)
    document: Record = stated if isinstance(stated, dict) else {}
    description = _text(document.get("description"))
    fields = present(
        {
            "name": _text(document.get("name")),
            "description": description and cut_text(description, MAX_DESCRIPTION_BYTES),
            "imageMediaType": _string(document.get("imageMediaType")),
            "imageUrl": uri_record(_string(document.get("imageUrl"))),
            **images,
            "mediaType": _string(document.get("mediaType")),
            "mediaUrl": uri_record(_string(document.get("mediaUrl"))),
        }
    )
    if document:
        fields["traits"] = trait_entries(document.get("traits"), population)
    return fields or None


def uri_record(uri: str | None) -> str | None:
    """Return a stored URI as it is shown, IPFS and Arweave content at the public gateway.

    ``None`` for no or an empty one, and for a ``data:`` URI of more than 8 kB.
    """
    if not uri:
        return None
    is_data = uri[:5].lower() == "data:"
    too_long = is_data and len(uri.encode("utf-8", "surrogatepass")) > MAX_DATA_URI_BYTES
    return None if too_long else shown_uri(uri)


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _text(value: Any) -> str | None:
    """Return a text, also of a number: some collections name their NFTs by one."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value_text(value)
    return _string(value)
