"""What kind of media something is, where it is beyond doubt: by its URI, a stated type, or its first bytes. Pure."""

from __future__ import annotations

import re
from typing import Any

BY_EXTENSION = {
    "png": "image/png",
    "apng": "image/apng",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "heic": "image/heic",
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
_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/wav"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftyphei", "image/heic"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"glTF", "model/gltf-binary"),
    (0, b"%PDF-", "application/pdf"),
)
_MARKUP_BYTES = 4096


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


def of_bytes(body: bytes) -> str:
    """Return the media type that the first bytes prove; empty for none, as for every text but SVG."""
    for offset, signature, media_type in _SIGNATURES:
        if body.startswith(signature, offset):
            return media_type
    start = body[:_MARKUP_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    is_svg = start.startswith(b"<svg") or (
        start.startswith((b"<?xml", b"<!--", b"<!doctype svg")) and b"<svg" in start
    )
    return "image/svg+xml" if is_svg else ""


def _by_extension(name: str) -> str:
    found = _EXTENSION.search(name[-6:].lower())
    return BY_EXTENSION.get(found[1], "") if found else ""
