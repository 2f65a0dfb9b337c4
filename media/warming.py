"""A document that has each part of drawing do its work once, before the process that draws may open no more files."""

from __future__ import annotations

import io
from base64 import b64encode

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image

from media.sniff import SVG

_EMBEDDED = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO", "TIFF", "AVIF")


def document() -> bytes:
    """Return an SVG with style, transforms, animations, pictures of each format, and fonts of each packing."""
    image = '<image width="9" height="9" href="{}"/>'
    pictures = "".join(image.format(_uri(f"image/{kind}", _picture(kind))) for kind in _EMBEDDED)
    inner = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="5" height="5"/></svg>'
    pictures += image.format(_uri(SVG, inner.encode()))
    faces = "".join(
        f"@font-face {{ font-family: F{flavor}; src: url({_uri('font', font(flavor))}) }}"
        for flavor in ("", "woff", "woff2")
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" style="background: hsl(1 2% 3% / 1)"><style>{faces}
        :root {{ --a: calc(1px + 2px) }} g > *:nth-child(1) {{ transform: rotate(calc(1deg * 2)) }}
        @keyframes k {{ from {{ opacity: 50% }} }} @media screen {{ rect {{ animation: k 1s; width: var(--a) }} }}
        </style><g><rect style="transform: scaleX(2); transform-box: fill-box"><animate attributeName="x" from="1"/>
        <animateMotion path="M1 2l3 4" rotate="auto"/></rect></g><path d="m1 2a3 3 0 0 1 4 4" pathLength="1"
        stroke-dasharray=".1"/><foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml"
        src="{_uri("image/png", _picture("PNG"))}"/></foreignObject>{pictures}
        <text y="9" font-family="F">text</text></svg>""".encode()


def _uri(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def _picture(kind: str) -> bytes:
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # which has it encoded again
    Image.new("RGB", (8, 8), "red").save(file, kind, exif=exif)
    return file.getvalue()


def font(flavor: str) -> bytes:
    """Return a font of two glyphs, packed as fonts of the web are: "woff", "woff2", or "" for not at all."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "t"])
    builder.setupCharacterMap({ord("t"): "t"})
    pen = TTGlyphPen(None)
    for move, point in ((pen.moveTo, (0, 0)), (pen.lineTo, (0, 500)), (pen.lineTo, (500, 0))):
        move(point)
    pen.closePath()
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "t": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (600, 0), "t": (600, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Warm", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.font.flavor = flavor or None
    file = io.BytesIO()
    builder.font.save(file)
    return file.getvalue()
