"""What kind of media something is, where it is beyond doubt: by its URI, a stated type, or its first bytes. Pure."""

from __future__ import annotations

import re
from typing import Any

from core.net.http.data_uris import decode_data_uri
from core.net.http.uri_errors import BadUriError
from media.sniff import media_type_of

BY_EXTENSION = {
    "png": "image/png",
    "apng": "image/apng",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "heic": "image/heic",
    "heif": "image/heif",
    "bmp": "image/bmp",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "svg": "image/svg+xml",
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "webm": "video/webm",
    "mov": "video/quicktime",
    "ogv": "video/ogg",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "flac": "audio/flac",
    "m4a": "audio/mp4",
    "aac": "audio/aac",
    "oga": "audio/ogg",
    "glb": "model/gltf-binary",
    "gltf": "model/gltf+json",
    "html": "text/html",
    "htm": "text/html",
    "pdf": "application/pdf",
}
"""Media type (RFC 6838) by file name extension, of those that stand for one thing."""

_OTHER_NAMES = {
    "image/jpg": "image/jpeg",
    "image/svg": "image/svg+xml",
    "audio/mp3": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
}
_PLAYABLE = ("image/", "video/", "audio/", "model/")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]*", re.ASCII)
_EXTENSION = re.compile(r"\.([a-z0-9]{2,5})$", re.ASCII)
_BARE_FILE = re.compile(r"(?:filename=)?[^=&/]+", re.ASCII)


def stated(value: Any) -> str:
    """Return the media type that a stated one means, also by an extension alone (``PNG``); empty for none.

    What may be anything (``application/octet-stream``) or is no media (``application/json``) says nothing.
    """
    if not isinstance(value, str):
        return ""
    name = value[:200].partition(";")[0].strip().lower()
    name = BY_EXTENSION.get(name.lstrip("."), name)
    name = _OTHER_NAMES.get(name, name)
    return name if _MEDIA_TYPE.fullmatch(name) and is_media(name) else ""


def is_image(media_type: str) -> bool:
    """Whether a media type is an image's."""
    return media_type.startswith("image/")


def is_media(media_type: str) -> bool:
    """Whether a media type is of something to be looked at or listened to."""
    return media_type.startswith(_PLAYABLE) or media_type in ("text/html", "application/pdf")


def of_uri(uri: str) -> str:
    """Return the media type that a URI itself tells: that of ``data:`` (RFC 2397), or by an extension; else empty."""
    scheme, colon, rest = uri.partition(":")
    if scheme.strip().lower() == "data":
        return stated(rest[:200].partition(",")[0])
    path, _, query = uri.partition("#")[0].partition("?")
    if colon and rest.startswith("//"):
        path = path.removeprefix(f"{scheme}://").partition("/")[2]  # a host's last label is no extension
    by_path = _by_extension(path)
    if not by_path and "." not in path.rpartition("/")[2] and _BARE_FILE.fullmatch(query):
        return _by_extension(query)  # https://host/ipfs/Qm…?clip.mp4
    return by_path


def of_data(uri: str) -> str:
    """Return the media type of a ``data:`` URI: the stated one, else by its bytes; empty where neither tells.

    A picture may be called a text or a page.
    """
    claimed = of_uri(uri)
    if claimed and claimed != "text/html" and not claimed.endswith("/*"):
        return claimed
    try:
        return of_bytes(decode_data_uri(uri).body) or claimed
    except BadUriError:
        return claimed


def of_bytes(body: bytes) -> str:
    """Return the media type that the first bytes of a medium prove; empty for none, as for every text but SVG.

    A web page is none here, nor is glTF that is JSON: metadata can have the members by which it is told.
    """
    found = media_type_of(body)
    return found if is_media(found) and found not in ("text/html", "model/gltf+json") else ""


def _by_extension(name: str) -> str:
    found = _EXTENSION.search(name[-6:].lower())
    return BY_EXTENSION.get(found[1], "") if found else ""
