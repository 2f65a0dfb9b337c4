"""Where a document is and in what clothes: written out in place of its URI, behind a base, in quotes, in a charset."""

from __future__ import annotations

import base64
import html
import json
from typing import Any
from urllib.parse import quote

import pytest

from core.net.http.fetch import Fetcher, FetchError, FetchKind
from tests.builders import APES
from tests.conftest import Api
from tests.evm.chain import keccak256
from tests.offchain.apes import BASE, World, again, ape, row
from tests.offchain.played_contracts import TOKEN_URI, text
from tokens.metadata.documents import metadata_of
from tokens.metadata.inline import data_uri_of
from tokens.metadata.normalise import normalise
from tokens.models import MetadataFetch

CID = "QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5"
RAW = (
    '{"name": "Raw \\u00e9 #1", "image": "ipfs://'
    + CID
    + '/1.png", "attributes": [{"trait_type": "A", "value": "100%"}]}'
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="#fff" width="100%"/></svg>'
State = MetadataFetch.State


def b64(value: str) -> str:
    return base64.b64encode(value.encode()).decode()


DOCUMENTS = [
    RAW,
    f"\ufeff {RAW}\n",
    f"/* on chain */ {RAW}",
    f"// on chain\n{RAW}",
    f"[{RAW}]",
    RAW.replace('"', "'").replace("\\u00e9", "é"),
    quote(RAW),
    f"%EF%BB%BF{quote(RAW)}",
    json.dumps(RAW),
    json.dumps(RAW)[1:-1],
    f"'{RAW}'",
    b64(RAW),
    b64(RAW).rstrip("="),
    f"application/json;base64,{b64(RAW)}",
    f"application/json;utf8,{RAW}",
    f"data:application/json;base64,{b64(RAW)}",
    f'"data:application/json;base64,{b64(RAW)}"',
    f"ipfs://{RAW}",
    f"https://base.example/token/{RAW}",
    f"https://base.example/token/{quote(RAW)}",
    f"https://base.example/token/data:application/json;base64,{b64(RAW)}",
    f"\u200b{RAW}\u00a0",
    quote(quote(RAW)),
    quote(b64(RAW)),
    b64(b64(RAW)),
    b64(json.dumps(RAW)),
    b64(quote(RAW)),
    b64(f"\ufeff{RAW}"),
    base64.b64encode(RAW.encode("utf-16")).decode(),
    f"ipfs://{b64(RAW)}",
    f";base64,{b64(RAW)}",
    f"base64,{b64(RAW)}",
    f"data;application/json;base64,{b64(RAW)}",
    f"data:application/json;base64;{b64(RAW)}",
    quote(f"data:application/json;base64,{b64(RAW)}", safe=""),
    html.escape(RAW),
]
PICTURES = [
    SVG,
    f"\ufeff\n{SVG} ",
    f'<?xml version="1.0" encoding="UTF-8"?>\n{SVG}',
    f"<!-- {'drawn ' * 2000}-->{SVG}",
    f'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">{SVG}',
    quote(SVG),
    b64(SVG),
    f"'{SVG}'",
    json.dumps(SVG),
    f"image/svg+xml;base64,{b64(SVG)}",
    f"data:image/svg+xml;utf8,{SVG}",
    f"ipfs://{SVG}",
    f"\u200b{SVG}",
    quote(quote(SVG)),
    html.escape(SVG),
    f"data:text/plain,{SVG}",
    f"data:text/html,{SVG}",
    f"data:,{SVG}",
    f"data:application/json;base64,{b64(SVG)}",
    f"data:application/octet-stream;base64,{b64(SVG)}",
    quote(f"data:image/svg+xml;base64,{b64(SVG)}", safe=""),
]


@pytest.mark.django_db
def test_a_document_that_is_written_out_in_place_of_its_uri_is_read(world: World, api: Api) -> None:
    pages = Fetcher(ipfs_gateways=[], arweave_gateways=[])
    world.pages.fetch = pages.fetch  # type: ignore[method-assign]
    uris = [*DOCUMENTS, *PICTURES]
    world.contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(uris[token_id - 1]))
    world.mint(len(uris))
    world.run()
    told = {number: (row(number).state, row(number).fault) for number in range(1, len(uris) + 1)}
    assert told == dict.fromkeys(told, (State.READY, ""))
    for number in range(1, len(DOCUMENTS) + 1):
        assert json.loads(ape(number).metadata or "") == normalise(json.loads(RAW)), DOCUMENTS[number - 1]
    for number in range(len(DOCUMENTS) + 1, len(uris) + 1):
        found = json.loads(ape(number).metadata or "")
        assert found["imageMediaType"] == "image/svg+xml"
        assert b"<svg" in pages.fetch(found["imageUrl"]).body
    shown = api.nfts(contractAddress=APES, tokenId="1")["data"][0]
    assert shown["metadata"]["name"] == "Raw é #1"
    assert json.loads(pages.fetch(shown["uri"]).body) == json.loads(RAW)


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "https://x.example/{id}.json",
            "{id}.json",
            f"ipfs://{CID}/{{id}}",
            CID,
            f"ipfs://{CID}",
            "ar://",
            "",
        ),
        *(
            "https://[::1]/1",
            "[::1]",
            "<html></html>",
            "k0X-Nn3M1TM7vl3rX3xFWkGIvSXyEB5bvKxTCfAzpUE",
            '"',
            "''",
        ),
        *("https://a/" * 100_000, '"' * 100_000, "%22" * 100_000, "/*" * 100_000),
        *("eyJ", "eyJhbGciOiJIUzI1NiJ9.x", "data:application/json,{}", 'https://x.example/?q={"a":1}'),
    ],
)
def test_a_uri_is_no_document(uri: str) -> None:
    assert data_uri_of(uri) is None


