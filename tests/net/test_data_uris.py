"""F73, F74: `data:` URIs in every spelling that was seen on chain."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.http.data_uris import Data, decode_data_uri, shown_data_uri
from core.net.http.uri_errors import BadUriError

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="#fff" width="100%"/></svg>'
INNER = "data:image/svg+xml,%3Csvg%20fill=%22%23fff%22/%3E"
SPELLINGS = {
    "data:application/json,{}": Data("application/json", b"{}"),
    'data:application/json;utf8,{"name":"Africa/Djibouti%20-%20EAT(GMT+3)"}': Data(
        "application/json", b'{"name":"Africa/Djibouti - EAT(GMT+3)"}'
    ),
    "data:application/json;charset=utf-8,%7B%7D": Data("application/json", b"{}"),
    "data:application/json;charset=UTF-8;base64,e30=": Data("application/json", b"{}"),
    "data:application/json;base64,e30": Data("application/json", b"{}"),  # no padding
    "data:application/json;base64,e30%3D": Data("application/json", b"{}"),
    "data:application/json;base64, e3\n0= ": Data("application/json", b"{}"),
    "data:application/json; base64 ,e30=": Data("application/json", b"{}"),
    'data:application/json;base64,{"plain": 1}': Data("application/json", b'{"plain": 1}'),  # it lies
    "data:;base64,-_8=": Data("text/plain", b"\xfb\xff"),  # the alphabet of URLs
    "data:base64,e30=": Data("text/plain", b"{}"),
    "DATA:Application/JSON;UTF8,{}": Data("application/json", b"{}"),
    "data:,": Data("text/plain", b""),
    "data:,a%20b": Data("text/plain", b"a b"),
    'data:{"a":1}': Data("text/plain", b'{"a":1}'),
    'data:application/json{"a":1,"b":2}': Data("application/json", b'{"a":1,"b":2}'),
    'data:application/json,{"a":"100%","b":"#1"}': Data("application/json", b'{"a":"100%","b":"#1"}'),
    f"data:image/svg+xml;utf8,{SVG}": Data("image/svg+xml", SVG.encode()),
    "data:image/svg+xml,%3Csvg fill='%23fff'/%3E": Data("image/svg+xml", b"<svg fill='#fff'/>"),
    'data:application/json,{"a":"é"}': Data("application/json", '{"a":"é"}'.encode()),
    "data:text/html,caf%e9 é": Data("text/html", "caf%e9 é".encode()),  # the escape is no UTF-8
}


for name in ("latin1", "ISO-8859-1", '"windows-1252"', "cp1252", "us-ascii"):
    SPELLINGS[f'data:application/json;charset={name},{{"name":"Caf%E9"}}'] = Data(
        "application/json", '{"name":"Café"}'.encode()
    )
for name in ("koi8-r", "windows-1251", "shift_jis", "big5", "gb18030", "euc-kr"):
    text = '{"name":"Я"}'
    SPELLINGS[
        f"data:application/json;charset={name};base64,{base64.b64encode(text.encode(name)).decode()}"
    ] = Data("application/json", text.encode())
for name in ("rot13", "idna", "punycode", "hex", "utf-7", "unicode_escape", "klingon", "utf-8", ""):
    SPELLINGS[f"data:application/json;charset={name};base64,eyJhIjoi6SJ9"] = Data(
        "application/json", b'{"a":"\xe9"}'
    )


@pytest.mark.parametrize("uri", SPELLINGS)
def test_every_spelling_is_decoded(uri: str) -> None:
    assert decode_data_uri(uri) == SPELLINGS[uri]


def test_an_image_with_escapes_of_its_own_stays_whole_in_plain_json() -> None:
    """safe-react#3325: decoding the outer document's escapes would put a quotation mark into its text."""
    document = json.dumps({"image": INNER})
    body = decode_data_uri(f"data:application/json;utf8,{document}").body
    image = json.loads(body)["image"]
    assert image == INNER
    assert decode_data_uri(image).body == b'<svg fill="#fff"/>'


@pytest.mark.parametrize(
    "uri", ["http://a", "data:", "data:application/json", "data:;base64,é", "data:;base64,A"]
)
def test_what_is_none_is_told(uri: str) -> None:
    with pytest.raises(BadUriError):
        decode_data_uri(uri)


@given(st.binary(max_size=200))
def test_base64_of_anything_comes_back(body: bytes) -> None:
    for encoded in (base64.b64encode(body), base64.urlsafe_b64encode(body)):
        for digits in (encoded.decode(), encoded.decode().rstrip("=")):
            assert decode_data_uri(f"data:image/png;base64,{digits}").body == body


@given(st.text())
def test_nothing_else_is_raised(text: str) -> None:
    try:
        data = decode_data_uri(f"data:{text}")
    except BadUriError:
        return
    assert data.media_type.isascii()


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("data:image/svg+xml;utf8,<svg fill='#f00'/>", "data:image/svg+xml;utf8,<svg fill='%23f00'/>"),
        (
            "data:image/svg+xml,<svg><use href='#a'/></svg>",
            "data:image/svg+xml,<svg><use href='%23a'/></svg>",
        ),
        ("data:image/svg+xml,<svg width='5%'/>", "data:image/svg+xml,<svg width='5%'/>"),
        ("data:image/svg+xml,%3Csvg fill='%23f00'/%3E", "data:image/svg+xml,%3Csvg fill='%23f00'/%3E"),
        ("data:image/svg+xml;base64,PHN2Zy8+", "data:image/svg+xml;base64,PHN2Zy8+"),
        ("data:image/svg+xml;base64,<svg/>", "data:image/svg+xml,%3Csvg/%3E"),
        ("data:image/svg+xml;charset=utf-8,<svg>#</svg>", "data:image/svg+xml;charset=utf-8,<svg>%23</svg>"),
        ("data:image/png;base64,-_8=", "data:image/png;base64,+/8="),
        ("data:image/png;base64, iVBO\nRw==", "data:image/png;base64, iVBO\nRw=="),
        (
            "data:image/svg+xml<svg a='#1'/>",
            "data:image/svg+xml,%3Csvg%20a%3D%27%231%27/%3E".replace("%3D", "="),
        ),
        ("data:image/png;base64,A", "data:image/png;base64,A"),
    ],
)
def test_a_browser_is_given_one_that_it_reads_whole(uri: str, shown: str) -> None:
    """larvalabs/cryptopunks#18: it ends a URI at `#`."""
    assert shown_data_uri(uri) == shown


@given(
    st.text(st.sampled_from("<svg/>#%23 'é\n\t=&;,+-_{}\"A"), max_size=30),
    st.sampled_from(["", ";utf8", ";base64"]),
)
def test_what_a_browser_is_given_holds_the_same(payload: str, how: str) -> None:
    uri = f"data:image/svg+xml{how},{payload}"
    try:
        body = decode_data_uri(uri).body
    except BadUriError:
        assert shown_data_uri(uri) == uri
        return
    shown = shown_data_uri(uri)
    assert decode_data_uri(shown).body == body
    assert shown_data_uri(shown) == shown
    assert "#" not in shown.partition(",")[2]
