"""Files that lack their last bytes and hold all the same what browsers show: completed, so that decoders take them."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator

from PIL import Image, ImageChops

MISSING = 0.02
"""The part of a picture that may be missing at most: two rows of a hundred."""

_PNG_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples of a pixel by the colour type of a PNG."""
_STRAIGHT = 0
"""The interlace method of a PNG whose rows stand one after the other."""


def completed(data: bytes, media_type: str) -> bytes | None:
    """Return a file with the end that it lacks; ``None`` if more than ``MISSING`` of its picture lies beyond it, or
    if it is not its end that is missing."""
    found = _COMPLETED.get(media_type)
    try:
        return None if found is None else found(data)
    except (struct.error, IndexError, OSError, ValueError, SyntaxError, zlib.error):
        return None


def png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield name, start and end of each chunk of a PNG, with length and checksum; the last one may be cut off."""
    place = 8
    while place + 8 <= len(data):
        length = int.from_bytes(data[place : place + 4])
        yield data[place + 4 : place + 8], place, place + 12 + length
        place += 12 + length


def _png(data: bytes) -> bytes | None:
    chunks = list(png_chunks(data))
    if not chunks or any(name == b"IEND" for name, _, _ in chunks):
        return None
    pixels = [data[start + 8 : min(end - 4, len(data))] for name, start, end in chunks if name == b"IDAT"]
    if not pixels or not _has_rows(data, pixels):
        return None
    done = data[: chunks[-1][2]]
    name, start, end = chunks[-1]
    if end > len(data):
        done = data[:start]
        if name == b"IDAT":
            done += struct.pack("!I", len(pixels[-1])) + name + pixels[-1]
            done += struct.pack("!I", zlib.crc32(name + pixels[-1]))
    return done + _PNG_END


def _has_rows(data: bytes, pixels: list[bytes]) -> bool:
    """Tell whether what is compressed holds nearly all rows of a PNG. Unpacks no more than a strip at a time."""
    width, height, depth, colour, _, _, interlace = struct.unpack_from("!2I5B", data, 16)
    expected: int = height * (1 + (width * depth * _CHANNELS[colour] + 7) // 8)
    wanted: float = expected * (1 - MISSING if interlace == _STRAIGHT else 1.0)
    unpacker, count = zlib.decompressobj(), 0
    for part in pixels:
        count += len(unpacker.decompress(part, 2**20))
        while unpacker.unconsumed_tail and count < wanted:
            count += len(unpacker.decompress(unpacker.unconsumed_tail, 2**20))
    return count >= wanted


def _jpeg(data: bytes) -> bytes | None:
    """Told by what would come of other ends: the pixels that differ are those that the file does not tell."""
    data = data.rstrip(b"\xff")  # half of a marker
    ended = data + _JPEG_END
    if (scan := _last_scan(data)) is None:
        return None
    if scan != _WHOLE_SCAN:  # progressive: all of the picture is there, if its last scan has begun
        return ended if scan[0] > 0 and scan[2] & 15 == 0 else None
    one, other = (_small(data + filling + _JPEG_END) for filling in (b"", _filling(data)))
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 8 else 0)
    missing = difference.histogram()[255] / (one.width * one.height)
    return ended if missing <= MISSING else None


def _filling(data: bytes) -> bytes:
    """Return what the rest of a scan might be: where it has restart markers (ITU-T T.81, section E.1.4), with those
    that would come next, since up to each the decoder skips what is too much."""
    scan = data.rfind(b"\xff\xda")
    told = data.rfind(b"\xff\xdd\x00\x04", 0, scan)
    if told < 0 or not (between := int.from_bytes(data[told + 4 : told + 6])):
        return b"\x55" * 65_536
    part = b"\x55" * (between * _BLOCKS)
    last = max(data.rfind(bytes([0xFF, 0xD0 + number]), scan) for number in range(8))
    start = data[last + 1] - 0xD0 + 1 if last >= 0 else 0
    count = max(1, min(4_096, 2**22 // len(part)))
    return b"".join(part + bytes([0xFF, 0xD0 + (start + number) % 8]) for number in range(count))


_BLOCKS = 256
"""Bytes of such a filling that hold the blocks between which no restart marker can be: six, of 63 short codes each."""
_JPEG_END = b"\xff\xd9" * 64
"""The marker of the end, often: the decoder asks for some bytes ahead."""
_WHOLE_SCAN = (0, 63, 0)
"""Spectral selection and approximation of a scan that has all (ITU-T T.81, section B.2.3)."""


def _last_scan(data: bytes) -> tuple[int, int, int] | None:
    start = data.rfind(b"\xff\xda")
    if start < 0 or data.endswith(b"\xff\xd9"):
        return None
    end = start + 2 + int.from_bytes(data[start + 2 : start + 4])
    return (data[end - 3], data[end - 2], data[end - 1]) if end <= len(data) else None


def _small(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data), formats=["JPEG"])
    image.draft("RGB", (max(1, image.width // 8), max(1, image.height // 8)))
    return image.convert("RGB")


def _webp(data: bytes) -> bytes | None:
    return _filled(data, 8 + int.from_bytes(data[4:8], "little"))


def _bmp(data: bytes) -> bytes | None:
    start, header = struct.unpack_from("<2I", data, 10)
    if header < 40:
        return None
    width, height, _, depth, compression = struct.unpack_from("<2i2HI", data, 18)
    if compression not in (0, 3):
        return None
    return _filled(data, start + abs(height) * ((width * depth + 31) // 32 * 4))


def _filled(data: bytes, size: int) -> bytes | None:
    missing = size - len(data)
    return data + bytes(missing) if 0 < missing <= size * MISSING else None


def _gif(data: bytes) -> bytes | None:
    return None if data.endswith(b";") else data + b"\x00;"


_COMPLETED: dict[str, Callable[[bytes], bytes | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/webp": _webp,
    "image/bmp": _bmp,
    "image/gif": _gif,
}
