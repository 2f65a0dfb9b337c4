"""From the bytes that a token URI leads to, to an NFT record's ``metadata``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.net.http import uris
from core.net.http.charsets import charset_in
from media.sniff import begins_as_json
from tokens.metadata import jsonish, media_types
from tokens.metadata.judging import Lack, UnusableDocumentError, lack_of
from tokens.metadata.media import Canonical
from tokens.metadata.normalise import normalise
from tokens.metadata.places import Place

_HTML = re.compile(r"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_SHOWN = 60
_BINARY_BYTES = 4096
_UTF_16 = re.compile(
    rb"\xff\xfe|\xfe\xff|\0\0\xfe\xff|(?:[ \t\r\n]\0)+[\[{\"]\0|"
    rb"(?:[ \t\r\n]\0\0\0)+[\[{\"]\0\0\0|(?:\0\0\0[ \t\r\n])*\0\0\0[\[{\"]"
)
"""How texts in UTF-16 and UTF-32 begin that have a byte order mark, or blanks in little-endian order, or in UTF-32 the
high byte first."""
_MAX_IDS = 1_000
"""Places of a token's id in a document that are filled in: with more it would become 16 times as long."""
_MAX_LEVELS = 100
"""Levels of a document at which they are; nothing is read from deeper ones."""


def metadata_of(
    body: bytes,
    media_type: str,
    uri: str,
    canonical: Canonical = uris.canonical,
    token_id: int | None = None,
    file: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the metadata in a body, see :func:`tokens.metadata.normalise.normalise`; never empty.

    ``media_type`` is what its server claims, ``uri`` where the token says it is. Some token URIs lead to the image or
    animation itself (field report F74): it is the only thing known then, under ``uri``. ``token_id`` is put for each
    ``{id}`` in a string of the document (EIP-1155, Metadata); without it they stay. ``file``: what is known of the
    work itself that the document is about, as ``Result.file`` has it. Raises :class:`UnusableDocumentError`.
    """
    if not body.strip():
        raise UnusableDocumentError(Lack.EMPTY)
    found = file_of(body, media_type, uri, canonical)
    if found is not None:
        return dict(found)
    document = _document(body, media_type, token_id)
    metadata = normalise(document, canonical)
    if not metadata:
        lack = lack_of(document)
        raise UnusableDocumentError(
            lack, f"It is {_told(document)}, not metadata." if lack is Lack.OTHER else ""
        )
    return metadata if file is None else {**metadata, **_typed(file, document)}


def file_of(body: bytes, media_type: str, uri: str, canonical: Canonical) -> Mapping[str, str] | None:
    """Return the metadata of a body that is the work itself: its address and type; ``None`` for one that is a text.

    Raises :class:`UnusableDocumentError` where its address leads nowhere.
    """
    found = media_types.of_bytes(body)
    claimed = media_types.stated(media_type)
    is_text = begins_as_json(body) or _UTF_16.match(body) is not None
    if not found and claimed and b"\0" in body[:_BINARY_BYTES] and not is_text:
        found = claimed
    return _medium(uri, found, canonical) if found else None


def _typed(file: Mapping[str, str], document: Any) -> Mapping[str, str]:
    """Return the fields of a file that was not looked at, with the type that its document states."""
    kinds = Place(document).values("mimetype", "mime", "contenttype") if isinstance(document, dict) else ()
    kind = next(filter(None, map(media_types.stated, kinds)), "")
    if file.keys() != {"mediaUrl"} or not kind:
        return file
    return _fields_of(file["mediaUrl"], kind)


def _document(body: bytes, media_type: str, token_id: int | None) -> Any:
    """Return the JSON value of a body; a text that is none as a string: perhaps an image's URL stands there bare."""
    text = jsonish.decoded(body, charset_in(media_type))
    try:
        document = jsonish.read(text)
    except jsonish.UnreadableError as fault:
        if _HTML.match(text[:5000]):
            raise UnusableDocumentError(Lack.HTML) from None
        if text.lstrip()[:1] in ("{", "[", '"'):
            raise UnusableDocumentError(Lack.BROKEN, str(fault)) from None
        document = text
    if token_id is None or not 0 < uris.token_id_places(text) <= _MAX_IDS:
        return document
    return _with_token_id(document, token_id, _MAX_LEVELS)


def _with_token_id(value: Any, token_id: int, levels: int) -> Any:
    if isinstance(value, str):
        return uris.with_token_id(value, token_id)
    if isinstance(value, dict) and levels:
        return {name: _with_token_id(member, token_id, levels - 1) for name, member in value.items()}
    if isinstance(value, list) and levels:
        return [_with_token_id(member, token_id, levels - 1) for member in value]
    return value


def _medium(uri: str, media_type: str, canonical: Canonical) -> Mapping[str, str]:
    try:
        return _fields_of(canonical(uri), media_type)
    except ValueError:
        raise UnusableDocumentError(Lack.MEDIUM, f"It is {media_type}, not metadata.") from None


def _fields_of(url: str, media_type: str) -> Mapping[str, str]:
    if media_types.is_image(media_type):
        return {"imageUrl": url, "imageMediaType": media_type}
    return {"mediaUrl": url, "mediaType": media_type}


def _told(document: Any) -> str:
    """Return what a JSON value is, in words."""
    if isinstance(document, str):
        text = " ".join(document.split())
        start = text[:_SHOWN] + ("…" if len(text) > _SHOWN else "")
        return f"the text “{''.join(filter(str.isprintable, start))}”"
    if isinstance(document, list):
        return f"a list of {len(document):,}"
    return "null" if document is None else "a truth value" if isinstance(document, bool) else "a number"
