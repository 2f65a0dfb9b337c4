"""However a reference to the outside is spelt, none is left in a cleaned document, nor in those that it shows."""

from __future__ import annotations

import base64
import gzip
import random
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.net.http.data_uris import decode_data_uri
from media.decoding import BadImageError
from media.svg import cleaned
from tests.images.inputs import svg
from tests.images.svgs import RED_PNG, centre
from tokens.metadata import media_types

many = settings(max_examples=150, deadline=None)
AWAY = "evil.example"
XLINK = ("href", "xlink:href", "x:href")
HEAD = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="u:x" xmlns:ev="e">'


def in_any_case(text: str) -> st.SearchStrategy[str]:
    """The text with any of its letters in the other case."""
    return st.lists(st.booleans(), min_size=len(text), max_size=len(text)).map(
        lambda flags: "".join(one.swapcase() if flag else one for one, flag in zip(text, flags, strict=True))
    )


BLANKS = st.sampled_from(["", " ", "\t", "\n ", "\u00a0"])
TYPES = st.sampled_from(
    [
        "image/svg+xml",
        "image/svg",
        "image/png",
        "image/*",
        "image",
        "text/xml",
        "application/xml",
        "text/plain",
        "",
        "a/b",
    ]
)
PARAMETERS = st.sampled_from(["", ";charset=utf-8", "; charset=UTF-8", ";utf8", ";version=1.1 ", ' ;a="b"'])


@st.composite
def data_uris(draw: st.DrawFn, content: bytes) -> str:
    """A `data:` URI of the content: scheme, type and parameters in any case, in any encoding."""
    scheme = draw(BLANKS.filter(lambda blank: not blank.startswith("\u00a0"))) + draw(in_any_case("data:"))
    media_type = draw(BLANKS) + draw(TYPES.flatmap(in_any_case)) + draw(BLANKS)
    head = scheme + media_type + draw(PARAMETERS)
    digits = base64.b64encode(content).decode()
    how = draw(
        st.sampled_from(
            ["plain", "quoted", "all quoted", "base64", "unpadded", "urlsafe", "quoted base64", "spaced"]
        )
    )
    if how == "plain":
        return f"{head},{content.decode('latin-1')}"
    if how == "quoted":
        return f"{head},{quote(content)}"
    if how == "all quoted":
        return f"{head}," + "".join(f"%{byte:02{draw(st.sampled_from('xX'))}}" for byte in content)
    written = {
        "base64": digits,
        "unpadded": digits.rstrip("="),
        "urlsafe": base64.urlsafe_b64encode(content).decode(),
        "quoted base64": quote(digits, safe=""),
        "spaced": " ".join(digits[start : start + 20] for start in range(0, len(digits), 20)),
    }[how]
    return f"{head};{draw(in_any_case('base64'))}{draw(BLANKS)},{written}"


def quoted(value: str) -> str:
    """A value as an attribute's."""
    return (
        value.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace('"', "&quot;")
        .replace("\t", "&#9;")
        .replace("\n", "&#10;")
    )


INNER = [
    f'<image href="https://{AWAY}/a"/>'.encode(),
    f"<script>fetch('{AWAY}')</script>".encode(),
    f'<rect fill="url(//{AWAY}/b#c)"/>'.encode(),
    f"<style>@import '//{AWAY}/d'; </style>".encode(),
]


def texts_of(document: bytes) -> list[str]:
    """The document as it is cleaned, and every document within it; none of one that is refused."""
    try:
        return list(texts_in(cleaned(document)))
    except BadImageError:
        return []


def texts_in(document: str) -> Iterator[str]:
    yield document
    for part in document.split('"'):
        if part.startswith("data:"):
            yield from texts_in(decode_data_uri(part).body.decode("utf-8", "replace"))


@many
@given(
    st.data(),
    st.sampled_from(INNER),
    st.sampled_from(XLINK),
    st.sampled_from(["image", "feImage"]),
    st.booleans(),
)
def test_a_document_within_the_document_is_cleaned_however_it_is_spelt(
    data: st.DataObject, inner: bytes, name: str, element: str, is_packed: bool
) -> None:
    document = HEAD + inner + b"</svg>"
    uri = data.draw(data_uris(gzip.compress(document) if is_packed else document))
    outer = HEAD + f'<{element} {name}="{quoted(uri)}"/></svg>'.encode()
    assert not [text for text in texts_of(outer) if AWAY in text]


@many
@given(st.data(), st.sampled_from(INNER))
def test_of_three_documents_in_each_other_none_looks_outside(data: st.DataObject, inner: bytes) -> None:
    document = HEAD + inner + b"</svg>"
    for _ in range(2):
        uri = data.draw(data_uris(document))
        document = HEAD + f'<image href="{quoted(uri)}"/>'.encode() + b"</svg>"
    assert not [text for text in texts_of(document) if AWAY in text]


ADDRESSES = st.sampled_from(
    ["https://", "HTTP://", "//", "file:///", "FiLe://", "ftp://", "\\\\", "data:text/html,", "jar:"]
)


