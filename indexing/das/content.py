"""The ``content`` of a DAS asset: where its document is, and what the node has read of it. Pure, never raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokens.store.facts import UNSET, Unset

_OF_METADATA = ("name", "symbol", "description", "attributes")
_OF_LINKS = ("image", "animation_url", "external_url")


@dataclass(frozen=True, slots=True)
class Content:
    """What a node tells of the metadata of an asset.

    ``document``: a document as the author would have written it (Metaplex's Token Metadata JSON), put together from
    the parts that DAS takes it into. Where it has nothing but what the chain itself holds, name and symbol, the node
    has not read the author's document at ``uri``.
    """

    uri: str | None | Unset = UNSET
    document: dict[str, Any] = field(default_factory=dict)
    token_standard: str | None = None

    @property
    def name(self) -> str | None:
        """The name that the chain holds."""
        return _text(self.document.get("name"))

    @property
    def symbol(self) -> str | None:
        """The symbol that the chain holds."""
        return _text(self.document.get("symbol"))


def content_of(stated: Any) -> Content:
    """Read the ``content`` of an asset, whatever JSON it is."""
    if not isinstance(stated, dict):
        return Content()
    metadata, links = _object(stated, "metadata"), _object(stated, "links")
    document = {name: _unpadded(metadata.get(name)) for name in _OF_METADATA}
    document |= {name: links.get(name) for name in _OF_LINKS}
    files = _files(stated.get("files"))
    if files:
        document["properties"] = {"files": files}
    document = {name: value for name, value in document.items() if value not in (None, "")}
    standard = metadata.get("token_standard")
    return Content(
        uri=_uri(stated), document=document, token_standard=standard if isinstance(standard, str) else None
    )


def _files(stated: Any) -> list[dict[str, str]]:
    """Return the files by the names that authors use: DAS calls the type ``mime``. What a CDN made of them is not."""
    found = []
    for entry in stated if isinstance(stated, list) else ():
        uri = _text(entry.get("uri")) if isinstance(entry, dict) else None
        if uri is not None:
            kind = _text(entry.get("mime"))
            found.append({"uri": uri} | ({} if kind is None else {"type": kind}))
    return found


def _uri(stated: Mapping[str, Any]) -> str | None | Unset:
    if "json_uri" not in stated:
        return UNSET
    return _text(stated["json_uri"])


def _object(stated: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = stated.get(name)
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value.strip("\0 \t\r\n") or None if isinstance(value, str) else None


def _unpadded(value: Any) -> Any:
    """Return a value without the NUL characters that fill up the fixed fields of accounts."""
    return value.strip("\0") if isinstance(value, str) else value