@pytest.mark.parametrize("written", PICTURES)
@pytest.mark.parametrize("name", ["image", "image_data", "animation_url"])
def test_a_picture_that_is_written_out_in_its_field_is_the_image(written: str, name: str) -> None:
    found = normalise({name: written})
    assert found["imageMediaType"] == "image/svg+xml"
    assert b"<svg" in Fetcher(ipfs_gateways=[], arweave_gateways=[]).fetch(found["imageUrl"]).body


def test_a_bitmap_in_base64_without_its_head_is_the_image() -> None:
    digits = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(20)).decode()
    assert normalise({"image": digits}) == {
        "imageUrl": f"data:image/png;base64,{digits}",
        "imageMediaType": "image/png",
    }


@pytest.mark.parametrize("name", ["image", "animation_url"])
@pytest.mark.parametrize(
    "written",
    [
        f"ipfs://ipfs://{CID}/1.png",
        f"https://ipfs.io/ipfs/ipfs://{CID}/1.png",
        f"https://a.example/ipfs/https://b.example/ipfs/{CID}/1.png",
        f'"ipfs://{CID}/1.png"',
        f"“ipfs://{CID}/1.png”",
    ],
)
def test_a_base_and_quotes_around_a_picture_s_uri_go(name: str, written: str) -> None:
    assert normalise({name: written})["imageUrl"] == f"ipfs://{CID}/1.png"


