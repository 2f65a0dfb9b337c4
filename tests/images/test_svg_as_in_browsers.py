"""What the drawing library does not know of SVG is written out before it draws, or the document is refused."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import pytest
from PIL import Image

from media.decoding import BadImageError
from media.renditions import render
from media.vetting import Vetter
from media.warming import font
from tests.images.inputs import drawn_within, encoded, svg
from tests.images.svgs import BLUE, CLEAR, RED, at, drawn

XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'


@pytest.fixture(scope="module")
def vetter() -> Iterator[Vetter]:
    """The process that draws: it may open no file, so that all must be there before."""
    with Vetter() as running:
        yield running


def shown(data: bytes, media_type: str) -> str:
    """An element that shows a picture, of a type that it says."""
    target = f"data:{media_type};base64,{base64.b64encode(data).decode()}"
    return f'<image width="100" height="100" href="{target}"/>'


@pytest.mark.parametrize(
    "body",
    [
        '<style>:root{--c:red}</style><rect width="99" height="99" fill="var(--c)"/>',
        '<style>svg{--c: red;}</style><rect width="99" height="99" style="fill: var( --c , blue)"/>',
        '<g style="--c:blue"><g style="--c:red"><rect width="99" height="99" fill="var(--c)"/></g></g>',
        '<rect width="99" height="99" fill="var(--none, var(--neither, #f00))"/>',
        '<style>*{--c:var(--d);--d:red} rect{fill:var(--c)}</style><rect width="99" height="99"/>',
        '<style>rect{--h:0;fill:hsl(var(--h) 100% 50%)}</style><rect width="99" height="99"/>',
        '<rect width="99" height="99" fill="red" style="--c:var(--c);stroke:var(--c)"/>',
        '<style>.a{fill:red}.b{--x:blue}</style><g class="b"><rect class="a" width="99" height="99"/></g>',
    ],
)
def test_variables_are_what_they_stand_for(body: str) -> None:
    assert at(svg(body), 50, 50) == RED


@pytest.mark.parametrize(
    ("style", "is_at"),
    [
        ("transform:translateX(50px)", (60, 10)),
        ("transform:translateY(50%)", (10, 60)),
        ("transform:translate(5em, -0px)", (90, 10)),
        ("transform:rotate(90deg);transform-origin:50px 50px", (90, 10)),
        ("transform:rotate(.25turn);transform-origin:center", (90, 10)),
        ("transform:rotate(100grad);transform-origin:50% 50%", (90, 10)),
        ("transform:scaleX(4)", (70, 10)),
        ("transform:scaleY(400%)", (10, 70)),
        ("transform:skewX(45deg) translateY(30px)", (45, 40)),
        ("transform:rotate(45deg);transform-box:fill-box;transform-origin:center", (10, -3)),
        ("transform:translateX(calc(10px * 5))", (60, 10)),
        ("translate:50px 0", (60, 10)),
        ("scale:4 1", (70, 10)),
        ("rotate:90deg;transform-origin:center", (90, 10)),
    ],
)
@pytest.mark.parametrize("is_in_sheet", [False, True])
def test_transforms_of_style_move_what_they_move_in_browsers(
    style: str, is_at: tuple[int, int], is_in_sheet: bool
) -> None:
    shape = '<rect width="20" height="20" fill="red"{}/>'
    styled = f"<style>rect{{{style}}}</style>" + shape.format("")
    found = drawn(svg(styled if is_in_sheet else shape.format(f' style="{style}"')))
    x, y = (max(0, part) * 1024 // 100 for part in is_at)
    assert found.getpixel((x, y)) == RED


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("BMP", "image/bmp"),
        ("BMP", "image/png"),
        ("AVIF", "image/avif"),
        ("WEBP", "image/webp"),
        ("ICO", "image/x-icon"),
        ("TIFF", "image/tiff"),
        ("PNG", "image/jpeg"),
        ("PNG", "image/*"),
        ("PNG", ""),
        ("GIF", "application/octet-stream"),
        ("JPEG", "text/plain"),
    ],
)
def test_a_picture_within_is_drawn_by_its_bytes_whatever_it_is_called(
    vetter: Vetter, kind: str, name: str
) -> None:
    data = encoded(Image.new("RGB", (16, 16), "red"), kind)
    verdict = vetter.vet(svg(shown(data, name)))
    assert verdict.fault == ""
    assert verdict.renditions is not None
    colour = Image.open(io.BytesIO(verdict.renditions.original.data)).convert("RGB").getpixel((500, 500))
    assert max(abs(one - other) for one, other in zip(colour, (255, 0, 0), strict=True)) < 8  # type: ignore[arg-type]


def test_a_picture_within_stands_upright_and_in_its_colours() -> None:
    exif = Image.Exif()
    exif[0x0112] = 3
    halves = Image.new("RGB", (16, 16), "red")
    halves.paste("blue", (0, 0, 16, 8))
    turned = svg(shown(encoded(halves, "PNG", exif=exif), "image/png"))
    assert (at(turned, 50, 25), at(turned, 50, 75)) == (RED, BLUE)
    grey = svg(shown(encoded(Image.new("CMYK", (16, 16), (0, 0, 0, 255)), "JPEG"), "image/jpeg"))
    assert max(at(grey, 50, 50)[:3]) < 60  # type: ignore[index]


@pytest.mark.parametrize("flavor", ["", "woff", "woff2"])
def test_a_font_that_a_document_brings_is_drawn_with(vetter: Vetter, flavor: str) -> None:
    """Its only letter is a triangle, and wide."""
    face = f"@font-face{{font-family:Own;src:url('data:font/x;base64,{base64.b64encode(font(flavor)).decode()}')}}"
    text = '<text y="90" font-size="180" style="font-family:Own">t</text>'
    verdict = vetter.vet(svg(f"<style>{face}</style>{text}"))
    assert verdict.renditions is not None, verdict.fault
    picture = Image.open(io.BytesIO(verdict.renditions.original.data)).getchannel("A")
    assert picture.getbbox() == (0, 0, 922, 922)
    assert picture.getpixel((800, 850)) == 255


@pytest.mark.parametrize(
    "body", ["<img {} src='{}'/>", "<div {}><img {} width='100' height='100' src='{}'/></div>"]
)
def test_html_that_is_a_picture_alone_is_drawn(body: str) -> None:
    target = f"data:image/png;base64,{base64.b64encode(encoded(Image.new('RGB', (50, 50), 'red'), 'PNG')).decode()}"
    html = body.format(*[XHTML] * (body.count("{}") - 1), target)
    document = svg(f'<foreignObject x="10" y="0" width="100" height="100">{html}</foreignObject>')
    assert at(document, 30, 30) == RED
    assert at(document, 5, 5) == CLEAR


GRADIENT = '<linearGradient {}><stop stop-color="red"/></linearGradient>'
LEFT_OUT = [
    f'<foreignObject width="90" height="90"><p {XHTML}>Words</p></foreignObject>',
    f'<foreignObject width="90" height="90"><div {XHTML} style="background:red"/></foreignObject>',
    f'<foreignObject width="90" height="90"><canvas {XHTML}/></foreignObject>',
    '<foreignObject width="90" height="90"><div>Words</div></foreignObject>',
    "<script>document.documentElement.appendChild(document.createElement('g'))</script>",
    '<script href="https://a.example/a.js"/>',
    '<image width="9" height="9" href="https://a.example/a.png"/>',
    '<image width="9" height="9" href="ipfs://bafy/a.png"/>',
    '<image width="9" height="9" href="data:image/png;base64,iVBORw0KGgo="/>',
    '<image width="9" height="9" href="data:image/heic;base64,AAAAGGZ0eXBoZWlj"/>',
    '<use href="https://a.example/b.svg#c"/>',
    '<rect width="9" height="9" fill="url(https://a.example/c.svg#d)"/>',
    '<rect width="9" height="9" style="clip-path:circle(3px)"/>',
    '<rect width="9" height="9" style="mask-image:linear-gradient(black,transparent)"/>',
    '<rect width="9" height="9" style="offset-path:path(&quot;M0 0h9&quot;)"/>',
    '<rect width="9" height="9" style="fill:color-mix(in srgb, red, blue)"/>',
    '<rect width="9" height="9" style="transform:rotateX(40deg)"/>',
    '<rect width="50vw" height="9"/>',
    "<style>g{rect{fill:red}}</style>",
    "<style>@media (min-width: 300px){rect{fill:red}}</style>",
    "<style>svg{background:linear-gradient(red,blue)}</style>",
    '<filter id="f"><feDiffuseLighting/></filter><rect width="9" height="9" filter="url(#f)"/>',
    '<text y="50">日本</text>',
    *(
        '<rect width="9" height="9" style="mix-blend-mode:plus-lighter"/>',
        "<style>@layer a{rect{fill:blue}}</style>",
    ),
    *(
        GRADIENT.format(told)
        for told in ('color-interpolation="linearRGB"', 'style="color-interpolation:linearRGB"')
    ),
    f'<g color-interpolation="linearRGB">{GRADIENT.format("")}</g>',
    '<mask id="m" mask="url(#n)"><rect width="9" height="9" fill="white"/></mask><mask id="n"/>',
    *(
        f'<defs><g id="u"><rect width="9" height="9" {told}/></g></defs><use href="#u" style="--k:red"/>'
        for told in ('fill="var(--k,blue)"', 'style="fill:var(--k)"', 'style="--j:var(--k);fill:var(--k)"')
    ),
    '<g style="--k:red"><use href="#u"/></g><symbol id="u"><rect width="9" height="9" fill="var(--k)"/></symbol>',
    '<mask id="m" style="mask:url(#n)"/><mask id="n"/>',
    '<style>.m{mask:url(#n)}</style><mask class="m"/><mask id="n"/>',
    "<style>@import 'data:text/css,rect{fill:blue}' print;</style>",
]


@pytest.mark.parametrize("body", LEFT_OUT)
def test_what_cannot_be_drawn_is_told_and_nothing_is_kept(body: str) -> None:
    """Though all else of the picture can."""
    with pytest.raises(BadImageError):
        render(svg('<rect width="50" height="50" fill="red"/>', body))


@pytest.mark.parametrize(
    "body",
    [
        "",
        '<rect width="9" height="9" fill="none"/>',
        '<rect width="9" height="9" opacity="0"/>',
        '<rect width="9" height="9"><animate attributeName="opacity" from="0" to="1" dur="1s"/></rect>',
        "<style>@keyframes k{from{opacity:0}} rect{animation:k 2s}</style><rect width='9' height='9'/>",
        '<g style="display:none"><rect width="9" height="9"/></g>',
        '<rect x="500" width="9" height="9"/>',
        "<text y='50'> </text>",
    ],
)
def test_a_picture_of_nothing_is_not_kept(body: str) -> None:
    with pytest.raises(BadImageError, match="Nothing of it can be seen"):
        render(svg(body))


@pytest.mark.parametrize("colour", ["black", "white", "#808080", "rgba(0,0,0,.1)", "#fff1"])
def test_a_picture_of_one_colour_is_kept(colour: str) -> None:
    assert len(drawn(svg(f'<rect width="100" height="100" fill="{colour}"/>')).getcolors() or []) == 1


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        '<a href="https://a.example"><circle r="2"/></a>',
        "<style>@import url(https://a.example/fonts.css);</style>",
        "<foreignObject/>",
        '<switch><foreignObject requiredExtensions="urn:x" width="9" height="9"><p>a</p></foreignObject><g/></switch>',
        '<g display="none"><image href="https://a.example/a.png"/><text>日</text></g>',
        "<title>日本</title>",
    ],
)
def test_what_changes_nothing_costs_no_picture(body: str) -> None:
    assert at(svg('<rect width="50" height="50" fill="red"/>', body), 25, 25) == RED


@pytest.mark.parametrize(
    "body",
    [
        '<rect width="9" height="9" fill="blue"><set attributeName="fill" to="red"/><animate attributeName="width" '
        'values="99;5" dur="9s"/><animate attributeName="height" from="99" to="1" dur="9s"/></rect>',
        '<rect width="99" height="99" fill="red"><animate attributeName="fill" to="blue" dur="9s"/></rect>',
        '<rect x="-99" width="99" height="99" fill="red"><animateTransform attributeName="transform" type="translate" '
        'from="99 0" to="0 0" dur="9s"/></rect>',
        '<rect width="99" height="99" fill="red"><animate attributeName="x" from="500" begin="3s" dur="9s"/></rect>',
        "<style>@keyframes k{from{fill:red}to{fill:blue}} rect{animation:k 3s}</style><rect width='99' height='99'/>",
        "<style>@keyframes k{0%{fill:blue}} rect{fill:red;animation:3s 1s k}</style><rect width='99' height='99'/>",
    ],
)
def test_animations_are_drawn_as_they_begin(body: str) -> None:
    assert at(svg(body), 50, 50) == RED


@pytest.mark.parametrize(
    "target",
    [
        'url("data:text/css,rect%7Bfill:red%7D")',
        "url(data:text/css;base64,cmVjdHtmaWxsOnJlZH0=)",
        "'data:text/css;charset=utf-8,rect{fill:red}'",
    ],
)
def test_a_sheet_that_is_in_its_address_is_heeded(target: str) -> None:
    assert at(svg(f'<style>@import {target};</style><rect width="99" height="99"/>'), 50, 50) == RED


@pytest.mark.parametrize("colour", ["rgb(100% 0 0)", "rgb(255 0% 0 / 100%)", "rgba(100% 0 none / 1)"])
def test_channels_in_numbers_and_percentages_are_one_colour(colour: str) -> None:
    assert at(svg(f'<rect width="99" height="99" fill="{colour}"/>'), 50, 50) == RED


@pytest.mark.parametrize(
    "condition", ['requiredExtensions=""', 'requiredExtensions=" "', 'systemLanguage=""']
)
def test_a_condition_of_nothing_is_not_met(condition: str) -> None:
    rest = '<rect width="99" height="99" fill="red"/>'
    assert at(svg(f'<switch><rect {condition} width="99" height="99"/>{rest}</switch>'), 50, 50) == RED


@pytest.mark.parametrize("mode", ["plus-darker", "none", "lighter"])
def test_a_mode_of_blending_that_no_browser_knows_counts_as_not_written(mode: str) -> None:
    style = f"mix-blend-mode:screen;mix-blend-mode:{mode}"
    ground = '<rect width="99" height="99" fill="red"/>'
    assert at(svg(ground, f'<rect width="99" height="99" fill="blue" style="{style}"/>'), 50, 50) == (
        255,
        0,
        255,
        255,
    )


@pytest.mark.parametrize(
    "told",
    [
        'transform="translate(20 10)"',
        'style="transform:translate(20px,10px)"',
        'style="translate:20px 10px"',
        'class="moved"',
    ],
)
def test_a_document_in_place_is_moved_once(told: str) -> None:
    sheet = "<style>.moved{transform:translate(20%,10%)}</style>"
    body = f'<svg {told} width="50" height="50"><circle r="90" fill="red"/></svg>'
    assert drawn(svg(sheet, body)).resize((100, 100), 0).getbbox() == (20, 10, 70, 60)


def test_the_ground_of_the_root_is_drawn_behind_all() -> None:
    head = (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 100 100" style="%s">'
    )
    for style in (b"background:#00f", b"background-color: blue; opacity: .5", b"BACKGROUND: Blue"):
        document = svg('<rect width="100" height="50" fill="red" opacity="1"/>', head=head % style)
        assert drawn(document).getpixel((10, 500)) == BLUE


@pytest.mark.parametrize(
    "size", ['width="0" height="0"', 'width="10" height="0"', 'width="0mm"', 'width="-5" height="9"']
)
def test_a_size_of_nothing_is_refused(size: str) -> None:
    with pytest.raises(BadImageError, match="no size"):
        render(f'<svg xmlns="http://www.w3.org/2000/svg" {size}><path d="M0 0h9v9"/></svg>'.encode())


@pytest.mark.parametrize("href", ["data:text/css,rect{fill:red}", "DATA:text/css;base64,YQ==", " data:,a"])
def test_a_sheet_before_the_document_is_refused_and_one_elsewhere_is_left_out(href: str) -> None:
    body = svg('<rect width="99" height="99" fill="red"/>')
    with pytest.raises(BadImageError, match="style sheet"):
        render(f'<?xml-stylesheet type="text/css" href="{href}"?>'.encode() + body)
    assert at(b'<?xml-stylesheet href="https://a.example/a.css"?>' + body, 50, 50) == RED


@pytest.mark.parametrize("told", ['fill="var(--k)"', 'style="fill:var(--k,blue)"', 'class="k"'])
def test_variables_of_an_element_that_is_used_are_those_of_the_document(told: str) -> None:
    shape = f'<defs><rect id="u" width="99" height="99" {told}/></defs>'
    sheet = "<style>:root{--k:red}.k{fill:var(--k)}</style>"
    assert at(svg(sheet, shape, '<use href="#u" style="--other:1"/>'), 50, 50) == RED


@pytest.mark.parametrize("selector", [".k", "rect", "#u", "rect[fill]", ".k:not(.j)"])
@pytest.mark.parametrize("is_before", [False, True])
def test_an_element_that_is_styled_by_what_it_is_may_be_used(selector: str, is_before: bool) -> None:
    shape = '<defs><rect id="u" class="k" fill="blue" width="99" height="99"/></defs>'
    body = ('<use href="#u"/>', shape) if is_before else (shape, '<use href="#u"/>')
    assert at(svg(f"<style>{selector}{{fill:red}}</style>", *body), 50, 50) == RED


@pytest.mark.parametrize("selector", ["defs rect", "* > rect", "defs > .k", "svg .k"])
@pytest.mark.parametrize("is_before", [False, True])
def test_an_element_that_is_styled_by_what_is_around_it_is_not_used(selector: str, is_before: bool) -> None:
    shape = '<defs><rect id="u" class="k" width="99" height="99"/></defs>'
    body = ('<use href="#u"/>', shape) if is_before else (shape, '<use href="#u"/>')
    with pytest.raises(BadImageError, match="what is around it"):
        render(svg(f"<style>{selector}{{fill:red}}</style>", *body))


def test_documents_in_documents_in_a_document_are_refused() -> None:
    inner = svg('<rect width="9" height="9"/>')
    with pytest.raises(BadImageError, match="documents within"):
        render(svg(drawn_within(svg(drawn_within(inner)))))
