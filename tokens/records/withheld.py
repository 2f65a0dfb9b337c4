"""What a record leaves out while an operator keeps an NFT's media from being served: every text that leads to them.

Addresses of media are met in more places than their fields: the source's own facts, a trait, a description, a token
URI that is the picture itself; and written in more ways: at a gateway, by another scheme, in other letter case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from tokens.metadata.trait_texts import value_text

_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://(?:ip[fn]s/)?")
_GATEWAY = re.compile(r"^.*?/ip[fn]s/")
_SHORTEST = 8
"""Characters of an address that may be looked for within a text; a shorter one is only a text of its own."""


class Hidden:
    """The media of a withheld NFT, by the addresses that its metadata document gives them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        stated = (document.get(name) for name in ("imageUrl", "mediaUrl"))
        urls = {_folded(url) for url in stated if isinstance(url, str) and url.strip()}
        bare = {_SCHEME.sub("", url) for url in urls}
        self._addresses = urls | bare | {_GATEWAY.sub("", url) for url in bare}

    def is_in(self, text: str) -> bool:
        """Tell whether a text is or holds the address of one of the media."""
        folded = _folded(text)
        return any(one in folded if len(one) >= _SHORTEST else one == folded for one in self._addresses)

    def told(self, text: str | None) -> str | None:
        """Return a text, or ``None`` where it leads to the media."""
        return None if text is None or self.is_in(text) else text

    def traits(self, entries: Any) -> list[Any]:
        """Return the entries of a document's ``traits`` that lead to none of the media."""
        return [one for one in entries if not self._is_in_entry(one)] if isinstance(entries, list) else []

    def _is_in_entry(self, entry: Any) -> bool:
        if not isinstance(entry, dict):
            return False
        return any(map(self.is_in, _texts(entry.get(name) for name in ("traitType", "traitValue"))))


def _texts(values: Iterable[Any]) -> Iterable[str]:
    return (value_text(value) for value in values if value is not None)


def _folded(text: str) -> str:
    return unquote(text).strip().casefold()