@pytest.mark.parametrize(
    ("charset", "codec", "word"),
    [
        ("iso-8859-1", "latin-1", "Café"),
        ("latin1", "latin-1", "Café"),
        ("ISO-8859-1", "cp1252", "“Café”"),
        ("windows-1252", "cp1252", "5 €"),
        ("us-ascii", "cp1252", "Café"),
        ("windows-1251", "cp1251", "Обезьяна"),
        ("koi8-r", "koi8-r", "Обезьяна"),
        ("Shift_JIS", "shift_jis", "猿"),
        ("euc-kr", "euc-kr", "원숭이"),
        ("GB2312", "gbk", "猿鎔"),
        ("utf-16", "utf-16", "Café"),
        ("utf-16le", "utf-16-le", "Café"),
        ("utf-8", "utf-8-sig", "Café"),
        ("x-sjis", "cp932", "猿①"),
        ("windows-31j", "cp932", "猿"),
        ("windows-949", "cp949", "한똠"),
        ("euc-kr", "cp949", "한똠"),
        ("x-cp1251", "cp1251", "Обезьяна"),
        ("x-cp1252", "cp1252", "Café"),
        ("x-mac-roman", "mac-roman", "Café"),
        ("iso-8859-8-i", "iso8859-8", "אב"),
        ("x-gbk", "gbk", "猿鎔"),
        ("iso-8859-1", "utf-8", "Café"),
        ("klingon", "utf-8", "Café"),
        ("klingon", "utf-8-sig", "Café"),
    ],
)
def test_a_charset_is_believed_where_the_text_is_no_utf_8(charset: str, codec: str, word: str) -> None:
    body = f'{{"name":"{word}"}}'.encode(codec)
    for media_type in (
        f"application/json; charset={charset}",
        f'text/plain;charset="{charset}"',
        f"x; charset='{charset}'",
    ):
        assert metadata_of(body, media_type, "https://x.example/1") == {"name": word}
    fetched = Fetcher(ipfs_gateways=[], arweave_gateways=[]).fetch(
        f"data:application/json;charset={charset};base64,{base64.b64encode(body).decode()}"
    )
    assert metadata_of(fetched.body, fetched.media_type, fetched.url) == {"name": word}


@pytest.mark.parametrize(
    "charset", ["rot13", "idna", "hex", "utf-7", "unicode_escape", "klingon", "", "utf-8"]
)
def test_an_unknown_charset_costs_only_the_letters_that_it_would_explain(charset: str) -> None:
    body = b'{"name":"Caf\xe9"}'
    assert metadata_of(body, f"application/json; charset={charset}", "https://x.example/1") == {
        "name": "Caf\ufffd"
    }


APE = {"name": "Ape", "image": f"ipfs://{CID}"}


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 10000, "result": {"data": APE}},
        {"data": APE},
        {"data": {"nft": {"token": APE}}},
        {"success": True, "payload": {"items": [APE]}},
        {"statusCode": 200, "headers": {"name": "x"}, "body": json.dumps(APE)},
        {
            "code": 0,
            "msg": "ok",
            "response": {"asset": APE, "owner": {"name": "bob"}, "collection": {"name": "Apes"}},
        },
        {"721": {"policy": {"ape": APE}, "version": 1}},
        {"name": "", "image": None, "token": APE},
        [{"record": APE}],
        {"msg": "success", "status": 200, "body": APE},
        {"data": {"type": "nft", "id": "1", "attributes": APE}},
        {"rawMetadata": APE, "contractMetadata": {"name": "Apes"}},
        {"status": "error", "data": APE},
    ],
)
def test_a_document_is_found_in_an_api_s_answer(answer: Any) -> None:
    assert normalise(answer) == normalise(APE)


