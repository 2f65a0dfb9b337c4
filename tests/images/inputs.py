"""Made files of strangers: good ones of each type, and such that want to hurt. Nothing is read from disk."""

from __future__ import annotations

import base64
import gzip
import io
import random
import struct
import zlib
from statistics import NormalDist
from typing import Any

from PIL import Image, ImageFilter

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">'


def noise(size: tuple[int, int], spread: float, seed: int = 1) -> Image.Image:
    """Grey noise, the same each time: what Pillow draws itself depends on what was drawn before.

    Each byte that is drawn is the value below which so many of 256 values of a normal distribution lie.
    """
    normal = NormalDist(128, spread)
    values = bytes(min(max(round(normal.inv_cdf((drawn + 0.5) / 256)), 0), 255) for drawn in range(256))
    width, height = size
    return Image.frombytes("L", size, random.Random(seed).randbytes(width * height).translate(values))


def picture(width: int = 300, height: int = 200) -> Image.Image:
    """A picture that does not compress to nothing."""
    return noise((width, height), 60).filter(ImageFilter.GaussianBlur(2)).convert("RGB")


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    """The bytes of a picture in a format of Pillow's."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def animated(kind: str) -> bytes:
    """Three frames: red, green, blue."""
    frames = [Image.new("RGB", (300, 300), colour) for colour in ("red", "lime", "blue")]
    return encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)


def turned(kind: str) -> bytes:
    """A picture of 300 x 200 that is to be seen as 200 x 300."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return encoded(picture(), kind, exif=exif)


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG (PNG specification, section 5.3)."""
    return struct.pack("!I", len(data)) + name + data + struct.pack("!I", zlib.crc32(name + data))


def png(
    width: int, height: int, rows: bytes, depth: int = 8, interlaced: bool = False, more: bytes = b""
) -> bytes:
    """A grey PNG of these filtered rows; `more` are chunks before the pixels."""
    head = struct.pack("!2I5B", width, height, depth, 0, 0, 0, interlaced)
    body = chunk(b"IHDR", head) + more + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def interlaced_png(side: int = 32) -> bytes:
    """Adam7 (PNG specification, section 8): a ramp of grey from the left to the right."""
    passes = [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]
    rows = b"".join(
        b"\0" + bytes(x * 8 for x in range(left, side, right))
        for left, top, right, down in passes
        for _ in range(top, side, down)
    )
    return png(side, side, rows, interlaced=True)


def bomb(width: int, height: int) -> bytes:
    """A black PNG of one bit a pixel: some thousandths of a byte a pixel."""
    return png(width, height, bytes((1 + (width + 7) // 8) * height), depth=1)


def claims(width: int, height: int) -> bytes:
    """A PNG that says it is so large and has pixels for 8 x 8."""
    return png(width, height, bytes(9 * 8))


def frames_of_gif(count: int, size: tuple[int, int] = (1, 1)) -> bytes:
    """A GIF of so many frames of one pixel each."""
    frame = (
        b"\x21\xf9\x04\x00\x00\x00\x00\x00"
        + b"\x2c"
        + struct.pack("<4HB", 0, 0, 1, 1, 0)
        + b"\x02\x02\x44\x01\x00"
    )
    head = b"GIF89a" + struct.pack("<2H", *size) + b"\x80\x00\x00" + b"\xff\x00\x00\x00\x00\xff"
    return head + frame * count + b"\x3b"


def polyglot() -> bytes:
    """A GIF that is a script too: its width is written as the beginning of a comment."""
    return frames_of_gif(1, (0x2A2F, 1)) + b"*/=1;alert(document.domain)"


def wrong_crc(data: bytes, name: bytes) -> bytes:
    """A PNG with a checksum that does not fit its chunk of this name."""
    start = data.index(name)
    end = start + 4 + int.from_bytes(data[start - 4 : start])
    return data[:end] + bytes([data[end] ^ 1]) + data[end + 1 :]


def metadata_jpeg(mebibytes: int) -> bytes:
    """A JPEG with so much in its application segments."""
    data = encoded(picture(), "JPEG")
    segment = b"\xff\xeb\xff\xff" + bytes(0xFFFD)
    return data[:2] + segment * (mebibytes * 16) + data[2:]


def svg(*parts: str, head: bytes = SVG) -> bytes:
    """An SVG with this content."""
    return head + "".join(parts).encode() + b"</svg>"


def drawn_within(document: bytes) -> str:
    """An SVG's element that shows another SVG."""
    return f'<image width="100" height="100" href="data:image/svg+xml;base64,{base64.b64encode(document).decode()}"/>'


def uses(levels: int) -> str:
    """Each level refers ten times to the one before."""
    use = '<use xlink:href="#a{}"/>'
    groups = "".join(f'<g id="a{level}">{use.format(level - 1) * 10}</g>' for level in range(1, levels + 1))
    return f'<defs><rect id="a0" width="1" height="1"/>{groups}</defs>{use.format(levels)}'


def gzipped(data: bytes) -> bytes:
    """The bytes as gzip, the same each time."""
    return gzip.compress(data, mtime=0)


def box(name: bytes, *brands: bytes) -> bytes:
    """The first box of an ISO media file, with its brands and some bytes after it."""
    content = brands[0] + bytes(4) + b"".join(brands[1:])
    return struct.pack("!I", 8 + len(content)) + name + content + bytes(64)


def ogg(packet: bytes) -> bytes:
    """The first page of an Ogg stream."""
    return b"OggS\x00\x02" + bytes(20) + b"\x01" + bytes([len(packet)]) + packet
