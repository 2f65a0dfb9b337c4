"""The media type of bytes, from the bytes alone: never from a name, a header or what somebody claims.

After WHATWG's "MIME Sniffing" standard (sections 6.1, 6.2 and 7.1) with what it leaves out and NFTs have: SVG, AVIF,
HEIC, glTF, FLAC. Bytes that could be of two types are of the one that their beginning says, and what begins as JSON
does is text, whatever stands in its strings.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable

UNKNOWN = ""
SVG = "image/svg+xml"

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
    *((b"ID3" + bytes([version]), "audio/mpeg") for version in (2, 3, 4)),
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
_EBML = {b"webm": "video/webm", b"matroska": "video/x-matroska"}
_DOC_TYPE = re.compile(rb"\x42\x82(?:[\x80-\xff]|\x40.|\x01.{7})(webm|matroska)", re.DOTALL)
"""The element `DocType` (RFC 8794, section 11.2.6): its id, its size in one, two or eight bytes, and what it says."""
_QUICKTIME_ATOMS = (b"moov", b"mdat", b"wide", b"pnot")
"""First atoms of QuickTime files that were written before there was `ftyp`."""
_MAX_ATOM = 0x0900_0000
"""Size of such an atom at most: greater ones are text where a size stands."""
_PICTURES = {
    **dict.fromkeys((b"avif", b"avis"), "image/avif"),
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"), "image/heic"),
    **dict.fromkeys((b"mif1", b"mif2", b"msf1", b"miaf"), "image/heif"),
}
"""Media type by brand (ISO 23008-12, annexes B and C; AV1 Image File Format, section 6); HEIF alone tells no codec."""
_OTHER_BRANDS = {
    b"qt  ": "video/quicktime",
    **dict.fromkeys((b"M4A ", b"M4B ", b"M4P ", b"F4A ", b"F4B "), "audio/mp4"),
}
_VIDEO_BRANDS = (
    b"iso",
    b"mp4",
    b"avc1",
    b"M4V",
    b"f4v",
    b"F4V",
    b"3g",
    b"dash",
    b"cmf",
    b"MSNV",
    b"XAVC",
    b"mmp4",
)
"""Beginnings of brands that are a video's when no other one is there."""
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
_JSON_START = re.compile(rb"(?:\xef\xbb\xbf|[ \t\r\n])*[\[{\"]|(?:\0[ \t\r\n])*\0[\[{\"]")
"""How objects, lists and strings begin, in UTF-8, in UTF-16 or UTF-32 with the low byte first, or in UTF-16 with the
high one first. Of UTF-32 so and of what has a byte order mark no signature is the beginning."""
_JSON_OBJECT = re.compile(r'\{\s*+"[^"\\]*+"\s*+:')
_ASSET = re.compile(r'"asset"\s*+:\s*+\{[^{}]*?"version"\s*+:')
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text has: WHATWG's "binary data bytes" (section 3)."""


def media_type_of(data: bytes) -> str:
    """Return the media type of a file's bytes, in lower case and without parameters; "" when nothing tells.

    Of damaged files it is what their beginning promises. ``image/svg+xml`` also if it is compressed (SVGZ).
    """
    if begins_as_json(data):
        return _text(data)
    for signature, media_type in _SIGNATURES:
        if data.startswith(signature):
            return media_type
    for look in _LOOKS:
        if media_type := look(data):
            return media_type
    return UNKNOWN


def begins_as_json(data: bytes) -> bool:
    """Tell whether a JSON object, list or string (RFC 8259) can begin so; no image, sound, video or model does."""
    return _JSON_START.match(data) is not None


def _riff(data: bytes) -> str:
    return _RIFF.get(data[8:12], UNKNOWN) if data[:4] == b"RIFF" else UNKNOWN


def _bmp(data: bytes) -> str:
    is_bmp = data[:2] == b"BM" and int.from_bytes(data[14:18], "little") in _BMP_HEADERS
    return "image/bmp" if is_bmp else UNKNOWN


def _boxes(data: bytes) -> str:
    """ISO 14496-12: the brands of the file's first box."""
    size = int.from_bytes(data[:4])
    if data[4:8] in _QUICKTIME_ATOMS and size < _MAX_ATOM:
        return "video/quicktime"
    if data[4:8] != b"ftyp" or not 16 <= size < 2**16:
        return UNKNOWN
    compatible = [data[start : start + 4] for start in range(16, min(size, 256) - 3, 4)]
    return _of_brands(data[8:12], compatible)


def _of_brands(major: bytes, compatible: list[bytes]) -> str:
    """The type by the brands: a picture is never called a video, whatever else it says that it is."""
    pictures = [_PICTURES[brand] for brand in (major, *compatible) if brand in _PICTURES]
    if pictures:
        return next((media_type for media_type in pictures if media_type != "image/heif"), "image/heif")
    if major in _OTHER_BRANDS:
        return _OTHER_BRANDS[major]
    return "video/mp4" if any(brand.startswith(_VIDEO_BRANDS) for brand in (major, *compatible)) else UNKNOWN


def _matroska(data: bytes) -> str:
    if data[:4] != b"\x1a\x45\xdf\xa3":
        return UNKNOWN
    found = _DOC_TYPE.search(data[4:64])
    return _EBML[found[1]] if found else UNKNOWN


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
    return SVG if _markup(head) == SVG else "application/gzip"


def _markup(data: bytes) -> str:
    text = _decoded(data[:MARKUP_BYTES])
    position, comments = 0, 0
    while found := _PROLOGUE.match(text, position):
        position = found.end()
        comments += found["comment"] is not None
    if _SVG.match(text, position):
        return SVG
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