@pytest.mark.parametrize(
    "answer",
    [
        {"a": APE, "b": {"name": "Other"}},
        {"items": [APE, {"name": "Other"}]},
        {"data": {"list": {"x": APE, "y": APE}}},
        {"data": [APE, {"name": "Other"}]},
        {"error": APE},
        {"owner": APE},
        {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": APE}}}}}}}},
    ],
)
def test_where_nobody_can_know_which_object_is_meant_none_is(answer: Any) -> None:
    assert normalise(answer) == {}


def test_the_outer_object_is_the_document_where_it_says_anything() -> None:
    assert normalise({"name": "Outer", "token": APE}) == {"name": "Outer"}


METADATA_URI = "0x157c3df9"


def test_the_function_is_the_one_of_zora() -> None:
    assert keccak256(b"tokenMetadataURI(uint256)").hex()[:8] == METADATA_URI[2:]


PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
ABOUT = {"name": "Work", "description": "About it.", "mimeType": "image/png"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("file", "about", "told"),
    [
        (PNG, ABOUT, {"imageUrl": f"{BASE}1", "imageMediaType": "image/png"}),
        (b"ID3\x03" + bytes(30), ABOUT, {"mediaUrl": f"{BASE}1", "mediaType": "audio/mpeg"}),
        (
            FetchError("Large.", FetchKind.TOO_LARGE),
            ABOUT,
            {"imageUrl": f"{BASE}1", "imageMediaType": "image/png"},
        ),
        (
            FetchError("Large.", FetchKind.TOO_LARGE),
            {**ABOUT, "mimeType": "video/mp4", "image": "https://x.example/cover"},
            {"mediaUrl": f"{BASE}1", "mediaType": "video/mp4", "imageUrl": "https://x.example/cover"},
        ),
        (
            FetchError("Large.", FetchKind.TOO_LARGE),
            {"name": "Work", "description": "About it."},
            {"mediaUrl": f"{BASE}1"},
        ),
    ],
)
def test_the_document_beside_a_work_is_read(world: World, api: Api, file: Any, about: Any, told: Any) -> None:
    world.contracts.give(APES, METADATA_URI, lambda token_id, gas: text(f"{BASE}about/{token_id}"))
    world.pages.found |= {f"{BASE}1": file, f"{BASE}about/1": about}
    world.mint()
    world.run()
    shown = api.nfts(contractAddress=APES)["data"][0]
    assert shown["metadata"] == {"name": "Work", "description": "About it.", "traits": [], **told}
    assert (shown["uri"], row().state) == (f"{BASE}1", State.READY)


@pytest.mark.django_db
def test_a_work_without_such_a_document_is_told_alone(world: World) -> None:
    world.pages.found |= {f"{BASE}1": PNG, f"{BASE}2": FetchError("Large.", FetchKind.TOO_LARGE)}
    world.mint(2)
    world.run()
    assert json.loads(ape().metadata or "") == {"imageUrl": f"{BASE}1", "imageMediaType": "image/png"}
    assert (row(1).state, row(2).state, ape(2).metadata) == (State.READY, State.GONE, None)


@pytest.mark.django_db
def test_a_document_beside_that_fails_takes_no_name_away(world: World) -> None:
    world.contracts.give(APES, METADATA_URI, lambda token_id, gas: text(f"{BASE}about"))
    world.pages.found |= {f"{BASE}1": PNG, f"{BASE}about": {"error": "Rate limit exceeded"}}
    world.mint()
    world.run()
    assert row().state == State.UNUSABLE
    assert json.loads(ape().metadata or "") == {"imageUrl": f"{BASE}1", "imageMediaType": "image/png"}
    world.pages.found[f"{BASE}about"] = ABOUT
    again()
    world.run()
    good = ape().metadata
    assert json.loads(good or "")["name"] == "Work"
    world.pages.found[f"{BASE}about"] = FetchError("No answer.", FetchKind.UNREACHABLE)
    again()
    world.run()
    assert (row().state, ape().metadata) == (State.UNREACHABLE, good)


@pytest.mark.django_db
def test_a_picture_of_a_data_uri_is_handed_out_so_that_a_browser_reads_it_whole(
    world: World, api: Api
) -> None:
    """larvalabs/cryptopunks#18."""
    written = "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' fill='#f00' width='50%'/>"
    world.pages.found[f"{BASE}1"] = {"image": written, "animation_url": written.replace("#f00", "#0f0")}
    world.mint()
    world.run()
    shown = api.nfts(contractAddress=APES)["data"][0]["metadata"]
    assert shown["imageUrl"] == written.replace("#", "%23")
    assert shown.get("mediaUrl", "").count("#") == 0
