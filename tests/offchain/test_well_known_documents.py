"""The 29 real documents give what a person reads in them (tests/offchain/well_known.py).

URIs stay as they are written here; the form in which they are stored is tests/net's affair.
"""

from __future__ import annotations

import base64
import functools
import gzip
import json
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from tests.offchain.well_known import KNOWN, Known
from tests.shared import DOCUMENTS
from tokens.metadata.documents import metadata_of
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.normalise import normalise

pytestmark = pytest.mark.shared
each = pytest.mark.parametrize("place", range(29), ids=[known.collection for known in KNOWN])


@functools.cache
def documents() -> list[dict[str, Any]]:
    """The lines of the file."""
    with gzip.open(DOCUMENTS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def expected(known: Known, document: dict[str, Any]) -> dict[str, Any]:
    """The metadata that a person's facts make."""
    description: Any = document if known.described else None
    for name in known.described:
        description = description[name]
    image = known.image
    if known.drawn is not None:
        image = document[known.drawn]
        if image.startswith("<svg"):
            image = "data:image/svg+xml;base64," + base64.b64encode(image.encode()).decode()
    traits = [
        {"traitValue": value} if kind is None else {"traitType": kind, "traitValue": value}
        for kind, value in known.traits
    ]
    fields = {
        "name": known.name,
        "description": description,
        "imageUrl": image,
        "imageMediaType": known.image_type,
        "mediaUrl": known.media,
        "mediaType": known.media_type,
        "traits": traits or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def test_every_document_is_described() -> None:
    assert len(documents()) == len(KNOWN) == 29


@each
def test_a_document_gives_what_a_person_reads_in_it(place: int) -> None:
    document = documents()[place]["metadata"]
    found = normalise(document, str)
    assert found == expected(KNOWN[place], document)
    kinds = [type(trait["traitValue"]) for trait in found.get("traits", [])]
    assert kinds == [type(value) for _, value in KNOWN[place].traits]


@each
def test_the_body_of_a_document_gives_the_same(place: int) -> None:
    document = documents()[place]["metadata"]
    body = json.dumps(document).encode()
    wanted = expected(KNOWN[place], document)
    if wanted:
        assert metadata_of(body, "application/json", "https://x.example/1", str) == wanted
    else:
        with pytest.raises(UnusableDocumentError, match="names, shows, describes and lists nothing"):
            metadata_of(body, "application/json", "https://x.example/1", str)


@pytest.mark.parametrize("collection", ["Settlements", "Brotchain, untyped traits", "Nouns", "Lil Nouns"])
def test_the_document_that_is_on_the_chain_gives_the_same(collection: str) -> None:
    place = [known.collection for known in KNOWN].index(collection)
    line = documents()[place]
    head, _, data = line["tokenURI"].partition(",")
    body = base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
    assert metadata_of(body, "application/json", line["tokenURI"], str) == expected(
        KNOWN[place], line["metadata"]
    )


def test_art_in_characters_is_no_metadata() -> None:
    """Autoglyphs' token URI is the glyph itself; name and image were its site's."""
    uri = documents()[1]["tokenURI"]
    with pytest.raises(UnusableDocumentError, match=r"^It is the text “"):
        metadata_of(unquote_to_bytes(uri.partition(",")[2]), "text/plain", uri)
