"""Files that are taken and files that are refused, with what is said of each, and the memory that vetting has."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache

from PIL import Image

from media.files import MAX_BYTES
from tests.images import inputs
from tests.images.inputs import SVG, encoded, picture, svg

MEMORY = 512 * 2**20
RECT = '<rect width="50" height="50" fill="red"/>'


@cache
def zeros(count: int) -> bytes:
    """So many zeros, compressed a thousand times."""
    return zlib.compress(bytes(count), 9)


def half(data: bytes) -> bytes:
    """The first half of a file."""
    return data[: len(data) // 2]


TAKEN: dict[str, tuple[Callable[[], bytes], str]] = {
    "jpeg": (lambda: encoded(picture(), "JPEG"), "image/jpeg"),
    "progressive jpeg": (lambda: encoded(picture(), "JPEG", progressive=True), "image/jpeg"),
    "cmyk jpeg": (lambda: encoded(picture().convert("CMYK"), "JPEG"), "image/jpeg"),
    "turned jpeg": (lambda: inputs.turned("JPEG"), "image/jpeg"),
    "jpeg with 20 MiB of metadata": (lambda: inputs.metadata_jpeg(20), "image/jpeg"),
    "png": (lambda: encoded(picture(), "PNG"), "image/png"),
    "interlaced png": (inputs.interlaced_png, "image/png"),
    "png of 16 bits": (lambda: encoded(Image.new("I;16", (300, 200), 40000), "PNG"), "image/png"),
    "png with a palette": (lambda: encoded(picture().quantize(16), "PNG", transparency=0), "image/png"),
    "png of grey with alpha": (lambda: encoded(picture().convert("LA"), "PNG"), "image/png"),
    "animated png": (lambda: inputs.animated("PNG"), "image/png"),
    "turned png": (lambda: inputs.turned("PNG"), "image/png"),
    "png of 4000 x 1": (lambda: encoded(picture(4000, 1), "PNG"), "image/png"),
    "png of 1 x 4000": (lambda: encoded(picture(1, 4000), "PNG"), "image/png"),
    "png of 40 megapixels": (lambda: inputs.bomb(8000, 5000), "image/png"),
    "png with html after its end": (lambda: encoded(picture(), "PNG") + b"<script>1</script>", "image/png"),
    "png with 20 MiB of text": (
        lambda: inputs.png(8, 8, bytes(72), more=inputs.chunk(b"tEXt", b"a\0" + b"x" * 20 * 2**20)),
        "image/png",
    ),
    "gif": (lambda: encoded(picture(310, 210), "GIF"), "image/gif"),  # its smaller pictures are no other's
    "animated gif": (lambda: inputs.animated("GIF"), "image/gif"),
    "gif of 5,000 frames": (lambda: inputs.frames_of_gif(5000), "image/gif"),
    "gif that is a script too": (inputs.polyglot, "image/gif"),
    "webp": (lambda: encoded(picture(), "WEBP"), "image/webp"),
    "lossless webp": (lambda: encoded(picture(), "WEBP", lossless=True), "image/webp"),
    "animated webp": (lambda: inputs.animated("WEBP"), "image/webp"),
    "avif": (lambda: encoded(picture(), "AVIF"), "image/avif"),
    "animated avif": (lambda: inputs.animated("AVIF"), "image/avif"),
    "bmp": (lambda: encoded(picture(), "BMP"), "image/bmp"),
    "svg": (lambda: svg('<circle cx="50" cy="50" r="40" fill="red"/>'), "image/svg+xml"),
    "svgz": (lambda: inputs.gzipped(svg(RECT)), "image/svg+xml"),
    "svg in utf-16": (
        lambda: ('<?xml version="1.0"?>' + svg(RECT).decode()).encode("utf-16"),
        "image/svg+xml",
    ),
    "svg of a drawing program": (
        lambda: (
            b'<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>'
            + svg(RECT, head=b'<svg xmlns="&ns;">')
        ),
        "image/svg+xml",
    ),
    "svg of 10^9 pixels a side": (
        lambda: (
            b'<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"><rect width="100%" height="100%"/></svg>'
        ),
        "image/svg+xml",
    ),
    "svg with a script": (
        lambda: svg("<script>alert(1)</script>", '<rect onload="x()" width="9" height="9"/>'),
        "image/svg+xml",
    ),
    "svg that uses itself": (lambda: svg(RECT, '<use id="a" xlink:href="#a"/>'), "image/svg+xml"),
}
REFUSED: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "nothing": (lambda: b"", "", "empty"),
    "zero bytes": (lambda: bytes(4096), "", "no type that is known"),
    "html named .png": (lambda: b"<!doctype html><script>alert(1)</script>", "text/html", "text/html"),
    "half a jpeg": (lambda: half(encoded(picture(), "JPEG")), "image/jpeg", "cannot be decoded"),
    "half a png": (lambda: half(encoded(picture(), "PNG")), "image/png", "cannot be decoded"),
    "half a gif": (lambda: half(encoded(picture(), "GIF")), "image/gif", "cannot be decoded"),
    "half a webp": (lambda: half(encoded(picture(), "WEBP")), "image/webp", "is none|cannot be decoded"),
    "half an avif": (lambda: half(encoded(picture(), "AVIF")), "image/avif", "is none|cannot be decoded"),
    "half a bmp": (lambda: half(encoded(picture(), "BMP")), "image/bmp", "cannot be decoded"),
    "half an svg": (lambda: half(svg("<g>" * 50, "</g>" * 50)), "image/svg+xml", "no well-formed XML"),
    "a signature alone": (lambda: b"\x89PNG\r\n\x1a\n", "image/png", "is none|cannot be decoded"),
    "a wrong checksum of the head": (
        lambda: inputs.wrong_crc(encoded(picture(), "PNG"), b"IHDR"),
        "image/png",
        "is none|cannot be decoded",
    ),
    "a wrong checksum of the pixels": (
        lambda: inputs.wrong_crc(encoded(picture(), "PNG"), b"IDAT"),
        "image/png",
        "cannot be decoded",
    ),
    "20,000 x 20,000": (lambda: inputs.claims(20_000, 20_000), "image/png", "40 megapixels"),
    "a bomb of 41 megapixels": (lambda: inputs.bomb(8200, 5000), "image/png", "40 megapixels"),
    "a bomb of text": (
        lambda: inputs.png(8, 8, bytes(72), more=inputs.chunk(b"zTXt", b"a\0\0" + zeros(100 * 2**20))),
        "image/png",
        "cannot be decoded",
    ),
    "a bomb of colours": (
        lambda: inputs.png(8, 8, bytes(72), more=inputs.chunk(b"iCCP", b"a\0\0" + zeros(100 * 2**20))),
        "image/png",
        "cannot be decoded",
    ),
    "more than 50 MiB": (lambda: b"GIF89a" + bytes(MAX_BYTES), "image/gif", "50 MiB"),
    "tiff": (lambda: encoded(picture(), "TIFF"), "image/tiff", "image/tiff"),
    "svg with an image of another host": (
        lambda: svg(RECT, '<image href="https://tracker.example/1.png" width="9" height="9"/>'),
        "image/svg+xml",
        "elsewhere",
    ),
    "svg with a file": (
        lambda: svg(RECT, '<image xlink:href="/etc/logo.png"/>'),
        "image/svg+xml",
        "elsewhere",
    ),
    "svg of nothing": (svg, "image/svg+xml", "Nothing of it can be seen"),
    "svg 20,000 deep": (lambda: svg("<g>" * 20_000, "</g>" * 20_000), "image/svg+xml", "nested"),
    "svg 20,000 deep within another": (
        lambda: svg(inputs.drawn_within(svg("<g>" * 20_000, "</g>" * 20_000))),
        "image/svg+xml",
        "nested",
    ),
    "svg with 10^7 uses": (lambda: svg(inputs.uses(7)), "image/svg+xml", "cannot be drawn"),
    "svg with 150 layers": (
        lambda: svg('<g opacity=".9">' * 150, '<rect width="100" height="100"/>', "</g>" * 150),
        "image/svg+xml",
        "more memory",
    ),
    "svg with a file as entity": (
        lambda: b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + svg("<text>&a;</text>"),
        "image/svg+xml",
        "from outside",
    ),
    "svg with a billion laughs": (
        lambda: b'<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + svg("<text>&b;</text>"),
        "image/svg+xml",
        "by others",
    ),
    "svg with a long entity, often": (
        lambda: (
            b'<!DOCTYPE svg [<!ENTITY a "%s">]>' % (b"a" * 1000) + svg("<desc>", "&a;" * 100_000, "</desc>")
        ),
        "image/svg+xml",
        "16 MiB|well-formed",
    ),
    "svg of no size": (
        lambda: SVG.replace(b"viewBox", b'width="0" viewBox') + b"</svg>",
        "image/svg+xml",
        "no size",
    ),
    "svgz that unpacks to 100 MiB": (
        lambda: inputs.gzipped(SVG + b" " * 100 * 2**20 + b"</svg>"),
        "image/svg+xml",
        "16 MiB",
    ),
}
