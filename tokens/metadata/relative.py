"""Where a reference leads that a document makes to a file beside itself (RFC 3986, 5.2; ARC-3). Pure text."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urljoin

from core.net.http.data_uris import is_data_uri
from core.net.http.uri_errors import BadUriError
from tokens.metadata import media_types

_MOST = 1_000
_NO_PATH = re.compile(r"[\x00-\x1f:<>\"{}|\\^`]")
"""What no reference to a file has; one with a colon is none at all (ARC-3)."""
_ROOTED = re.compile(r"(?:\.{1,2}/|/(?!/))\S*[^\s/]")
_NO_SCHEME = re.compile(r"//[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/\S+", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/", re.IGNORECASE)
"""How a reference begins of which nobody can know whether it is a folder or a host without a scheme."""
_CONTENT = re.compile(r"(ip[fn]s|ar)(?=://[^/?#]+/[^?#])")
"""A document in a folder: beside one that is content of its own there is nothing."""


def within(base: str, canonical: Callable[[str], str]) -> Callable[[str], str]:
    """Return ``canonical`` for the URIs in the document at ``base``: a reference becomes the URI of what it names.

    What ``canonical`` can make out is no reference. ``base`` is a canonical URI; in a ``data:`` URI there are none.
    """

    def found(uri: str) -> str:
        try:
            return canonical(uri)
        except BadUriError:
            target = _target(uri.strip(), base)
            if not target:
                raise
        return canonical(target)

    return found


def _target(reference: str, base: str) -> str:
    """Return the URI of the file that a reference names, empty for what is none or leads nowhere."""
    if len(reference) > _MOST or is_data_uri(base) or _NO_PATH.search(reference):
        return ""
    if _NO_SCHEME.fullmatch(reference):
        return f"https:{reference}"
    is_file = not reference.startswith("/") and media_types.of_uri(reference) and not _HOST.match(reference)
    if not is_file and not _ROOTED.fullmatch(reference):
        return ""
    if base.startswith(("http://", "https://")):
        return urljoin(base, reference)
    content = _CONTENT.match(base)
    if content is None:
        return ""
    return content[1] + urljoin("http" + base[content.end() :], reference).removeprefix("http")
