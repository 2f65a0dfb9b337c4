"""An SVG becomes a picture of what is in the document itself; nothing of it runs, and nothing outside is looked at."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from media.decoding import BadImageError
from media.renditions import render
from media.svg import cleaned
from tests.images.inputs import svg
from tests.images.svgs import RED_PNG, centre, drawn


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 24 24"', (1024, 1024)),
        ('viewBox="0 0 24 24" width="12" height="6"', (1024, 512)),
        ('viewBox="0,0,10,20" width="100%"', (512, 1024)),
        ('viewBox="0 0 10 20" width="10mm"', (512, 1024)),
        ('viewBox="0 0 10 20" height="4in"', (512, 1024)),
        ('width="50" height="100"', (512, 1024)),
        ('width="1in" height="96px"', (1024, 1024)),
        ('width="1e9" height="1e9"', (1024, 1024)),
        ('width="2048000" height="2000"', (1024, 1)),
        ('viewBox="0 0 0 0"', (1024, 512)),  # as if it were not there (SVG 2, section 8.2), so 300 x 150
        ("", (1024, 512)),
    ],
)
def test_the_longer_side_is_drawn_at_1024_pixels(attributes: str, size: tuple[int, int]) -> None:
    ground = '<rect width="100%" height="100%"/>'
    image = render(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{ground}</svg>'.encode())
    assert (image.width, image.height) == size
    assert image.media_type == "image/svg+xml"
    assert image.original.name.endswith(".png")
    assert image.original.data.startswith(b"\x89PNG")


def test_a_drawing_fills_the_picture_however_small_it_says_it_is() -> None:
    head = b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">'
    image = drawn(svg('<rect width="10" height="10" fill="#00f"/>', head=head))
    assert image.getcolors() == [(1024 * 1024, (0, 0, 255, 255))]


def test_an_image_within_the_document_is_drawn() -> None:
    data = base64.b64encode(RED_PNG).decode()
    for name in ("href", "xlink:href"):
        element = f'<image width="100" height="100" {name}="data:image/png;base64,{data}"/>'
        assert centre(svg(element)) == (255, 0, 0, 255)


@pytest.mark.parametrize("element", ["image", "feImage"])
def test_a_file_of_this_machine_is_not_drawn(tmp_path: Path, element: str) -> None:
    """Nor one within a document that the document shows."""
    file = tmp_path / "red.png"
    file.write_bytes(RED_PNG)
    for target in (file, f"file://{file}", f"../../../../../../../..{file}", f" {file}"):
        inner = f'<{element} width="100" height="100" href="{target}"/>'
        if element == "feImage":
            inner = f'<filter id="f">{inner}</filter><rect width="100" height="100" filter="url(#f)"/>'
        nested = base64.b64encode(svg(inner)).decode()
        outer = f'<image width="100" height="100" href="data:image/svg+xml;base64,{nested}"/>'
        for each in (inner, outer):
            with pytest.raises(BadImageError, match="elsewhere"):
                render(svg(each))


@pytest.mark.parametrize(
    "uri",
    ["data:image/svg+xml;base64,{base64}", "data:image/svg+xml,{quoted}", "data:image/svg+xml;utf8,{quoted}"],
)
def test_a_document_within_the_document_is_cleaned_and_drawn(uri: str) -> None:
    """Its text too, though its font is not here."""
    inner = svg(
        '<a href="https://a.example"><text y="99" font-size="100" font-family="Nowhere">MM</text></a>'
    )
    shown = uri.format(base64=base64.b64encode(inner).decode(), quoted=quote(inner))
    outer = svg(f'<image width="100" height="100" href="{shown}"/>')
    assert drawn(outer).getchannel("A").getbbox() is not None
    again = re.search('href="data:image/svg.xml;base64,([^"]+)"', cleaned(outer))
    assert again is not None
    assert b"a.example" not in base64.b64decode(again[1])


def test_what_refers_to_the_outside_or_runs_is_not_in_the_cleaned_text() -> None:
    text = cleaned(
        b'<?xml version="1.0"?><?xml-stylesheet href="https://a.example/a.css"?><!-- https://a.example -->'
        + svg(
            "<script>alert(1)</script>",
            '<a href="https://a.example" onclick="alert(1)"><rect width="9"/></a>',
            '<use href="https://a.example/b.svg#c"/><image href="//a.example/d.png"/>',
            '<image href="data:text/html,https://a.example"/>',
            '<foreignObject><iframe src="https://a.example"/></foreignObject>',
        )
    )
    assert "a.example" not in text
    assert "alert" not in text
    assert '<rect width="9">' in text


def test_references_within_the_document_stay() -> None:
    body = ('<defs><rect id="a" width="100" height="100" fill="red"/></defs>', '<use xlink:href="#a"/>')
    assert centre(svg(*body)) == (255, 0, 0, 255)


def test_text_is_escaped_as_it_was() -> None:
    assert "<text>a &lt; b &amp; c</text>" in cleaned(svg("<text>a &lt; b &amp; <![CDATA[c]]></text>"))


@pytest.mark.parametrize(
    "family", ["serif", "sans-serif", "monospace", "Press Start 2P", "'Comic Sans MS', cursive"]
)
@pytest.mark.parametrize(
    "text",
    [
        '<text y="60" font-size="40" font-family="{}">Aa</text>',
        '<text y="60" style="font-size: 40px; font-family: {}; fill: red">Aa</text>',
        '<style>.base {{ font-size: 40px; font-family: {} }}</style><text y="60" class="base">Aa</text>',
    ],
)
def test_text_is_drawn_though_its_font_is_not_here(family: str, text: str) -> None:
    assert drawn(svg(text.format(family))).getchannel("A").getbbox() is not None


def test_a_font_that_is_inherited_stays_so() -> None:
    text = cleaned(svg('<g font-family="a"><text font-family="inherit" style="font:inherit">Aa</text></g>'))
    assert '<text font-family="inherit" style="font:inherit">' in text


def test_text_that_names_no_font_is_drawn() -> None:
    assert drawn(svg('<text y="60" font-size="40">Aa</text>')).getchannel("A").getbbox() is not None


def test_a_document_that_forgets_its_namespace_is_drawn() -> None:
    assert centre(svg('<rect width="9" height="9" fill="red"/>', head=b'<svg viewBox="0 0 9 9">')) == (
        255,
        0,
        0,
        255,
    )