@st.composite
def references(draw: st.DrawFn) -> str:
    """A part of a document that refers to the outside."""
    address = draw(BLANKS) + draw(ADDRESSES) + AWAY
    mark = draw(st.sampled_from(["", "'", '"']))
    function = draw(
        st.sampled_from(["url", "src", "image", "image-set", "cross-fade", "-webkit-image-set"]).flatmap(
            in_any_case
        )
    )
    escaped = draw(
        st.sampled_from([function, f"\\{function}" if function[0] not in "abcdefABCDEF" else function])
    )
    call = f"{escaped}({draw(BLANKS)}{mark}{address}{mark})"
    rule = draw(in_any_case("@import")) + f" {mark or chr(39)}{address}{mark or chr(39)}"
    attribute = draw(
        st.sampled_from(["fill", "filter", "style", "mask", "cursor", "clip-path", "marker-end", "STYLE"])
    )
    property_ = "fill:" if attribute.lower() == "style" else ""
    on = draw(st.sampled_from(["onclick", "ONLOAD", "onBegin", "ev:onload"]))
    pointing = draw(
        st.sampled_from(
            ["href", "xlink:href", "x:HREF", "src", "SRC", "srcset", "xml:base", "poster", "action"]
        )
    )
    element = draw(st.sampled_from(["image", "use", "a", "rect", "feImage", "pattern", "textPath", "image "]))
    return draw(
        st.sampled_from(
            [
                f'<rect {attribute}="{quoted(property_ + call)}"/>',
                f"<style>.a {{ fill: {call.replace('<', '')} }}</style>",
                f"<style>.a {{ fill: {call[:3]}<![CDATA[{call[3:]}]]> }}</style>",
                f"<style>.a {{ fill: {call[:2]}<!-- -->{call[2:]} }}</style>",
                f"<style>.a {{ fill: {call[:2]}<b/>{call[2:]} }}</style>",
                f"<style>{'/* */' * 3000}{call}</style>",
                f"<style>{rule};</style>",
                f"<style>{rule}</style>",
                f'<{element} {pointing}="{quoted(address)}"/>',
                f'<rect {on}="fetch(&apos;{AWAY}&apos;)"/>',
                f'<image><set attributeName="href" to="{quoted(address)}"/></image>',
                f'<image><animate attributeName="href" values="{quoted(address)};b"/></image>',
                f"<x:script>fetch('{AWAY}')</x:script>",
                f"<foreignObject><p>{AWAY}</p></foreignObject>",
            ]
        )
    )


@many
@given(st.lists(references(), min_size=1, max_size=3))
def test_no_reference_to_the_outside_is_left(parts: list[str]) -> None:
    text = cleaned(HEAD + "".join(parts).encode() + b"</svg>")
    assert AWAY not in text, text


@pytest.mark.parametrize(
    "kept",
    [
        'fill="url(#a)"',
        "fill=\"url( '#a' ) red\"",
        'transform="translate(1 2)"',
        'style="fill:url(#a)"',
        'id="a(b)"',
    ],
)
def test_what_points_into_the_document_stays(kept: str) -> None:
    assert f"<rect {kept}>" in cleaned(svg(f"<rect {kept}/>"))


def test_a_style_sheet_in_several_pieces_stays_whole() -> None:
    text = cleaned(svg("<style>.a { fill: re<![CDATA[d; ]]><!-- --> stroke: url(#b) }</style>"))
    assert "<style>.a { fill: red;  stroke: url(#b) }</style>" in text


@settings(max_examples=60, deadline=None)
@given(data_uris(RED_PNG).filter(lambda uri: "\x89" not in uri))
def test_a_picture_within_the_document_is_drawn_however_it_is_spelt(uri: str) -> None:
    stated = uri.strip().partition(",")[0].lower()
    if "base64" in stated or "image/png" in stated:
        assert centre(svg(f'<image width="100" height="100" href="{quoted(uri)}"/>')) == (255, 0, 0, 255)


@many
@given(in_any_case("data:image/svg+xml"), PARAMETERS, BLANKS)
def test_a_media_type_is_told_however_it_is_spelt(head: str, parameters: str, blank: str) -> None:
    assert media_types.of_uri(f"{head}{blank}{parameters},<svg/>") == "image/svg+xml"
    assert media_types.stated(f"{blank}{head.partition(':')[2]}{blank}{parameters}") == "image/svg+xml"
    assert decode_data_uri(f"{head}{blank}{parameters},<svg/>").media_type == "image/svg+xml"


def test_a_picture_is_decoded_by_its_escapes_though_that_is_no_text() -> None:
    every = bytes(range(256))
    shuffled = bytes(random.Random(1).sample(every, 256))
    assert decode_data_uri("data:image/png," + quote(shuffled)).body == shuffled
    assert decode_data_uri("data:image/svg+xml,<svg width='9%e9'/>").body == b"<svg width='9%e9'/>"
