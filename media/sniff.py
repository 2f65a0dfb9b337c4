"""The media type of bytes, from the bytes alone: never from a name, a header or what somebody claims.

After WHATWG's "MIME Sniffing" standard (sections 6.1, 6.2 and 7.1) with what it leaves out and NFTs have: SVG, AVIF,
HEIC, glTF, FLAC. Bytes that could be of two types are of the one that their beginning says.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable

UNKNOWN = ""

MARKUP_BYTES = 64 * 1024
"""How far the root element of markup is looked for, past comments and a document type."""
JSON_BYTES = 256 * 1024
"""Up to so many bytes are read as JSON, to tell glTF by its ``asset``; parsed, they can take thirty times as much
memory. Of longer documents only so many are looked at, as text."""

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),  # an animated PNG too: it is one to whoever plays it
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (b"\xff\x0a", "image/jxl"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"MThd\x00\x00\x00\x06", "audio/midi"),
    (b"glTF\x01\x00\x00\x00", "model/gltf-binary"),
    (b"glTF\x02\x00\x00\x00", "model/gltf-binary"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_OGG = (
    (b"\x01vorbis", "audio/ogg"),
    (b"OpusHead", "audio/ogg"),
    (b"\x7fFLAC", "audio/ogg"),
    (b"Speex   ", "audio/ogg"),
    (b"\x80theora", "video/ogg"),
    (b"fishead\x00", "video/ogg"),  # the skeleton of a stream with several tracks
)
_QUICKTIME_ATOMS = (b"moov", b"mdat", b"wide", b"pnot")
"""First atoms of QuickTime files that were written before there was `ftyp`."""
_BMP_HEADERS = (12, 16, 40, 52, 56, 64, 108, 124)
"""Sizes of the header after a BMP's first 14 bytes: "BM" alone begins many texts."""

# Hostile bytes are matched here in the worker itself: a repetition gives nothing back (*+, ++) where giving back could
# have it look at the same characters again and again.
_HTML = re.compile(
    r"<(?:!doctype\s++html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>/]",
    re.IGNORECASE,
)
_SVG = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?svg[\s>/]")
_PROLOGUE = re.compile(
    r"\s++|<\?.*?\?>|(?P<comment><!--.*?-->)|<!DOCTYPE\s++(?!html[\s>])[^\[>]*+(?:\[.*?\]\s*+)?>", re.DOTALL
)
"""What may stand before the root of an XML document; an internal subset ends at its bracket."""
_JSON_OBJECT = re.compile(r'\{\s*+"[^"\\]*+"\s*+:')
_ASSET = re.compile(r'"asset"\s*+:\s*+\{[^{}]*?"version"\s*+:')
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text has: WHATWG's "binary data bytes" (section 3)."""


def media_type_of(data: bytes) -> str:
    """Return the media type of a file's bytes, in lower case and without parameters; "" when nothing tells.

    Of damaged files it is what their beginning promises. ``image/svg+xml`` also if it is compressed (SVGZ).
    """
    for signature, media_type in _SIGNATURES:
        if data.startswith(signature):
            return media_type
    for look in _LOOKS:
        if media_type := look(data):
            return media_type
    return UNKNOWN


def _riff(data: bytes) -> str:
    return _RIFF.get(data[8:12], UNKNOWN) if data[:4] == b"RIFF" else UNKNOWN


def _bmp(data: bytes) -> str:
    is_bmp = data[:2] == b"BM" and int.from_bytes(data[14:18], "little") in _BMP_HEADERS
    return "image/bmp" if is_bmp else UNKNOWN


def _boxes(data: bytes) -> str:
    """ISO 14496-12: the brands of the file's first box."""
    if data[4:8] in _QUICKTIME_ATOMS:
        return "video/quicktime"
    if data[4:8] != b"ftyp":
        return UNKNOWN
    end = min(int.from_bytes(data[:4]), 256)
    brands = [data[8:12], *(data[start : start + 4] for start in range(16, end - 3, 4))]
    if brands[0] in (b"avif", b"avis") or (brands[0] in (b"mif1", b"msf1") and b"avif" in brands):
        return "image/avif"
    if brands[0] in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"):
        return "image/heic"
    if brands[0] == b"qt  ":
        return "video/quicktime"
    return "audio/mp4" if brands[0] in (b"M4A ", b"M4B ", b"M4P ") else "video/mp4"


def _matroska(data: bytes) -> str:
    if data[:4] != b"\x1a\x45\xdf\xa3":
        return UNKNOWN
    return "video/webm" if b"webm" in data[:64] else "video/x-matroska"


def _ogg(data: bytes) -> str:
    if data[:4] != b"OggS" or len(data) < 27:
        return UNKNOWN
    packet = data[27 + data[26] :][:8]  # RFC 3533, section 6: a table of segments, then the first packet
    return next((kind for start, kind in _OGG if packet.startswith(start)), "application/ogg")


def _mpeg_audio(data: bytes) -> str:
    """ISO 11172-3: a frame's header, of layer III only, so that a byte order mark is none; or ADTS."""
    if len(data) < 4 or data[0] != 0xFF or data[1] & 0xE0 != 0xE0:
        return UNKNOWN
    version, layer = data[1] >> 3 & 3, data[1] >> 1 & 3
    if version == 1 or data[2] >> 2 & 3 == 3:
        return UNKNOWN
    if layer == 1 and data[2] >> 4 not in (0, 15):
        return "audio/mpeg"
    return "audio/aac" if data[1] & 0xF6 == 0xF0 else UNKNOWN


def _gzip(data: bytes) -> str:
    if data[:3] != b"\x1f\x8b\x08":
        return UNKNOWN
    try:
        head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data[:MARKUP_BYTES], MARKUP_BYTES)
    except zlib.error:
        return "application/gzip"
    return "image/svg+xml" if _markup(head) == "image/svg+xml" else "application/gzip"


def _markup(data: bytes) -> str:
    text = _decoded(data[:MARKUP_BYTES])
    position, comments = 0, 0
    while found := _PROLOGUE.match(text, position):
        position = found.end()
        comments += found["comment"] is not None
    if _SVG.match(text, position):
        return "image/svg+xml"
    if _HTML.match(text, position):
        return "text/html"
    if text.lstrip().startswith("<?xml"):
        return "text/xml"
    return "text/html" if comments else UNKNOWN  # section 7.1: a comment begins HTML


def _text(data: bytes) -> str:
    if not data or _BINARY.search(data[:1445]):  # the length of WHATWG's resource header
        return "text/plain" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else UNKNOWN
    if len(data) > JSON_BYTES:
        return _long_text(_decoded(data[:JSON_BYTES]).lstrip())
    if _decoded(data[:64]).lstrip()[:1] not in ("{", "["):
        return "text/plain"
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return "text/plain"
    asset = document.get("asset") if isinstance(document, dict) else None
    return "model/gltf+json" if isinstance(asset, dict) and "version" in asset else "application/json"


def _long_text(head: str) -> str:
    """The type that the beginning of a text promises: glTF has its buffers within it and is often long."""
    if not _JSON_OBJECT.match(head):
        return "text/plain"
    return "model/gltf+json" if _ASSET.search(head) else "application/json"


def _decoded(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


_LOOKS: tuple[Callable[[bytes], str], ...] = (
    *(_riff, _bmp, _boxes, _matroska, _ogg, _mpeg_audio, _gzip),
    *(_markup, _text),
)
